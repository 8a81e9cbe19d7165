import { z } from 'zod';
import { Rejection } from '../base/rejection.ts';
import { failPendingDeliveries } from '../state/delivery.ts';
import type { WebhookRecord } from '../state/records.ts';
import { createBaseRecord, generateSecret, type Service } from '../state/service.ts';
import type { HandlerCall } from './handler.ts';
import { createFieldRejection, parseBody } from './request-body.ts';
import { createListResult, deleteRecord, type ListResult, type ResourceView } from './view.ts';
import { parseWebhook, renderWebhook } from './webhook-body.ts';

/** Each event goes to all of them. */
const MAX_WEBHOOKS = 100;

function toWebhookView(service: Service, webhook: WebhookRecord): ResourceView {
  return {
    object: 'webhook',
    id: webhook.id,
    status: webhook.status,
    created_at: webhook.created_at,
    updated_at: webhook.updated_at,
    // A learned response may use other names than the request.
    ...(service.serviceProfile ? { url: webhook.url, events: webhook.events } : {}),
    custom: { ...webhook.custom, ...renderWebhook(service, webhook) },
  };
}

function list({ service }: HandlerCall): ListResult {
  return createListResult(service.state.webhooks, (webhook) => toWebhookView(service, webhook));
}

function create({ service, body }: HandlerCall): ResourceView {
  const { custom: fields } = parseBody(z.object({}), body);
  if (service.state.webhooks.size >= MAX_WEBHOOKS)
    throw new Rejection('conflict', `A workspace can have at most ${MAX_WEBHOOKS} webhooks: delete one`);
  const { url, events, rest, details } = parseWebhook(service, fields);
  if (details.length > 0) throw createFieldRejection(details);
  const { secret, ...custom } = rest;
  const webhook: WebhookRecord = {
    ...createBaseRecord(service, 'webhook'),
    url: String(url),
    events: events.map(String),
    status: 'active',
    secret: typeof secret === 'string' ? secret : createSecret(service),
    custom,
  };
  service.state.webhooks.set(webhook.id, webhook);
  const {
    serviceProfile,
    profile: { webhookSecretField },
  } = service;
  const name = serviceProfile?.facts.webhookSecret?.at(-1) ?? webhookSecretField;
  const secretField = name === 'none' ? {} : { [name]: webhook.secret };
  return { ...toWebhookView(service, webhook), ...secretField };
}

function createSecret(service: Service): string {
  const secret = generateSecret(service, 24);
  return service.profile.signature === 'standard-webhooks'
    ? `whsec_${secret.toString('base64')}`
    : secret.toString('hex');
}

function remove({ service, id }: HandlerCall): ResourceView {
  const view = deleteRecord(service.state.webhooks, { id, object: 'webhook' });
  failPendingDeliveries(service.state.deliveries.values(), id);
  return view;
}

export const webhooks = { create, list, delete: remove };

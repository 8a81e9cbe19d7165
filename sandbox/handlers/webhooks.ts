import { z } from 'zod';
import { dropDeliveries } from '../events/queue.ts';
import { readBody, refuseFields } from '../http/body.ts';
import { Refusal } from '../refusal.ts';
import { newRecord, newSecret, type Service } from '../service.ts';
import type { WebhookRecord } from '../state/records.ts';
import { find, newestFirst } from '../state/state.ts';
import type { HandlerCall } from './handler.ts';
import { type Listing, listing, type View } from './view.ts';
import { readWebhook, showWebhook } from './webhook-form.ts';

/** Each event goes to every one of them. */
const MAX_WEBHOOKS = 100;

function viewWebhook(service: Service, webhook: WebhookRecord): View {
  return {
    object: 'webhook',
    id: webhook.id,
    status: webhook.status,
    created_at: webhook.created_at,
    updated_at: webhook.updated_at,
    // A learned answer may have other names for them than the body that was taken.
    ...(service.learned ? { url: webhook.url, events: webhook.events } : {}),
    custom: { ...webhook.custom, ...showWebhook(service, webhook) },
  };
}

function list({ service }: HandlerCall): Listing {
  return listing(newestFirst(service.state.webhooks), (webhook) => viewWebhook(service, webhook));
}

function create({ service, body }: HandlerCall): View {
  const { custom: fields } = readBody(z.object({}), body);
  if (service.state.webhooks.size >= MAX_WEBHOOKS)
    throw new Refusal('conflict', `A workspace has ${MAX_WEBHOOKS} registrations at most: delete one`);
  const { url, events, rest, details } = readWebhook(service, fields);
  if (details.length > 0) throw refuseFields(details);
  const { secret, ...custom } = rest;
  const webhook: WebhookRecord = {
    ...newRecord(service, 'webhook'),
    url: String(url),
    events: events.map(String),
    status: 'active',
    secret: typeof secret === 'string' ? secret : createSecret(service),
    custom,
  };
  service.state.webhooks.set(webhook.id, webhook);
  const {
    learned,
    profile: { subscription },
  } = service;
  const name = learned?.facts.webhookSecret?.at(-1) ?? subscription;
  const shown = name === 'none' ? {} : { [name]: webhook.secret };
  return { ...viewWebhook(service, webhook), ...shown };
}

function createSecret(service: Service): string {
  const secret = newSecret(service, 24);
  return service.profile.signature === 'standard-webhooks'
    ? `whsec_${secret.toString('base64')}`
    : secret.toString('hex');
}

function remove({ service, id }: HandlerCall): View {
  find(service.state.webhooks, id, 'webhook');
  service.state.webhooks.delete(id);
  dropDeliveries(service.state, id);
  return { object: 'webhook', id };
}

export const webhooks = { create, list, delete: remove };

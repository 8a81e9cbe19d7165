import { z } from 'zod';
import { dropDeliveries } from '../events/queue.ts';
import { readBody, refuseFields } from '../http/body.ts';
import { type Detail, Refusal } from '../refusal.ts';
import { newRecord, newSecret, type Service } from '../service.ts';
import type { WebhookRecord } from '../state/records.ts';
import { find, newestFirst } from '../state/state.ts';
import type { HandlerCall } from './handler.ts';
import type { View } from './view.ts';

/** Each event goes to every one of them. */
const MOST_WEBHOOKS = 100;

const EVENT_NAME = /^(\*|[a-z_]+(\.[a-z_]+)*(\.\*)?)$/;

function viewWebhook(service: Service, webhook: WebhookRecord): View {
  const [urlField, eventsField] = fieldNames(service);
  return {
    object: 'webhook',
    id: webhook.id,
    status: webhook.status,
    created_at: webhook.created_at,
    updated_at: webhook.updated_at,
    // The two names stand as the registration has to write them, in whatever case the rest is.
    custom: {
      ...webhook.custom,
      [urlField]: webhook.url,
      [eventsField]: eventsField === 'event' ? webhook.events.join(',') : webhook.events,
    },
  };
}

/** §6: the body is not shown; the profile names the two fields, such as `url` and `events`. */
function fieldNames({ profile }: Service): [string, string] {
  const [url = 'url', events = 'events'] = profile.webhookBody.split('+');
  return [url, events];
}

function list({ service }: HandlerCall): View[] {
  return newestFirst(service.state.webhooks).map((webhook) => viewWebhook(service, webhook));
}

function create({ service, body }: HandlerCall): View {
  const [urlField, eventsField] = fieldNames(service);
  const { custom: fields } = readBody(z.object({}), body);
  if (service.state.webhooks.size >= MOST_WEBHOOKS)
    throw new Refusal('conflict', `A workspace has ${MOST_WEBHOOKS} registrations at most: delete one`);
  const { [urlField]: url, [eventsField]: events, secret, ...custom } = fields;
  const names = Array.isArray(events) && eventsField !== 'event' ? events : [events];
  const details: Detail[] = [];
  if (typeof url !== 'string' || !isWebAddress(url))
    details.push({
      field: urlField,
      message: url === undefined ? 'is required' : 'must be an http(s) address',
    });
  if (eventsField !== 'event' && !Array.isArray(events))
    details.push({ field: eventsField, message: events === undefined ? 'is required' : 'must be a list' });
  else if (names.length === 0 || !names.every((name) => typeof name === 'string' && EVENT_NAME.test(name)))
    details.push({ field: eventsField, message: events === undefined ? 'is required' : 'must name events' });
  if (details.length > 0) throw refuseFields(details);
  const webhook: WebhookRecord = {
    ...newRecord(service, 'webhook'),
    url: String(url),
    events: names.map(String),
    status: 'active',
    secret: typeof secret === 'string' ? secret : createSecret(service),
    custom,
  };
  service.state.webhooks.set(webhook.id, webhook);
  const { subscription } = service.profile;
  const shown = subscription === 'none' ? {} : { [subscription]: webhook.secret };
  return { ...viewWebhook(service, webhook), ...shown };
}

function createSecret(service: Service): string {
  const secret = newSecret(service, 24);
  return service.profile.signature === 'standard-webhooks'
    ? `whsec_${secret.toString('base64')}`
    : secret.toString('hex');
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function remove({ service, id }: HandlerCall): View {
  find(service.state.webhooks, id, 'webhook');
  service.state.webhooks.delete(id);
  dropDeliveries(service.state, id);
  return { object: 'webhook', id };
}

export const webhooks = { create, list, delete: remove };

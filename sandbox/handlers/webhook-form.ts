import { readByTemplate, showByTemplate } from '../learned/template-form.ts';
import type { Detail } from '../refusal.ts';
import type { Service } from '../service.ts';
import type { Custom } from '../state/records.ts';

const EVENT_NAME = /^(\*|[a-z_]+(\.[a-z_]+)*(\.\*)?)$/;

/** What a registration says, under whatever names. */
export interface WebhookFields {
  readonly url: unknown;
  readonly events: readonly unknown[];
  readonly rest: Custom;
  /** What is wrong with it. */
  readonly details: readonly Detail[];
}

/** §6: the body is not shown; the profile names the two fields, such as `url` and `events`. */
function fieldNames({ profile }: Service): [string, string] {
  const [url = 'url', events = 'events'] = profile.webhookBody.split('+');
  return [url, events];
}

export function readWebhook(service: Service, fields: Custom): WebhookFields {
  const template = service.learned?.facts.webhook;
  if (template) {
    const { found, missing, rest } = readByTemplate(template, fields);
    const [url, events] = [found.get('url'), found.get('event')];
    const wrong = missing.length > 0 ? missing : check({ url, events: [events].flat() }, ['url', 'events']);
    return { url, events: [events].flat(), rest, details: wrong };
  }
  const names = fieldNames(service);
  const [urlField, eventsField] = names;
  const { [urlField]: url, [eventsField]: events, ...rest } = fields;
  const isOne = eventsField === 'event';
  const each = Array.isArray(events) && !isOne ? events : [events];
  const isList = isOne || Array.isArray(events);
  const details = check({ url, events: isList ? each : [] }, names);
  if (isList) return { url, events: each, rest, details };
  const message = events === undefined ? 'is required' : 'must be a list';
  return {
    url,
    events: each,
    rest,
    details: [...details.filter(({ field }) => field === urlField), { field: eventsField, message }],
  };
}

function check(
  { url, events }: { url: unknown; events: readonly unknown[] },
  [urlField, eventsField]: readonly [string, string],
): Detail[] {
  const details: Detail[] = [];
  if (typeof url !== 'string' || !isWebAddress(url))
    details.push({
      field: urlField,
      message: url === undefined ? 'is required' : 'must be an http(s) address',
    });
  if (events.length === 0 || !events.every((name) => typeof name === 'string' && EVENT_NAME.test(name)))
    details.push({
      field: eventsField,
      message: events[0] === undefined ? 'is required' : 'must name events',
    });
  return details;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The two names stand as the registration has to write them, in whatever case the rest is. */
export function showWebhook(
  service: Service,
  { url, events }: { url: string; events: readonly string[] },
): Custom {
  const template = service.learned?.facts.webhook;
  if (template) return showByTemplate(template, { url, event: events });
  const [urlField, eventsField] = fieldNames(service);
  return { [urlField]: url, [eventsField]: eventsField === 'event' ? events.join(',') : events };
}

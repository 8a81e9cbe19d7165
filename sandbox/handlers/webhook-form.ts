import { parseByTemplate, renderByTemplate } from '../learned/template-form.ts';
import type { FieldError } from '../refusal.ts';
import type { Service } from '../service.ts';
import type { Custom } from '../state/records.ts';

const EVENT_NAME = /^(\*|[a-z_]+(\.[a-z_]+)*(\.\*)?)$/;

/** What a registration says, under whatever names. */
export interface WebhookFields {
  readonly url: unknown;
  readonly events: readonly unknown[];
  readonly rest: Custom;
  /** What is wrong with it. */
  readonly details: readonly FieldError[];
}

/** §6: the body is not shown; the profile names the two fields, such as `url` and `events`. */
function getFieldNames({ profile }: Service): [string, string] {
  const [url = 'url', events = 'events'] = profile.webhookBody.split('+');
  return [url, events];
}

export function parseWebhook(service: Service, fields: Custom): WebhookFields {
  const template = service.serviceProfile?.facts.webhook;
  if (template) {
    const { found, missing, rest } = parseByTemplate(template, fields);
    const [url, events] = [found.get('url'), found.get('event')];
    const fieldErrors =
      missing.length > 0 ? missing : validateFields({ url, events: [events].flat() }, ['url', 'events']);
    return { url, events: [events].flat(), rest, details: fieldErrors };
  }
  const names = getFieldNames(service);
  const [urlField, eventsField] = names;
  const { [urlField]: url, [eventsField]: events, ...rest } = fields;
  const isSingle = eventsField === 'event';
  const eventList = Array.isArray(events) && !isSingle ? events : [events];
  const isList = isSingle || Array.isArray(events);
  const details = validateFields({ url, events: isList ? eventList : [] }, names);
  if (isList) return { url, events: eventList, rest, details };
  const message = events === undefined ? 'is required' : 'must be a list';
  return {
    url,
    events: eventList,
    rest,
    details: [...details.filter(({ field }) => field === urlField), { field: eventsField, message }],
  };
}

function validateFields(
  { url, events }: { url: unknown; events: readonly unknown[] },
  [urlField, eventsField]: readonly [string, string],
): FieldError[] {
  const details: FieldError[] = [];
  if (typeof url !== 'string' || !isHttpUrl(url))
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

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The two names stand as the registration has to write them, in whatever case the rest is. */
export function renderWebhook(
  service: Service,
  { url, events }: { url: string; events: readonly string[] },
): Custom {
  const template = service.serviceProfile?.facts.webhook;
  if (template) return renderByTemplate(template, { url, event: events });
  const [urlField, eventsField] = getFieldNames(service);
  return { [urlField]: url, [eventsField]: eventsField === 'event' ? events.join(',') : events };
}

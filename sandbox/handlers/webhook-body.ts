import { fillTemplate } from '../../src/profile/body-template.ts';
import type { FieldError } from '../base/rejection.ts';
import type { CustomFields } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import { parseByTemplate } from './body-template.ts';

const EVENT_NAME = /^(\*|[a-z_]+(\.[a-z_]+)*(\.\*)?)$/;

/**
 * §6: the request body is unspecified. It is a learned template, or the two fields of a setting such as `url+events`.
 */
function getTemplate({ serviceProfile, profile }: Service): CustomFields {
  const [url = 'url', events = 'events'] = profile.webhookBody.split('+');
  return serviceProfile?.facts.webhook ?? { [url]: '{url}', [events]: events === 'event' ? '{event}' : ['{event}'] };
}

/** Parses the fields of a registration; `details` lists the missing and invalid ones. */
export function parseWebhook(service: Service, fields: CustomFields) {
  const template = getTemplate(service);
  const { found, missing, rest } = parseByTemplate(template, fields);
  const [url, event] = [found.get('url'), found.get('event')];
  const events = [event].flat();
  const nameOf = (place: string) =>
    Object.keys(template).find((name) => JSON.stringify(template[name]).includes(`{${place}}`)) ?? place;
  const wrong: FieldError[] = [];
  if (url !== undefined && !isWebAddress(String(url)))
    wrong.push({ field: nameOf('url'), message: 'must be an http(s) URL' });
  if (event !== undefined && !events.every((name) => typeof name === 'string' && EVENT_NAME.test(name)))
    wrong.push({ field: nameOf('event'), message: 'must list events' });
  return { url, events, rest, details: [...missing, ...wrong] };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Returns the fields of a registration under the names of its request. */
export function renderWebhook(
  service: Service,
  { url, events }: { url: string; events: readonly string[] },
): CustomFields {
  return fillTemplate(getTemplate(service), { url, event: events }, []) ?? {};
}

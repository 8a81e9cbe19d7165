import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { RECORD_FIELDS, VISIT_ID_FIELDS } from '../../src/assumptions/index.ts';
import { createZapClient } from '../platform/client.ts';
import {
  type Client,
  getTextField,
  getValueAtPath,
  idOf,
  isObject,
  type JsonObject,
  toIsoTime,
} from '../platform/core.ts';
import { explain } from '../platform/errors.ts';
import { sortNewestFirst } from '../triggers/list-trigger.ts';
import { link } from './link.ts';
import { askPage } from './pages.ts';
import { readRecord } from './record.ts';

/** Links whose visits are offered where the form names none: a drop-down costs three requests at most. */
const LINKS = 2;
const OFFERED = 100;

/** Every visit that an entry of a link's visitors names, oldest first; where it names none, it may itself be one (§4). */
export function getVisitIds(visitor: JsonObject): string[] {
  for (const name of VISIT_ID_FIELDS) {
    const value = getValueAtPath(visitor, name);
    if (Array.isArray(value)) {
      const ids = value.flatMap((one) => (isObject(one) ? (idOf(one, 'visit') ?? []) : String(one)));
      if (ids.length > 0) return ids;
    } else if (typeof value === 'string' || (typeof value === 'number' && name !== 'visits')) {
      if (value !== '') return [String(value)];
    }
  }
  const own = idOf(visitor, 'visit');
  return own === undefined ? [] : [own];
}

/** A drop-down of visits by person and time, of the link that the form names, else of the newest links. */
export const visitField: PlainInputField = {
  key: 'visit',
  label: 'Visit',
  type: 'string',
  required: true,
  choices: { perform: listVisits },
  helpText: 'The visit to look at, from the list or from a Link Viewed trigger.',
};

async function listVisits(z: ZObject, bundle: Bundle) {
  try {
    const client = createZapClient(z, bundle.authData);
    const { link: chosen } = bundle.inputData;
    const links = typeof chosen === 'string' && chosen !== '' ? [chosen] : await newestLinks(client);
    const visits = await Promise.all(links.map((id) => fetchLinkVisits(client, id)));
    return { results: visits.flat().slice(0, OFFERED), paging_token: null };
  } catch (error) {
    throw explain(z, error);
  }
}

async function newestLinks(client: Client): Promise<string[]> {
  const { items } = await askPage((query, options) => client.links.list(query, options));
  return sortNewestFirst(items.map((item) => readRecord(link, item)))
    .slice(0, LINKS)
    .map(({ id }) => id);
}

async function fetchLinkVisits(client: Client, id: string): Promise<{ id: string; label: string }[]> {
  const page = await client.analytics.visitors({ id });
  return page.items.flatMap((visitor) => {
    const who = getTextField(visitor, [...RECORD_FIELDS.visitorEmail, 'name']) ?? 'Somebody unknown';
    const at = toIsoTime(getTextField(visitor, RECORD_FIELDS.viewedAt))?.slice(0, 16).replace('T', ' ');
    const ids = getVisitIds(visitor);
    return ids.map((visit, index) => {
      const which = ids.length > 1 ? `, visit ${index + 1} of ${ids.length}` : '';
      return { id: visit, label: `${who}${which}${at === undefined ? '' : ` (last seen ${at})`}` };
    });
  });
}

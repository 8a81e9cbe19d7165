import type { PlainInputField } from 'zapier-platform-core';
import { RECORD_FIELDS, VISIT_ID_FIELDS } from '../../src/assumptions/index.ts';
import {
  type Client,
  getTextField,
  getValueAtPath,
  idOf,
  isObject,
  type JsonObject,
  toIsoTime,
} from '../platform/client-core.ts';
import { formatLocalTime } from '../platform/local-time.ts';
import { type StepContext, withClient } from '../platform/with-client.ts';
import { type Choice, toChoiceList } from './choice-names.ts';
import { link } from './kinds.ts';
import { fetchPage, getListFunction, sortNewestFirst } from './read-list.ts';
import { toFlatRecord } from './record-kind.ts';

/** Links whose visits are offered if the form has no link: the list costs at most three requests. */
const MAX_LINKS = 2;
const MAX_CHOICES = 100;

/** Visits in an entry of a link's visitors, oldest first; an entry without any may itself be a visit (§4). */
export function getVisitIds(visitor: JsonObject): string[] {
  for (const name of VISIT_ID_FIELDS) {
    const value = getValueAtPath(visitor, name);
    if (Array.isArray(value)) {
      const ids = value.flatMap((entry) => (isObject(entry) ? (idOf(entry, 'visit') ?? []) : String(entry)));
      if (ids.length > 0) return ids;
    } else if (typeof value === 'string' || (typeof value === 'number' && name !== 'visits')) {
      if (value !== '') return [String(value)];
    }
  }
  const ownId = idOf(visitor, 'visit');
  return ownId === undefined ? [] : [ownId];
}

/** Drop-down list of visits of the chosen link, or of the newest links. */
export const visitField: PlainInputField = {
  key: 'visit',
  label: 'Visit',
  type: 'string',
  required: true,
  choices: { perform: withClient(fetchVisitChoices) },
  helpText: 'Choose a visit, or map the Visit ID from a Link Viewed trigger.',
};

async function fetchVisitChoices({ client, bundle, input }: StepContext<JsonObject>) {
  const { link: linkId } = input;
  const links = typeof linkId === 'string' ? [linkId] : await fetchNewestLinkIds(client);
  const visits = await Promise.all(links.map((id) => fetchLinkVisits(client, { id, zone: bundle.meta?.timezone })));
  return toChoiceList(visits.flat().slice(0, MAX_CHOICES));
}

async function fetchNewestLinkIds(client: Client): Promise<string[]> {
  const { items } = await fetchPage(getListFunction(link, client));
  const records = items.map((item) => toFlatRecord(link, item));
  return sortNewestFirst(records, ({ created_at }) => created_at)
    .slice(0, MAX_LINKS)
    .map(({ id }) => id);
}

async function fetchLinkVisits(
  client: Client,
  { id, zone }: { id: string; zone: string | null | undefined },
): Promise<Choice[]> {
  const page = await client.analytics.visitors({ id });
  return page.items.flatMap((visitor) => {
    const visitorName = getTextField(visitor, [...RECORD_FIELDS.visitorEmail, 'name']) ?? 'Unknown visitor';
    const lastSeenAt = toIsoTime(getTextField(visitor, RECORD_FIELDS.viewedAt));
    const ids = getVisitIds(visitor);
    return ids.map((visit, index) => {
      const ordinal = ids.length > 1 ? `, visit ${index + 1} of ${ids.length}` : '';
      return {
        id: visit,
        name: `${visitorName}${ordinal}${lastSeenAt === undefined ? '' : ` (last seen ${formatLocalTime(lastSeenAt, zone)})`}`,
      };
    });
  });
}

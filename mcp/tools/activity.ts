import { z } from 'zod';
import { METRIC_FIELDS, RECORD_FIELDS, ROOM_FIELD, SIGNER_FIELDS } from '../../src/assumptions/index.ts';
import type { OperationName } from '../../src/index.ts';
import { getName, getTextField, type JsonObject, toIsoTime } from '../../src/records/fields.ts';
import { ACTIVITY_TIME_PATTERN } from '../assumptions.ts';
import { parsePeriod } from '../result/period.ts';
import { withIdAndName } from '../result/projection.ts';
import { clipText } from '../result/quote.ts';
import { redactSecretFields } from '../result/redact-secrets.ts';
import { findMatch, normalizeForSearch } from '../result/search-rank.ts';
import { countItemsInBudget } from '../result/token-budget.ts';
import { Limit, text, textList } from '../tool/arguments.ts';
import { defineTool, getResourceNoun, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { formatPerson, getEmailOrName, getRecipients } from './describe-object.ts';
import {
  findMatchingItems,
  getReference,
  readAllForReport,
  readMatchingItems,
  withReadLimits,
} from './object-lookup.ts';
import { getState } from './object-state.ts';
import { readEachInTime } from './read-in-time.ts';

const OPERATIONS: readonly [OperationName, ...OperationName[]] = [
  'links.list',
  'rooms.list',
  'agreements.list',
  'proposals.list',
  'analytics.visitors',
];
/** Visits of rooms are those of their links. */
const GROUPS: readonly string[] = ['links', 'agreements', 'proposals'];
const DEFAULT_LIMIT = 50;
const DEFAULT_DAYS = 7;
const DAY_MS = 86_400_000;
/** A visit is recorded when it ends, with the time when it began. */
const OVERLAP_MS = 10 * 60_000;
const MAX_LINKS = 60;
const MAX_RECIPIENTS = 5;

interface Activity {
  /** ISO 8601. */
  readonly at: string;
  readonly what: string;
  readonly [detail: string]: unknown;
}

interface Filter {
  readonly who: string | undefined;
  hasPerson(...texts: readonly (string | undefined)[]): boolean;
  hasId(item: JsonObject, resource: string): boolean;
}

/** Everything that happened since a time over all links, rooms, agreements and proposals, newest first. */
export const activity = defineTool({
  name: 'activity',
  title: 'Activity',
  description:
    'Lists what happened, newest first: visits of links and rooms, and who viewed, signed, accepted or declined what. "not_read" names what is missing. Visits of deleted links are lost.',
  operations: OPERATIONS,
  spans: 'groups',
  inputSchema: z.strictObject({
    since: text('Date (YYYY-MM-DD, UTC) or time. Default: the last complete call, or 7 days ago.').optional(),
    who: text('Part of a name or email.').optional(),
    id: text('ID of one object.').optional(),
    groups: textList('links, agreements or proposals.').optional(),
    limit: Limit.optional(),
  }),
  outputSchema: { type: 'object', properties: { items: { type: 'array' } }, required: ['items'] },
  async handler(context, { since, who, id, groups = [], limit = DEFAULT_LIMIT }) {
    const isRead = checkGroups(groups);
    const until = new Date().toISOString();
    const isFiltered = who !== undefined || id !== undefined;
    const filter: Filter = {
      who,
      hasPerson: (...texts) =>
        who === undefined || texts.some((one) => normalizeForSearch(one ?? '').includes(normalizeForSearch(who))),
      hasId: (item, resource) =>
        id === undefined ||
        [
          withIdAndName(item, resource)['id'],
          getReference(item, ROOM_FIELD),
          getReference(item, 'document_id'),
        ].includes(id),
    };
    const isFirst = since === undefined && !isFiltered && groups.length === 0;
    // Each sign-in receives what is new since its own last call.
    const lastCallName = ['activity', context.signIn ?? []].flat().join(' ');
    const last = isFirst ? await context.memory.get(lastCallName) : undefined;
    const start =
      last === undefined
        ? (parsePeriod({ since: since ?? toTime(isFiltered ? 0 : Date.now() - DEFAULT_DAYS * DAY_MS) }).from ?? 0)
        : Date.parse(last) - OVERLAP_MS;
    const notRead: string[] = [];
    const failures: unknown[] = [];
    const found = await Promise.all([
      isRead('links') ? readVisits(context, { start, filter, notRead, failures }) : [],
      ...(['agreements', 'proposals'] as const)
        .filter(isRead)
        .map((group) => readDeals(context, group, { filter, notRead, failures })),
    ]);
    const enabled = GROUPS.filter(
      (group) => isRead(group) && context.mode.readableGroups.some((name) => name === group),
    );
    const isNothingRead = failures.length > 0 && failures.length >= enabled.length;
    if (isNothingRead && found.flat().length === 0) throw failures[0];
    const items = found
      .flat()
      .filter(({ at }) => Date.parse(at) >= start)
      .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
      .slice(0, 1000);
    const shown = items.slice(0, Math.min(limit, countItemsInBudget(items)));
    const isComplete = shown.length === items.length && notRead.length === 0;
    if (isComplete && isFirst) await context.memory.set(lastCallName, until);
    return {
      data: {
        since: toTime(start),
        until,
        items: shown,
        ...(items.length > shown.length ? { remaining: items.length - shown.length } : {}),
        ...(notRead.length > 0 ? { not_read: notRead } : {}),
      },
      trustedFields: ['since', 'until', 'not_read', 'items.what'],
    };
  },
});

/** @throws ToolError for a group that has no activity */
function checkGroups(groups: readonly string[]): (group: string) => boolean {
  const unknown = groups.find((group) => !GROUPS.includes(group));
  if (unknown !== undefined)
    throw new ToolError(
      'invalid_arguments',
      `groups: ${JSON.stringify(unknown.slice(0, 64))} has no activity. Available: ${GROUPS.join(', ')}.`,
    );
  return (group) => groups.length === 0 || groups.includes(group);
}

const toTime = (at: number) => new Date(at).toISOString();

/** Visits of all links, of those with the latest changes first. */
async function readVisits(
  context: ToolContext,
  { start, filter, notRead, failures }: { start: number; filter: Filter; notRead: string[]; failures: unknown[] },
): Promise<readonly Activity[]> {
  const { client, options, mode, progress } = context;
  if (!['links', 'analytics'].every((group) => mode.readableGroups.some((name) => name === group))) {
    notRead.push('visits of links and rooms (links or analytics are not enabled)');
    return [];
  }
  const {
    items,
    isComplete,
    failure: listFailure,
  } = await findMatchingItems(context, { group: 'links', matches: (link) => filter.hasId(link, 'link') });
  if (listFailure !== undefined) failures.push(listFailure);
  if (!isComplete) notRead.push(`links after the first ${items.length}`);
  const mayHaveVisits = (link: JsonObject) => {
    const last = toIsoTime(getTextField(link, METRIC_FIELDS.lastViewedAt));
    return getTextField(link, METRIC_FIELDS.views) !== '0' && (last === undefined || Date.parse(last) >= start);
  };
  const links = items
    .map((item) => withIdAndName(item, 'link'))
    .filter(mayHaveVisits)
    .toSorted((a, b) => getChangedAt(b) - getChangedAt(a));
  const visits: Activity[] = [];
  let read = 0;
  const failure = await readEachInTime(context, links.slice(0, MAX_LINKS), async (link) => {
    const id = String(link['id']);
    const visitors = await readMatchingItems(
      client.analytics.visitors({ id }, withReadLimits(options)),
      options.signal,
    );
    if (visitors.failure !== undefined && visitors.items.length === 0) throw visitors.failure;
    if (!visitors.isComplete) notRead.push(`further visitors of ${id}`);
    for (const visitor of visitors.items) visits.push(...toVisit(link, visitor, { start, filter }));
    read += 1;
    progress.step(read, links.length, `read ${read} of ${links.length} links`);
  });
  const rest = links.length - read;
  if (rest > 0)
    notRead.push(`visits of ${rest} of ${links.length} links${failure === undefined ? '' : ` (${failure})`}`);
  return visits;
}

function getChangedAt(item: JsonObject): number {
  const fields = [...METRIC_FIELDS.lastViewedAt, ...RECORD_FIELDS.updatedAt, 'created_at'];
  return Date.parse(toIsoTime(getTextField(item, fields)) ?? '') || 0;
}

function toVisit(
  link: JsonObject,
  visitor: JsonObject,
  { start, filter }: { start: number; filter: Filter },
): Activity[] {
  const clean = redactSecretFields(visitor);
  const at = toIsoTime(getTextField(clean, [...METRIC_FIELDS.lastViewedAt, ...RECORD_FIELDS.viewedAt]));
  const [email, name] = [RECORD_FIELDS.visitorEmail, SIGNER_FIELDS.name].map((names) => getTextField(clean, names));
  if (at === undefined || !filter.hasPerson(email, name)) return [];
  const first = toIsoTime(getTextField(clean, METRIC_FIELDS.firstViewedAt));
  const seconds = getTextField(clean, METRIC_FIELDS.totalSeconds);
  const visits = getTextField(clean, METRIC_FIELDS.visitCount);
  const who = email ?? name;
  const roomId = getReference(link, ROOM_FIELD);
  return [
    {
      ...{ at, what: 'viewed', who: who === undefined ? 'anonymous' : clipText(who) },
      ...describe(link, 'link'),
      ...(roomId === undefined ? {} : { room_id: roomId }),
      ...(start > 0 && first !== undefined && Date.parse(first) >= start ? { is_new: true } : {}),
      ...(visits === undefined ? {} : { visits: Number(visits) }),
      ...(seconds === undefined ? {} : { total_seconds: Number(seconds) }),
    },
  ];
}

function describe(item: JsonObject, resource: string): JsonObject {
  const { id, name } = withIdAndName(item, resource);
  return { [resource]: clipText(String(name ?? item['url'] ?? '')), [`${resource}_id`]: id };
}

/** Times of agreements or proposals and of their recipients. */
async function readDeals(
  context: ToolContext,
  group: 'agreements' | 'proposals',
  { filter, ...missing }: { filter: Filter; notRead: string[]; failures: unknown[] },
): Promise<readonly Activity[]> {
  const resource = getResourceNoun(group);
  const items = (await readAllForReport(context, group, missing)).filter((item) => filter.hasId(item, resource));
  return items.flatMap((item) => toDealActivity(redactSecretFields(item), { resource, filter }));
}

function toDealActivity(
  item: JsonObject,
  { resource, filter }: { resource: string; filter: Filter },
): readonly Activity[] {
  const object = describe(item, resource);
  const people = getRecipients(item);
  const isMeant = (person: JsonObject) => filter.hasPerson(getEmailOrName(person), getName(person));
  // The service may show its recipients in another way.
  const isNamed = people.length === 0 && filter.who !== undefined && findMatch(item, filter.who, resource);
  if (!filter.hasPerson() && !people.some(isMeant) && !isNamed) return [];
  const recipients = people.slice(0, MAX_RECIPIENTS).map(formatPerson);
  const about = { ...(recipients.length > 0 ? { recipients } : {}), ...object };
  const times = (from: JsonObject) =>
    Object.entries(from).flatMap(([field, value]) => {
      const what = ACTIVITY_TIME_PATTERN.exec(field)?.[1]?.toLowerCase();
      const at = typeof value === 'string' || typeof value === 'number' ? toIsoTime(value) : undefined;
      return what === undefined || at === undefined ? [] : [{ at, what }];
    });
  const own = times(item).map((entry) => ({ ...entry, ...about }));
  const byPeople = people
    .filter(isMeant)
    .flatMap((person) => times(person).map((entry) => ({ ...entry, who: formatPerson(person), ...object })));
  // The state that ended it may have no separate time.
  const state = getState(item);
  const changedAt = toIsoTime(getTextField(item, RECORD_FIELDS.updatedAt));
  const isTimed = [...own, ...byPeople].some(({ what }) => what === state);
  const ending = /^(?:declin|reject|void|cancel|expir)/.test(state ?? '') && !isTimed && changedAt !== undefined;
  return [...own, ...byPeople, ...(ending ? [{ at: changedAt, what: state ?? '', ...about }] : [])];
}

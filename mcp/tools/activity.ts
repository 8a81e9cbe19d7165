import { z } from 'zod';
import { METRIC_FIELDS, RECIPIENT_FIELDS, RECORD_FIELDS, SIGNER_FIELDS } from '../../src/assumptions/index.ts';
import type { OperationName } from '../../src/index.ts';
import { getField, getTextField, isObject, type JsonObject, toIsoTime } from '../../src/records/fields.ts';
import { ACTIVITY_TIMES } from '../assumptions.ts';
import { getFailureCode } from '../result/describe-failure.ts';
import { parsePeriod } from '../result/period.ts';
import { clipText, withIdAndName } from '../result/projection.ts';
import { redactSecretFields } from '../result/redact-secrets.ts';
import { countFitting } from '../result/token-budget.ts';
import { Limit, text } from '../tool/arguments.ts';
import { defineTool, getResource, type ToolContext } from '../tool/tool.ts';
import { formatPerson } from './describe-object.ts';
import { findAllInList, readForReport } from './object-preview.ts';
import { getState } from './object-state.ts';

const OPERATIONS: readonly [OperationName, ...OperationName[]] = [
  'links.list',
  'rooms.list',
  'agreements.list',
  'proposals.list',
  'analytics.visitors',
];
const DEFAULT_LIMIT = 50;
const DEFAULT_DAYS = 7;
const DAY_MS = 86_400_000;
/** A visit is recorded when it ends, with the time when it began. */
const OVERLAP_MS = 10 * 60_000;
const MAX_LINKS = 60;
const MAX_WAIT_MS = 3000;
const READ_TIMEOUT_MS = 20_000;
const LAST_CALL = 'activity';

interface Activity {
  /** ISO 8601. */
  readonly at: string;
  readonly what: string;
  readonly [detail: string]: unknown;
}

/** Everything that happened since a time over all links, rooms, agreements and proposals, newest first. */
export const activity = defineTool({
  name: 'activity',
  title: 'Activity',
  description:
    'Tells what happened since a time, or since the last call: visits of all links and rooms, sendings, views, signatures, acceptances and refusals, newest first. "not_read" names what is missing; visits of deleted links are gone.',
  operations: OPERATIONS,
  spans: 'groups',
  inputSchema: z.strictObject({
    since: text('Date (YYYY-MM-DD, UTC) or time. Default: the last complete call, or 7 days ago.').optional(),
    limit: Limit.optional(),
  }),
  outputSchema: { type: 'object', properties: { items: { type: 'array' } }, required: ['items'] },
  async handler(context, { since, limit = DEFAULT_LIMIT }) {
    const until = new Date().toISOString();
    const last = since === undefined ? await context.memory.get(LAST_CALL) : undefined;
    const start =
      last === undefined
        ? (parsePeriod({ since: since ?? toTime(Date.now() - DEFAULT_DAYS * DAY_MS) }).from ?? 0)
        : Date.parse(last) - OVERLAP_MS;
    const notRead: string[] = [];
    const failures: unknown[] = [];
    const found = await Promise.all([
      readVisits(context, { start, notRead, failures }),
      ...(['agreements', 'proposals'] as const).map((group) => readDeals(context, group, { notRead, failures })),
    ]);
    if (failures.length > 0 && found.flat().length === 0) throw failures[0];
    const items = found
      .flat()
      .filter(({ at }) => Date.parse(at) >= start)
      .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
      .slice(0, 1000);
    const shown = items.slice(0, Math.min(limit, countFitting(items)));
    const isComplete = shown.length === items.length && notRead.length === 0;
    if (isComplete && since === undefined) await context.memory.set(LAST_CALL, until);
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

const toTime = (at: number) => new Date(at).toISOString();

/** Visits of all links, of those with the latest changes first. */
async function readVisits(
  context: ToolContext,
  { start, notRead, failures }: { start: number; notRead: string[]; failures: unknown[] },
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
  } = await findAllInList(context, { group: 'links', matches: () => true });
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
  const deadline = Date.now() + READ_TIMEOUT_MS;
  const queue = links.slice(0, MAX_LINKS);
  const visits: Activity[] = [];
  let read = 0;
  let failure: string | undefined;
  const worker = async () => {
    for (let link = queue.shift(); link; link = queue.shift()) {
      if (failure !== undefined || client.expectedWaitMs() > MAX_WAIT_MS || Date.now() > deadline) return;
      try {
        const id = String(withIdAndName(link, 'link')['id']);
        const page = await client.analytics.visitors({ id }, options);
        if (page.cursor || !page.complete) notRead.push(`further visitors of ${id}`);
        for (const visitor of page.items) visits.push(...toVisit(link, visitor, start));
        read += 1;
        progress.step(read, links.length, `read ${read} of ${links.length} links`);
      } catch (error) {
        options.signal?.throwIfAborted();
        failure = getFailureCode(error);
      }
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  const rest = links.length - read;
  if (rest > 0)
    notRead.push(`visits of ${rest} of ${links.length} links${failure === undefined ? '' : ` (${failure})`}`);
  return visits;
}

function getChangedAt(item: JsonObject): number {
  const fields = [...METRIC_FIELDS.lastViewedAt, ...RECORD_FIELDS.updatedAt, 'created_at'];
  return Date.parse(toIsoTime(getTextField(item, fields)) ?? '') || 0;
}

function toVisit(link: JsonObject, visitor: JsonObject, start: number): Activity[] {
  const clean = redactSecretFields(visitor, []) as JsonObject;
  const at = toIsoTime(getTextField(clean, [...METRIC_FIELDS.lastViewedAt, ...RECORD_FIELDS.viewedAt]));
  if (at === undefined) return [];
  const first = toIsoTime(getTextField(clean, METRIC_FIELDS.firstViewedAt));
  const seconds = getTextField(clean, METRIC_FIELDS.totalSeconds);
  const visits = getTextField(clean, METRIC_FIELDS.visitCount);
  const who = getTextField(clean, RECORD_FIELDS.visitorEmail) ?? getTextField(clean, SIGNER_FIELDS.name);
  return [
    {
      ...{ at, what: 'viewed', who: who === undefined ? 'anonymous' : clipText(who) },
      ...describe(link, 'link'),
      ...(typeof getField(link, 'room_id') === 'string' ? { room_id: getField(link, 'room_id') } : {}),
      ...(first !== undefined && Date.parse(first) >= start ? { is_new: true } : {}),
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
  missing: { notRead: string[]; failures: unknown[] },
): Promise<readonly Activity[]> {
  const items = await readForReport(context, group, missing);
  return items.flatMap((item) => toDealActivity(redactSecretFields(item, []) as JsonObject, getResource(group)));
}

function toDealActivity(item: JsonObject, resource: string): readonly Activity[] {
  const object = describe(item, resource);
  const people = RECIPIENT_FIELDS.flatMap((field) => (Array.isArray(item[field]) ? item[field].filter(isObject) : []));
  const times = (from: JsonObject) =>
    Object.entries(from).flatMap(([field, value]) => {
      const what = ACTIVITY_TIMES.exec(field)?.[1]?.toLowerCase();
      const at = typeof value === 'string' || typeof value === 'number' ? toIsoTime(value) : undefined;
      return what === undefined || at === undefined ? [] : [{ at, what }];
    });
  const own = times(item).map((entry) => ({ ...entry, ...object }));
  const byPeople = people.flatMap((person) =>
    times(person).map((entry) => ({ ...entry, who: formatPerson(person), ...object })),
  );
  // The state that ended it may have no separate time.
  const state = getState(item);
  const changedAt = toIsoTime(getTextField(item, RECORD_FIELDS.updatedAt));
  const isTimed = [...own, ...byPeople].some(({ what }) => what === state);
  const ending = /^(?:declin|reject|void|cancel|expir)/.test(state ?? '') && !isTimed && changedAt !== undefined;
  return [...own, ...byPeople, ...(ending ? [{ at: changedAt, what: state ?? '', ...object }] : [])];
}

import { z } from 'zod';
import { findClosestMatch } from '../../src/did-you-mean.ts';
import { PermissionError } from '../../src/errors.ts';
import type { Group, OperationName } from '../../src/index.ts';
import { getField, getName, getTextField, idOf, type JsonObject } from '../../src/records/fields.ts';
import { ID_PATTERN, ID_PREFIXES } from '../assumptions.ts';
import { getFailureCode } from '../result/describe-failure.ts';
import { createListFilter } from '../result/list-filter.ts';
import { clipText } from '../result/quote.ts';
import { type FilteredPage, fetchFilteredPage, READ_TIMEOUT_MS, readFiltered } from '../result/read-filtered.ts';
import { redactSecretFields } from '../result/redact-secrets.ts';
import { findMatch, type SearchMatch } from '../result/search-rank.ts';
import { Limit, text, textList } from '../tool/arguments.ts';
import { defineTool, getGroup, getResourceNoun, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { createListSource } from './define-tools.ts';
import { getState } from './object-state.ts';

const DEFAULT_LIMIT = 20;
/** Requests of one search: half of those of a minute. */
const MAX_REQUESTS = 60;
const MAX_SECONDS = 10;
const MAX_WAIT_MS = 3000;
/** Maximum hits of one group that are ranked against the others. */
const MAX_HITS_PER_GROUP = 200;
/** Maximum hits of all groups that the service itself found, besides exact ones. */
const MAX_HITS = 2000;

export const LIST_OPERATIONS: readonly [OperationName, ...OperationName[]] = [
  'documents.list',
  'links.list',
  'rooms.list',
  'agreements.list',
  'proposals.list',
  'templates.list',
  'contacts.list',
];
/** Groups whose objects can be looked up. */
export const OBJECT_GROUPS: readonly Group[] = LIST_OPERATIONS.map(getGroup);

interface Hit {
  readonly match: SearchMatch;
  readonly group: Group;
  readonly item: JsonObject;
}

interface Search {
  readonly context: ToolContext;
  readonly text: string;
  readonly hits: Hit[];
  /** How much of each group was read, and why not more. */
  readonly searched: JsonObject;
  readonly skipped: JsonObject;
  /** Groups of which a later call gets no more. */
  readonly ended: Set<Group>;
  readonly failures: Map<Group, unknown>;
  readonly mayFetchNext: () => boolean;
}

/** Searches all groups of the toolset, best matches first, and says how much of each group was read. */
export const findObjects = defineTool({
  name: 'find',
  title: 'Find',
  description:
    'Finds documents, links, rooms, agreements, proposals, templates and contacts by name, email, company, tag, URL or ID. Best matches first.',
  operations: LIST_OPERATIONS,
  spans: 'groups',
  inputSchema: z.strictObject({
    text: text('Text to search for, at most 200 characters.'),
    groups: textList('Groups to search, such as ["documents", "links"]. Default: all.').optional(),
    limit: Limit.optional(),
  }),
  outputSchema: { type: 'object', properties: { items: { type: 'array' } }, required: ['items'] },
  async handler(context, { text: searchText, groups: requestedGroups, limit = DEFAULT_LIMIT }) {
    const groups = resolveGroups(requestedGroups, context);
    createListFilter({ match: searchText }, '', 'text');
    const [deadline, started] = [Date.now() + MAX_SECONDS * 1000, { requests: groups.length * 2 }];
    const search: Search = {
      ...{ context, text: searchText, hits: [], searched: {}, skipped: {}, ended: new Set(), failures: new Map() },
      mayFetchNext: () =>
        context.client.expectedWaitMs() <= MAX_WAIT_MS && Date.now() < deadline && ++started.requests <= MAX_REQUESTS,
    };
    const { hits, searched, skipped, failures } = search;
    const isExact = await findExact(search, groups);
    if (isExact) for (const group of groups) searched[group] ??= 'not read';
    if (failures.size === groups.length) throw failures.values().next().value;
    hits.sort(
      (first, second) =>
        first.match.rank - second.match.rank || groups.indexOf(first.group) - groups.indexOf(second.group),
    );
    // Another call would not get more of an incomplete list, and an ID has no other match.
    const isById = hits.some(({ match }) => match.rank === 0 && match.field === 'id');
    const partlyRead = groups.filter((group) => typeof searched[group] === 'string' && !search.ended.has(group));
    const found = isExact ? 'An exact match was found; there may be others.' : 'Some groups were not read completely.';
    const next = `${found} To search further, use match with ${partlyRead.map((group) => `list_${group}`).join(', ')}.`;
    return {
      data: {
        items: hits.slice(0, limit).map(toHitItem),
        ...(hits.length > limit ? { remaining: hits.length - limit } : {}),
        searched: orderByGroup(searched, groups),
        ...(Object.keys(skipped).length > 0 ? { skipped: orderByGroup(skipped, groups) } : {}),
        ...(isById || partlyRead.length === 0 ? {} : { next }),
      },
      trustedFields: ['next', ...groups.flatMap((group) => [`searched.${group}`, `skipped.${group}`])],
    };
  },
});

/** Searches until an exact match is found: by ID, then as the service filters, then in the lists themselves. */
async function findExact(search: Search, groups: readonly Group[]): Promise<boolean> {
  const { hits, text: searchText } = search;
  const isFound = () => hits.some(({ match }) => match.rank === 0);
  const mayBeId = ID_PATTERN.test(searchText.trim());
  const likely = mayBeId
    ? groups.filter((group) => ID_PREFIXES[group as keyof typeof ID_PREFIXES]?.test(searchText))
    : [];
  if (mayBeId) await readById(search, likely.length > 0 ? likely : groups);
  if (isFound()) return true;
  const filtered = new Map<Group, FilteredPage>();
  for (const some of likely.length > 0 ? [likely, groups] : [groups]) {
    await readEach(
      search,
      some.filter((group) => !filtered.has(group)),
      async (group) => {
        const page = await askService(search, group);
        if (page) filtered.set(group, page);
      },
    );
    if (isFound()) return true;
  }
  hits.length = 0;
  await readEach(search, groups, (group) => readGroup(search, { group, prefetched: filtered.get(group) }));
  return false;
}

/** Reads documents and templates directly, because the service has routes for them. */
async function readById({ context, text: id, hits, searched }: Search, groups: readonly Group[]): Promise<void> {
  const { client, options } = context;
  const readers = (['documents', 'templates'] as const).filter((group) => groups.includes(group));
  await Promise.all(
    readers.map(async (group) => {
      const item = await client[group].get({ id: id.trim() }, options).catch((error: unknown) => {
        if (options.signal?.aborted) throw error;
        return undefined;
      });
      if (idOf(item, getResourceNoun(group)) !== id.trim()) return;
      hits.push({ match: { rank: 0, field: 'id' }, group, item: item as JsonObject });
      searched[group] = 'read by its ID';
    }),
  );
}

/** Runs a step for each group at once, and records those that fail. */
async function readEach(
  { context, failures, skipped }: Search,
  groups: readonly Group[],
  read: (group: Group) => Promise<void>,
): Promise<void> {
  await Promise.all(
    groups
      .filter((group) => !failures.has(group))
      .map((group) =>
        read(group).catch((error: unknown) => {
          if (context.options.signal?.aborted) throw error;
          failures.set(group, error);
          skipped[group] = describeSkip(error);
        }),
      ),
  );
}

/** Adds the matches among what the service itself finds. */
async function askService(
  { context, text: match, hits, searched }: Search,
  group: Group,
): Promise<FilteredPage | undefined> {
  const source = createGroupSource(context, group);
  const filtered = await fetchFilteredPage(source, createListFilter({ match }, source.resource));
  for (const item of filtered?.page.items ?? []) {
    const clean = redactSecretFields(item);
    const found = findMatch(clean, match, source.resource);
    if (found && (found.rank === 0 || hits.length < MAX_HITS)) hits.push({ match: found, group, item: clean });
  }
  if (!filtered) return undefined;
  const { items, complete, cursor } = filtered.page;
  const isWhole = complete && cursor === undefined;
  // A service that ignores the text has returned its list.
  const isFiltered = items.every((item) => findMatch(item, match, source.resource) !== undefined);
  searched[group] = isWhole && !isFiltered ? items.length : `${items.length} that the service found`;
  return filtered;
}

function createGroupSource(context: ToolContext, group: Group) {
  const options = { ...context.options, deadlineMs: READ_TIMEOUT_MS, maxWaitMs: MAX_WAIT_MS };
  return createListSource({ ...context, options }, `${group}.list` as OperationName);
}

async function readGroup(
  search: Search,
  { group, prefetched }: { group: Group; prefetched: FilteredPage | undefined },
): Promise<void> {
  const { context, text: match, hits, searched, skipped } = search;
  const source = createGroupSource(context, group);
  let hitCount = 0;
  const { read, total, by, end } = await readFiltered(source, {
    filter: createListFilter({ match }, source.resource),
    query: {},
    prefetched,
    limits: {
      maxPages: MAX_REQUESTS,
      accept(item) {
        hitCount += 1;
        if (hitCount > MAX_HITS_PER_GROUP) return false;
        hits.push({ match: findMatch(item, match, source.resource) ?? { rank: 4, field: 'name' }, group, item });
        return true;
      },
      mayFetchNext: search.mayFetchNext,
    },
  });
  const rest = total === undefined ? `${read} read, and there are more` : `${read} of ${total} read`;
  const part = by === 'service' ? `${read} that the service found, and there are more` : rest;
  searched[group] = end.kind === 'whole' && end.fromStart ? read : part;
  if (end.kind === 'paused' && end.failure !== undefined)
    skipped[group] = `after ${read}: ${describeSkip(end.failure)}`;
  if (end.kind !== 'incomplete') return;
  skipped[group] = `after ${read}: ${end.reason}`;
  search.ended.add(group);
}

/** @throws ToolError for a group that is unknown or not enabled. */
function resolveGroups(requestedGroups: readonly string[] | undefined, { mode }: ToolContext): readonly Group[] {
  const offered = OBJECT_GROUPS.filter((group) => mode.readableGroups.includes(group));
  if (requestedGroups === undefined || requestedGroups.length === 0) return offered;
  const unknown = requestedGroups.find((name) => !offered.some((group) => group === name));
  if (unknown !== undefined) throw createGroupError('groups', unknown, offered);
  return offered.filter((group) => requestedGroups.includes(group));
}

export function createGroupError(argument: string, unknown: string, offered: readonly Group[]): ToolError {
  const suggestion = findClosestMatch(unknown, offered);
  return new ToolError(
    'invalid_arguments',
    `${argument}: ${JSON.stringify(unknown.slice(0, 64))} is not available${suggestion ? `; did you mean "${suggestion}"?` : '.'} Available: ${offered.join(', ')}.`,
  );
}

/** A hit with its state, and the field that matched if it is not shown. */
function toHitItem({ group, item, match: { field } }: Hit): JsonObject {
  const resource = getResourceNoun(group);
  const id = idOf(item, resource);
  const name = getName(item, resource);
  const url = getTextField(item, ['url']);
  const email = getTextField(item, ['email']);
  const status = getState(item);
  const [document, gate] = group === 'links' ? ['document_id', 'email_required'].map((one) => getField(item, one)) : [];
  return {
    group,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined || name === url ? {} : { name: clipText(name) }),
    ...(url === undefined ? {} : { url }),
    ...(email === undefined || email === name ? {} : { email: clipText(email) }),
    ...(status === undefined ? {} : { status: clipText(status, 40) }),
    ...(document === undefined ? {} : { document_id: document }),
    ...(typeof gate === 'boolean' ? { email_required: gate } : {}),
    ...(/^(?:id|name|title|url|email)$/.test(field) && item[field] !== undefined
      ? {}
      : { matched: clipText(field, 40) }),
  };
}

function describeSkip(error: unknown): string {
  if (error instanceof PermissionError) return `the key lacks the scope ${error.scope}`;
  return getFailureCode(error);
}

function orderByGroup(entries: JsonObject, groups: readonly Group[]): JsonObject {
  return Object.fromEntries(groups.flatMap((group) => (group in entries ? [[group, entries[group]]] : [])));
}

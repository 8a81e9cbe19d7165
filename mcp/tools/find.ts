import { z } from 'zod';
import { closestMatch } from '../../src/did-you-mean.ts';
import { PermissionError } from '../../src/errors.ts';
import type { Group, OperationName } from '../../src/index.ts';
import { getName, getTextField, idOf, type JsonObject } from '../../src/records/fields.ts';
import { getFailureCode } from '../result/describe-failure.ts';
import { createListFilter } from '../result/list-filter.ts';
import { clipText } from '../result/projection.ts';
import { type FilteredRead, READ_TIMEOUT_MS, readFiltered } from '../result/read-filtered.ts';
import { type Rank, rankItem } from '../result/search-rank.ts';
import { Limit, text, textList } from '../tool/arguments.ts';
import { defineTool, getResource, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { createListSource } from './define-tools.ts';

const DEFAULT_LIMIT = 20;
const MAX_PAGES = 2;
const MAX_WAIT_MS = 3000;
/** Maximum hits of one group that are ranked against the others. */
const MAX_HITS_PER_GROUP = 200;

export const LIST_OPERATIONS: readonly [OperationName, ...OperationName[]] = [
  'documents.list',
  'links.list',
  'rooms.list',
  'agreements.list',
  'proposals.list',
  'templates.list',
  'contacts.list',
];
const GROUPS = LIST_OPERATIONS.map((name) => name.split('.')[0] as Group);

interface Hit {
  readonly rank: Rank;
  readonly group: Group;
  readonly item: JsonObject;
}

/** Searches all groups of the toolset, best matches first, and says how much of each group was read. */
export const findObjects = defineTool({
  name: 'find',
  title: 'Find',
  description:
    'Finds documents, links, rooms, agreements, proposals, templates and contacts by name, email, URL or ID. Best matches first.',
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
    const hits: Hit[] = [];
    const searched: JsonObject = {};
    const skipped: JsonObject = {};
    const failures: unknown[] = [];
    const ended = new Set<Group>();
    await Promise.all(
      groups.map(async (group) => {
        try {
          const { read, by, end } = await readGroup(context, { group, searchText, hits });
          const part = `${read} read${by === 'service' ? ' of those the service found' : ''}, there are more`;
          searched[group] = end.kind === 'whole' && end.fromStart ? read : part;
          if (end.kind === 'paused' && end.failure !== undefined)
            skipped[group] = `after ${read}: ${describeSkip(end.failure)}`;
          if (end.kind !== 'incomplete') return;
          skipped[group] = `after ${read}: ${end.reason}`;
          ended.add(group);
        } catch (error) {
          if (context.options.signal?.aborted) throw error;
          failures.push(error);
          skipped[group] = describeSkip(error);
        }
      }),
    );
    if (failures.length === groups.length) throw failures[0];
    hits.sort(
      (first, second) => first.rank - second.rank || groups.indexOf(first.group) - groups.indexOf(second.group),
    );
    // Another call would not get more of an incomplete list.
    const partlyRead = groups.filter((group) => typeof searched[group] === 'string' && !ended.has(group));
    return {
      data: {
        items: hits.slice(0, limit).map(toHitItem),
        ...(hits.length > limit ? { remaining: hits.length - limit } : {}),
        searched: orderByGroup(searched, groups),
        ...(Object.keys(skipped).length > 0 ? { skipped: orderByGroup(skipped, groups) } : {}),
        ...(partlyRead.length === 0
          ? {}
          : {
              next: `Some groups were not read completely. To search further, use match with ${partlyRead.map((group) => `list_${group}`).join(', ')}.`,
            }),
      },
      trustedFields: ['next', ...groups.flatMap((group) => [`searched.${group}`, `skipped.${group}`])],
    };
  },
});

/** @throws ToolError for a group that is unknown or not enabled. */
function resolveGroups(requestedGroups: readonly string[] | undefined, { mode }: ToolContext): readonly Group[] {
  const offered = GROUPS.filter((group) => mode.readableGroups.includes(group));
  if (requestedGroups === undefined || requestedGroups.length === 0) return offered;
  const unknown = requestedGroups.find((name) => !offered.some((group) => group === name));
  if (unknown === undefined) return offered.filter((group) => requestedGroups.includes(group));
  const suggestion = closestMatch(unknown, offered);
  throw new ToolError(
    'invalid_arguments',
    `groups: ${JSON.stringify(unknown.slice(0, 64))} is not available${suggestion ? `; did you mean "${suggestion}"?` : '.'} Available: ${offered.join(', ')}.`,
  );
}

async function readGroup(
  context: ToolContext,
  { group, searchText, hits }: { group: Group; searchText: string; hits: Hit[] },
): Promise<FilteredRead> {
  const options = { ...context.options, deadlineMs: READ_TIMEOUT_MS, maxWaitMs: MAX_WAIT_MS };
  const source = createListSource({ ...context, options }, `${group}.list` as OperationName);
  let hitCount = 0;
  return readFiltered(source, {
    filter: createListFilter({ match: searchText }, source.resource),
    query: {},
    limits: {
      maxPages: MAX_PAGES,
      accept(item) {
        hitCount += 1;
        if (hitCount > MAX_HITS_PER_GROUP) return false;
        hits.push({ rank: rankItem(item, searchText, source.resource) ?? 4, group, item });
        return true;
      },
      mayFetchNext: () => context.client.expectedWaitMs() <= MAX_WAIT_MS,
    },
  });
}

function toHitItem({ group, item }: Hit): JsonObject {
  const resource = getResource(group);
  const id = idOf(item, resource);
  const name = getName(item, resource);
  const url = getTextField(item, ['url']);
  const email = getTextField(item, ['email']);
  return {
    group,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined || name === url ? {} : { name: clipText(name) }),
    ...(url === undefined ? {} : { url }),
    ...(email === undefined || email === name ? {} : { email: clipText(email) }),
  };
}

function describeSkip(error: unknown): string {
  if (error instanceof PermissionError) return `the key lacks the scope ${error.scope}`;
  return getFailureCode(error);
}

function orderByGroup(entries: JsonObject, groups: readonly Group[]): JsonObject {
  return Object.fromEntries(groups.flatMap((group) => (group in entries ? [[group, entries[group]]] : [])));
}

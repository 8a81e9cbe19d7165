import { z } from 'zod';
import { getTextField, idOf, type JsonObject, nameOf } from '../../src/answer/fields.ts';
import { PermissionError } from '../../src/errors.ts';
import type { Group, OperationName } from '../../src/index.ts';
import { describeFailure } from '../answer/failure.ts';
import { createFilter } from '../answer/filter.ts';
import { clipped } from '../answer/projection.ts';
import { type Found, readFiltered } from '../answer/read-filtered.ts';
import { type Rank, rankItem } from '../answer/sought.ts';
import { Limit, text, texts } from '../contract/arguments.ts';
import { defineTool, type ToolContext } from '../contract/tool.ts';
import { nearest } from '../nearest.ts';
import { ToolError } from '../tool-error.ts';
import { listSource } from './tool-kinds.ts';

const FOUND_DEFAULT = 20;
const PAGES = 2;
const READ_TIMEOUT_MS = 20_000;
const MAX_WAIT_MS = 3000;
/** Of one group, kept to be ranked against the others. */
const MAX_HITS_PER_GROUP = 200;

const LISTS: readonly [OperationName, ...OperationName[]] = [
  'documents.list',
  'links.list',
  'rooms.list',
  'agreements.list',
  'proposals.list',
  'templates.list',
  'contacts.list',
];
const GROUPS = LISTS.map((name) => name.split('.')[0] as Group);

interface Hit {
  readonly rank: Rank;
  readonly group: Group;
  readonly item: JsonObject;
}

/** One text over all groups that the menu may read, best fits first; says of each group how much of it was read. */
export const find = defineTool({
  name: 'find',
  title: 'Find',
  description:
    'Finds documents, links, rooms, agreements, proposals, templates, contacts by name, e-mail or id.',
  operations: LISTS,
  spans: 'groups',
  inputSchema: z.strictObject({
    text: text('What to find'),
    groups: texts('Only these').optional(),
    limit: Limit.optional(),
  }),
  outputSchema: {
    type: 'object',
    properties: { items: { type: 'array' } },
    required: ['items'],
  },
  async handler(context, { text: wanted, groups: asked, limit = FOUND_DEFAULT }) {
    const groups = resolveGroups(asked, context);
    createFilter({ match: wanted }, '', 'text');
    const hits: Hit[] = [];
    const searched: JsonObject = {};
    const skipped: JsonObject = {};
    const failures: unknown[] = [];
    await Promise.all(
      groups.map(async (group) => {
        try {
          const { read, all, by, failure } = await readGroup(context, { group, wanted, hits });
          searched[group] = all
            ? read
            : `${read} read${by === 'service' ? ' of what the service found' : ''}, more exist`;
          if (failure !== undefined) skipped[group] = `after ${read}: ${describeSkip(failure)}`;
        } catch (error) {
          if (context.options.signal?.aborted) throw error;
          failures.push(error);
          skipped[group] = describeSkip(error);
        }
      }),
    );
    if (failures.length === groups.length) throw failures[0];
    hits.sort(
      (one, other) => one.rank - other.rank || groups.indexOf(one.group) - groups.indexOf(other.group),
    );
    const partly = groups.filter((group) => typeof searched[group] === 'string');
    return {
      data: {
        items: hits.slice(0, limit).map(shownHit),
        ...(hits.length > limit ? { left: hits.length - limit } : {}),
        searched: inOrder(searched, groups),
        ...(Object.keys(skipped).length > 0 ? { skipped: inOrder(skipped, groups) } : {}),
        ...(partly.length === 0
          ? {}
          : {
              next: `Not all was read: ${partly.map((group) => `list_${group}`).join(', ')} with match go on.`,
            }),
      },
      trustedFields: ['next', ...groups.flatMap((group) => [`searched.${group}`, `skipped.${group}`])],
    };
  },
});

/** @throws ToolError for a group that is none, or that this server does not offer. */
function resolveGroups(asked: readonly string[] | undefined, { mode }: ToolContext): readonly Group[] {
  const offered = GROUPS.filter((group) => mode.reach.includes(group));
  if (asked === undefined || asked.length === 0) return offered;
  const unknown = asked.find((name) => !offered.some((group) => group === name));
  if (unknown === undefined) return offered.filter((group) => asked.includes(group));
  const near = nearest(unknown, offered);
  throw new ToolError(
    'invalid_arguments',
    `groups: ${JSON.stringify(unknown.slice(0, 64))} is none here${near ? `; did you mean "${near}"?` : '.'} Known: ${offered.join(', ')}.`,
  );
}

async function readGroup(
  context: ToolContext,
  { group, wanted, hits }: { group: Group; wanted: string; hits: Hit[] },
): Promise<Found> {
  const options = { ...context.options, deadlineMs: READ_TIMEOUT_MS, maxWaitMs: MAX_WAIT_MS };
  const source = listSource({ ...context, options }, `${group}.list` as OperationName);
  let taken = 0;
  return readFiltered(source, {
    filter: createFilter({ match: wanted }, source.resource),
    query: {},
    bounds: {
      pages: PAGES,
      timeMs: READ_TIMEOUT_MS,
      take(item) {
        taken += 1;
        if (taken > MAX_HITS_PER_GROUP) return false;
        hits.push({ rank: rankItem(item, wanted, source.resource) ?? 4, group, item });
        return true;
      },
      mayAsk: () => context.client.expectedWaitMs() <= MAX_WAIT_MS,
    },
  });
}

function shownHit({ group, item }: Hit): JsonObject {
  const resource = group.replace(/s$/, '');
  const id = idOf(item, resource);
  const name = nameOf(item, resource);
  const url = getTextField(item, ['url']);
  const email = getTextField(item, ['email']);
  return {
    group,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined || name === url ? {} : { name: clipped(name) }),
    ...(url === undefined ? {} : { url }),
    ...(email === undefined || email === name ? {} : { email: clipped(email) }),
  };
}

function describeSkip(error: unknown): string {
  if (error instanceof PermissionError) return `the key may not read it: ${error.scope} is missing`;
  return String(describeFailure(error, {})['code']);
}

function inOrder(entries: JsonObject, groups: readonly Group[]): JsonObject {
  return Object.fromEntries(groups.flatMap((group) => (group in entries ? [[group, entries[group]]] : [])));
}

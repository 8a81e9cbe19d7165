import type { JsonObject } from '../../src/answer/fields.ts';
import type { ToolContext, ToolResult } from '../contract/tool.ts';
import { ToolError } from '../tool-error.ts';
import { BUDGET_TOKENS, estimateTokens } from './budget.ts';
import { decodeCursor, encodeCursor, type Place } from './cursor.ts';
import { describeFailure } from './failure.ts';
import { createFilter, parseCriteria, type Wanted } from './filter.ts';
import { ignoredNote, type ListSource } from './heeded.ts';
import { gapNote, type ListRequest, shown } from './list-answer.ts';
import { readFiltered, type Spot } from './read-filtered.ts';

const MATCHES_DEFAULT = 50;
const PAGES = 10;
const READ_TIMEOUT_MS = 20_000;
const MAX_WAIT_MS = 3000;

/** What a call narrows its list to, by its arguments or by its cursor; undefined for a whole list. */
export function wantedBy(request: ListRequest): Wanted | undefined {
  const own = parseCriteria({ ...request });
  const before = request.cursor === undefined ? undefined : decodeCursor(request.cursor).filtered?.wanted;
  if (!own || !before) return own ?? before;
  for (const [name, value] of Object.entries(own))
    if (before[name as keyof Wanted] !== value)
      throw new ToolError(
        'invalid_arguments',
        `cursor: it goes on with another ${name}. Pass the same, or leave the cursor out to begin anew.`,
      );
  return before;
}

/** The next items of a list that fit, and how they were found: by the service or by reading, and whether all was read. */
export async function filteredAnswer(
  request: ListRequest,
  { source, wanted, context }: { source: ListSource; wanted: Wanted; context: ToolContext },
): Promise<ToolResult> {
  const { limit = MATCHES_DEFAULT, cursor, query = {} } = request;
  const filter = createFilter(wanted, source.resource);
  const spot = cursor === undefined ? undefined : toReadPosition(decodeCursor(cursor), query);
  const items: JsonObject[] = [];
  let tokens = 0;
  const found = await readFiltered(source, {
    filter,
    query,
    ...(spot ? { spot } : {}),
    bounds: {
      pages: PAGES,
      timeMs: READ_TIMEOUT_MS,
      take(item) {
        const answer = shown(item, { detail: request.detail, resource: source.resource });
        tokens += estimateTokens(JSON.stringify(answer)) + 1;
        if (items.length >= limit || (items.length > 0 && tokens > BUDGET_TOKENS - 1000)) return false;
        items.push(answer);
        return true;
      },
      mayAsk: () => items.length < limit && context.client.expectedWaitMs() <= MAX_WAIT_MS,
      onPage: (read, total) => context.progress.step(read, total, `read ${read} items`),
    },
  });
  context.options.signal?.throwIfAborted();
  const { by, read, all, undated, next, gap, failure, first } = found;
  if (failure !== undefined && items.length === 0) throw failure;
  const notes = [
    cursor === undefined
      ? await ignoredNote(source, { query: request.query, asked: first.query, page: first.page })
      : undefined,
    gap === undefined ? undefined : gapNote(gap),
    undated > 0 ? `${undated} items carry no date and were left out.` : undefined,
    failure === undefined
      ? undefined
      : `Reading stopped (${describeFailure(failure, {})['code']}): next_cursor goes on there.`,
  ].filter((note) => note !== undefined);
  return {
    data: {
      items,
      ...(next ? { next_cursor: toCursor(next, wanted) } : {}),
      searched: { by, read, all },
      ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
    },
    trustedFields: ['next_cursor', 'note'],
  };
}

/** The cursor of a whole list may go on narrowed; then nothing is known of what came before it. */
function toReadPosition({ query, skip, from, filtered }: Place, own: JsonObject): Spot {
  const { by = 'reading', read } = filtered ?? {};
  return { query: { ...own, ...query }, from, skip, by, read };
}

function toCursor({ query, from, skip, by, read }: Spot, wanted: Wanted): string {
  return encodeCursor({
    query,
    skip,
    from,
    filtered: { wanted, by, ...(read === undefined ? {} : { read }) },
  });
}

import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolContext, ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { type CursorPosition, decodeCursor, encodeCursor } from './cursor.ts';
import { describeFailure } from './describe-failure.ts';
import { createListFilter, type FilterCriteria, parseCriteria } from './list-filter.ts';
import { incompleteNote, type ListRequest, toListItem } from './list-result.ts';
import { getIgnoredQueryNote, type ListSource } from './query-support.ts';
import { type ReadPosition, readFiltered } from './read-filtered.ts';
import { estimateTokens, MAX_RESULT_TOKENS } from './token-budget.ts';

const DEFAULT_MATCHES = 50;
const MAX_PAGES = 10;
const READ_TIMEOUT_MS = 20_000;
const MAX_WAIT_MS = 3000;

/** What a call narrows its list to, by its arguments or by its cursor; undefined for a whole list. */
export function getFilterCriteria(request: ListRequest): FilterCriteria | undefined {
  const requested = parseCriteria({ ...request });
  const fromCursor =
    request.cursor === undefined ? undefined : decodeCursor(request.cursor).filterState?.criteria;
  if (!requested || !fromCursor) return requested ?? fromCursor;
  for (const [name, value] of Object.entries(requested))
    if (fromCursor[name as keyof FilterCriteria] !== value)
      throw new ToolError(
        'invalid_arguments',
        `cursor: it goes on with another ${name}. Pass the same, or leave the cursor out to begin anew.`,
      );
  return fromCursor;
}

/** The next items of a list that fit, and how they were found: by the service or by reading, and whether all was read. */
export async function createFilteredListResult(
  request: ListRequest,
  { source, criteria, context }: { source: ListSource; criteria: FilterCriteria; context: ToolContext },
): Promise<ToolResult> {
  const { limit = DEFAULT_MATCHES, cursor, query = {} } = request;
  const filter = createListFilter(criteria, source.resource);
  const position = cursor === undefined ? undefined : toReadPosition(decodeCursor(cursor), query);
  const items: JsonObject[] = [];
  let tokens = 0;
  const readResult = await readFiltered(source, {
    filter,
    query,
    ...(position ? { position } : {}),
    limits: {
      maxPages: MAX_PAGES,
      timeoutMs: READ_TIMEOUT_MS,
      accept(item) {
        const listItem = toListItem(item, { detail: request.detail, resource: source.resource });
        tokens += estimateTokens(JSON.stringify(listItem)) + 1;
        if (items.length >= limit || (items.length > 0 && tokens > MAX_RESULT_TOKENS - 1000)) return false;
        items.push(listItem);
        return true;
      },
      mayFetchNext: () => items.length < limit && context.client.expectedWaitMs() <= MAX_WAIT_MS,
      onPage: (read, total) => context.progress.step(read, total, `read ${read} items`),
    },
  });
  context.options.signal?.throwIfAborted();
  const { by, read, undated, end, first } = readResult;
  const { next, failure } = end.kind === 'paused' ? end : {};
  if (failure !== undefined && items.length === 0) throw failure;
  const notes = [
    cursor === undefined
      ? await getIgnoredQueryNote(source, { query: request.query, sentQuery: first.query, page: first.page })
      : undefined,
    end.kind === 'incomplete' ? incompleteNote(end.reason) : undefined,
    undated > 0 ? `${undated} items carry no date and were left out.` : undefined,
    failure === undefined
      ? undefined
      : `Reading stopped (${describeFailure(failure, {})['code']}): next_cursor goes on there.`,
  ].filter((note) => note !== undefined);
  return {
    data: {
      items,
      ...(next ? { next_cursor: toCursor(next, criteria) } : {}),
      searched: { by, read, all: end.kind === 'whole' && end.fromStart },
      ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
    },
    trustedFields: ['next_cursor', 'note'],
  };
}

/** The cursor of a whole list may go on narrowed; then nothing is known of what came before it. */
function toReadPosition(
  { query, skip, from, filterState }: CursorPosition,
  requestQuery: JsonObject,
): ReadPosition {
  const { by = 'reading', read } = filterState ?? {};
  return { query: { ...requestQuery, ...query }, from, skip, by, read };
}

function toCursor({ query, from, skip, by, read }: ReadPosition, criteria: FilterCriteria): string {
  return encodeCursor({
    query,
    skip,
    from,
    filterState: { criteria, by, ...(read === undefined ? {} : { read }) },
  });
}

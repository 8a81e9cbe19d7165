import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolContext, ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { type CursorPosition, decodeCursor, encodeCursor } from './cursor.ts';
import { getFailureCode } from './describe-failure.ts';
import { createListFilter, type FilterCriteria, parseCriteria } from './list-filter.ts';
import { formatIncompleteNote, type ListRequest, toListItem } from './list-result.ts';
import { getIgnoredQueryNote, type ListSource } from './query-support.ts';
import { type ReadPosition, readFiltered } from './read-filtered.ts';
import { estimateTokens, MAX_RESULT_TOKENS } from './token-budget.ts';

const DEFAULT_MATCHES = 50;
/** A third of the requests of a minute. */
const MAX_PAGES = 40;
const MAX_WAIT_MS = 3000;

/** Filter criteria from the arguments or the cursor; undefined for an unfiltered list. */
export function getFilterCriteria(request: ListRequest): FilterCriteria | undefined {
  const requested = parseCriteria(request);
  const fromCursor = request.cursor === undefined ? undefined : decodeCursor(request.cursor).filterState?.criteria;
  if (!requested || !fromCursor) return requested ?? fromCursor;
  for (const [name, value] of Object.entries(requested))
    if (fromCursor[name as keyof FilterCriteria] !== value)
      throw new ToolError(
        'invalid_arguments',
        `cursor: it belongs to another ${name}. Pass the same ${name}, or leave the cursor out to start again.`,
      );
  return fromCursor;
}

/** Returns the next matching items, who filtered them, and whether the whole list was read. */
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
  const { by, read, total, undated, end, first } = readResult;
  const { next, failure } = end.kind === 'paused' ? end : {};
  if (failure !== undefined && items.length === 0) throw failure;
  const notes = [
    cursor === undefined
      ? await getIgnoredQueryNote(source, { query: request.query, sentQuery: first.query, page: first.page })
      : undefined,
    end.kind === 'incomplete' ? formatIncompleteNote(end.reason) : undefined,
    undated > 0 ? `${undated} items without a date were left out.` : undefined,
    failure === undefined ? undefined : `Reading stopped (${getFailureCode(failure)}). Use next_cursor to continue.`,
  ].filter((note) => note !== undefined);
  return {
    data: {
      items,
      ...(next ? { next_cursor: toCursor(next, criteria) } : {}),
      searched: {
        ...{ by, read },
        ...(end.kind === 'paused' && total !== undefined ? { total } : {}),
        complete: end.kind === 'whole' && end.fromStart,
      },
      ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
    },
    trustedFields: ['next_cursor', 'note'],
  };
}

/** The cursor of an unfiltered list may continue filtered; then it is unknown what came before. */
function toReadPosition({ query, skip, from, filterState }: CursorPosition, requestQuery: JsonObject): ReadPosition {
  const { by = 'server', read, returned } = filterState ?? {};
  return { query: { ...requestQuery, ...query }, from, skip, by, read, returned };
}

function toCursor({ query, from, skip, by, read, returned = [] }: ReadPosition, criteria: FilterCriteria): string {
  const more = { ...(read === undefined ? {} : { read }), ...(returned.length > 0 ? { returned } : {}) };
  return encodeCursor({ query, skip, from, filterState: { criteria, by, ...more } });
}

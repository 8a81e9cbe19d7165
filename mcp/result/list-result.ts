import type { z } from 'zod';
import type { JsonObject } from '../../src/records/fields.ts';
import type { ListArguments } from '../tool/arguments.ts';
import type { ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { toBriefItem, withIdAndName } from './projection.ts';
import { getIgnoredQueryNote, type ListSource } from './query-support.ts';
import { getUnredactedFields, redactSecretFields } from './redact-secrets.ts';
import { countItemsInBudget } from './token-budget.ts';

export type ListRequest = z.output<typeof ListArguments>;

/** List item without secrets. */
export function toListItem(
  item: JsonObject,
  { detail = 'brief', resource }: { detail?: string | undefined; resource: string },
): JsonObject {
  if (detail !== 'brief' && detail !== 'full')
    throw new ToolError('invalid_arguments', 'detail: must be "brief" or "full".');
  const clean = redactSecretFields(item);
  // Only at the top level: a nested object may hold a presigned URL.
  for (const field of getUnredactedFields(resource)) if (Object.hasOwn(item, field)) clean[field] = item[field];
  return detail === 'full' ? withIdAndName(clean, resource) : toBriefItem(clean, resource);
}

export function formatIncompleteNote(reason: string): string {
  return `The list is incomplete and cannot be continued: ${reason}.`;
}

/** Returns one page within the token budget. `next_cursor` continues after the last returned item, even mid-page. */
export async function createListResult(request: ListRequest, source: ListSource): Promise<ToolResult> {
  const { limit, detail } = request;
  // Checks `detail` first, so that an invalid value costs no request.
  toListItem({}, { detail, resource: source.resource });
  const position = request.cursor === undefined ? undefined : decodeCursor(request.cursor);
  const query = {
    ...request.query,
    // A page that is read again must have its original size.
    ...(limit === undefined || (position && position.skip > 0) ? {} : source.getPageSizeQuery(limit)),
    ...position?.query,
  };
  const page = await source.fetch(query, position?.from);
  const skip = Math.min(position?.skip ?? 0, page.items.length);
  const ignoredQueryNote = position
    ? undefined
    : await getIgnoredQueryNote(source, { query: request.query, sentQuery: query, page });
  const remaining = page.items.slice(skip).map((item) => toListItem(item, { detail, resource: source.resource }));
  const count = Math.min(countItemsInBudget(remaining), limit ?? remaining.length);
  const items = remaining.slice(0, count);
  const omitted = remaining.length - count;
  const { cursor } = page;
  const incompleteNote = page.complete || omitted > 0 ? undefined : formatIncompleteNote(page.incompleteReason);
  const note = [ignoredQueryNote, incompleteNote].filter((part) => part !== undefined).join(' ');
  const next =
    omitted > 0
      ? encodeCursor({ ...position, query, skip: skip + count })
      : cursor && encodeCursor({ query, skip: 0, from: cursor });
  return {
    data: {
      items,
      ...(omitted > 0 ? { remaining: omitted } : {}),
      ...(next ? { next_cursor: next } : {}),
      ...(incompleteNote === undefined ? {} : { complete: false }),
      ...(note === '' ? {} : { note }),
    },
    trustedFields: ['next_cursor', 'note'],
  };
}

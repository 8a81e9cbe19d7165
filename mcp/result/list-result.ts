import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { toBriefItem, withIdAndName } from './projection.ts';
import { getIgnoredQueryNote, type ListSource } from './query-support.ts';
import { getUnredactedFields, redactSecretFields } from './redact-secrets.ts';
import { countFitting } from './token-budget.ts';

/** The arguments of every list tool; see `ListArguments`. */
export interface ListRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly query?: JsonObject | undefined;
  readonly detail?: string | undefined;
  readonly match?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** An item as a list shows it, without secrets. */
export function toListItem(
  item: JsonObject,
  { detail = 'brief', resource }: { detail?: string | undefined; resource: string },
): JsonObject {
  if (detail !== 'brief' && detail !== 'full')
    throw new ToolError('invalid_arguments', 'detail: "brief" or "full".');
  const clean = redactSecretFields(item, []) as JsonObject;
  // Its own only: an object inside may be presigned.
  for (const field of getUnredactedFields(resource))
    if (Object.hasOwn(item, field)) clean[field] = item[field];
  return detail === 'full' ? withIdAndName(clean, resource) : toBriefItem(clean, resource);
}

export function incompleteNote(reason: string): string {
  return `More exists and can not be read here: ${reason}.`;
}

/**
 * One page of a list, projected and inside the budget. `next_cursor` goes on behind the last item given, also where
 * this server cut a page of the service in two.
 */
export async function createListResult(request: ListRequest, source: ListSource): Promise<ToolResult> {
  const { limit, detail } = request;
  // Before the service is asked: a wrong word should cost no request.
  toListItem({}, { detail, resource: source.resource });
  const position = request.cursor === undefined ? undefined : decodeCursor(request.cursor);
  const query = {
    ...request.query,
    // A page that is read for the second time must have its first borders.
    ...(limit === undefined || (position && position.skip > 0) ? {} : source.getPageSizeQuery(limit)),
    ...position?.query,
  };
  const page = await source.fetch(query, position?.from);
  const skip = Math.min(position?.skip ?? 0, page.items.length);
  const ignoredQueryNote = position
    ? undefined
    : await getIgnoredQueryNote(source, { query: request.query, sentQuery: query, page });
  const remaining = page.items
    .slice(skip)
    .map((item) => toListItem(item, { detail, resource: source.resource }));
  const count = Math.min(countFitting(remaining), limit ?? remaining.length);
  const items = remaining.slice(0, count);
  const left = remaining.length - count;
  const { cursor } = page;
  const incomplete = page.complete || left > 0 ? undefined : incompleteNote(page.incompleteReason);
  const note = [ignoredQueryNote, incomplete].filter((part) => part !== undefined).join(' ');
  const next =
    left > 0
      ? encodeCursor({ ...position, query, skip: skip + count })
      : cursor && encodeCursor({ query, skip: 0, from: cursor });
  return {
    data: {
      items,
      ...(left > 0 ? { left } : {}),
      ...(next ? { next_cursor: next } : {}),
      ...(incomplete === undefined ? {} : { complete: false }),
      ...(note === '' ? {} : { note }),
    },
    trustedFields: ['next_cursor', 'note'],
  };
}

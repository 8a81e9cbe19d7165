import type { JsonObject } from '../../src/answer/fields.ts';
import type { ToolResult } from '../contract/tool.ts';
import { ToolError } from '../tool-error.ts';
import { countFitting } from './budget.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { ignoredNote, type ListSource } from './heeded.ts';
import { identified, projected } from './projection.ts';
import { getUnredactedFields, withoutSecrets } from './secrets.ts';

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
export function shown(
  item: JsonObject,
  { detail = 'brief', resource }: { detail?: string | undefined; resource: string },
): JsonObject {
  if (detail !== 'brief' && detail !== 'full')
    throw new ToolError('invalid_arguments', 'detail: "brief" or "full".');
  const clean = withoutSecrets(item, []) as JsonObject;
  // Its own only: an object inside may be presigned.
  for (const field of getUnredactedFields(resource))
    if (Object.hasOwn(item, field)) clean[field] = item[field];
  return detail === 'full' ? identified(clean, resource) : projected(clean, resource);
}

export function gapNote(gap: string | undefined): string {
  return `More exists and can not be read here: ${gap}.`;
}

/**
 * One page of a list, projected and inside the budget. `next_cursor` goes on behind the last item given, also where
 * this server cut a page of the service in two.
 */
export async function listAnswer(request: ListRequest, source: ListSource): Promise<ToolResult> {
  const { limit, detail } = request;
  // Before the service is asked: a wrong word should cost no request.
  shown({}, { detail, resource: source.resource });
  const place = request.cursor === undefined ? undefined : decodeCursor(request.cursor);
  const query = {
    ...request.query,
    // A page that is read for the second time must have its first borders.
    ...(limit === undefined || (place && place.skip > 0) ? {} : source.getPageSizeQuery(limit)),
    ...place?.query,
  };
  const page = await source.fetch(query, place?.from);
  const skip = Math.min(place?.skip ?? 0, page.items.length);
  const ignored = place ? undefined : await ignoredNote(source, { query: request.query, asked: query, page });
  const rest = page.items.slice(skip).map((item) => shown(item, { detail, resource: source.resource }));
  const count = Math.min(countFitting(rest), limit ?? rest.length);
  const items = rest.slice(0, count);
  const left = rest.length - count;
  const { cursor } = page;
  const gap = page.complete || left > 0 ? undefined : gapNote(page.incompleteReason);
  const note = [ignored, gap].filter((one) => one !== undefined).join(' ');
  const next =
    left > 0
      ? encodeCursor({ ...place, query, skip: skip + count })
      : cursor && encodeCursor({ query, skip: 0, from: cursor });
  return {
    data: {
      items,
      ...(left > 0 ? { left } : {}),
      ...(next ? { next_cursor: next } : {}),
      ...(gap === undefined ? {} : { complete: false }),
      ...(note === '' ? {} : { note }),
    },
    trustedFields: ['next_cursor', 'note'],
  };
}

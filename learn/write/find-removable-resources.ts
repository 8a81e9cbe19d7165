import { createUnknownId, type ProbeContext } from '../probes/probe-context.ts';
import type { RecordedResponse } from '../probes/session.ts';

/** Resources for which the document shows no DELETE (§4 "the full set of operations per group … not shown"). */
export const UNDOCUMENTED_DELETES = ['documents', 'rooms', 'agreements', 'proposals', 'contacts'] as const;

/**
 * Finds out what can be removed, with ids that no object has: an answer like that to an unknown link's DELETE, and unlike
 * that to a route which is none.
 */
export async function findRemovableResources(context: ProbeContext): Promise<string[]> {
  const unknownLink = await probeDelete(context, 'links', createUnknownId(context, 'links.list'));
  const unknownRoute = await probeDelete(
    context,
    'docshare-learn-no-such-route',
    createUnknownId(context, 'links.list'),
  );
  // Who says yes to removing what never was may say so of what it can't remove.
  if (
    !unknownLink ||
    !unknownRoute ||
    unknownLink.ok ||
    normalizeResponse(unknownLink) === normalizeResponse(unknownRoute)
  )
    return [];
  const found: string[] = [];
  for (const group of UNDOCUMENTED_DELETES) {
    const response = await probeDelete(context, group, createUnknownId(context, `${group}.list`));
    if (response && normalizeResponse(response) === normalizeResponse(unknownLink)) found.push(group);
  }
  return found;
}

function probeDelete(
  { session }: ProbeContext,
  group: string,
  id: string,
): Promise<RecordedResponse | undefined> {
  const path = `/${group}/${id}`;
  const expected = group === 'links' ? 'unknownId' : group.startsWith('docshare') ? 'noRoute' : undefined;
  return session.sendRequest({
    method: 'DELETE',
    path,
    route: `/${group}/{id}`,
    topic: 'writes',
    ...(expected ? { expected } : {}),
  });
}

/** What an answer says, without what is only this request's: its id, path, resource, and the service's own numbers. */
function normalizeResponse({ status, text, request }: RecordedResponse): string {
  const [group = '', id = ''] = request.path.slice(1).split('/');
  const singular = group.replace(/s$/, '');
  const normalized = text
    .replaceAll(id, '#')
    .replaceAll(group, '*')
    .replaceAll(singular, '*')
    .replaceAll(singular.charAt(0).toUpperCase() + singular.slice(1), '*')
    .replace(/\b[\w-]*\d[\w:.-]*\b/g, '0')
    .replace(/\ban?\b/g, 'a');
  return `${status} ${normalized}`;
}

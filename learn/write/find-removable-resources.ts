import type { OperationName } from '../../src/operations/index.ts';
import { createUnknownId, type ProbeContext } from '../probes/probe-context.ts';
import type { RecordedResponse } from '../probes/session.ts';

/** Resources for which the API document shows no DELETE (§4 "the full set of operations per group … not shown"). */
export const UNDOCUMENTED_DELETES = ['documents', 'rooms', 'agreements', 'proposals', 'contacts'] as const;

/**
 * Finds out which resources can be removed, using IDs that no object has: DELETE must respond as for an unknown link, and
 * not as for an unknown route.
 */
export async function findRemovableResources(context: ProbeContext): Promise<string[]> {
  const createId = (group: string) => createUnknownId(context, `${group}.list` as OperationName);
  const unknownLink = await probeDelete(context, 'links', createId('links'));
  const unknownRoute = await probeDelete(context, 'docshare-learn-no-such-route', createId('links'));
  // A success for an ID that never existed proves nothing.
  if (!unknownLink || !unknownRoute || unknownLink.ok) return [];
  if (normalizeResponse(unknownLink) === normalizeResponse(unknownRoute)) return [];
  const found: string[] = [];
  for (const group of UNDOCUMENTED_DELETES) {
    const response = await probeDelete(context, group, createId(group));
    if (response && normalizeResponse(response) === normalizeResponse(unknownLink)) found.push(group);
  }
  return found;
}

function probeDelete({ session }: ProbeContext, group: string, id: string): Promise<RecordedResponse | undefined> {
  const expected = group === 'links' ? 'unknownId' : group.startsWith('docshare') ? 'noRoute' : undefined;
  const request = { method: 'DELETE', path: `/${group}/${id}`, route: `/${group}/{id}` } as const;
  return session.sendRequest({ ...request, topic: 'writes', ...(expected ? { expected } : {}) });
}

/** Returns status and text of a response without the request's ID and resource and without numbers. */
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

import { strangeId, type World } from '../probes/world.ts';
import type { Answer } from '../wire/session.ts';

/** Resources for which the document shows no DELETE (§4 "the full set of operations per group … not shown"). */
export const IN_QUESTION = ['documents', 'rooms', 'agreements', 'proposals', 'contacts'] as const;

/**
 * Finds out what can be removed, with ids that no object has: an answer like that to an unknown link's DELETE, and unlike
 * that to a route which is none.
 */
export async function findRemovals(world: World): Promise<string[]> {
  const known = await askToRemove(world, 'links', strangeId(world, 'links.list'));
  const nowhere = await askToRemove(world, 'docshare-learn-no-such-route', strangeId(world, 'links.list'));
  // Who says yes to removing what never was may say so of what it can't remove.
  if (!known || !nowhere || known.ok || normalizeResponse(known) === normalizeResponse(nowhere)) return [];
  const found: string[] = [];
  for (const group of IN_QUESTION) {
    const answer = await askToRemove(world, group, strangeId(world, `${group}.list`));
    if (answer && normalizeResponse(answer) === normalizeResponse(known)) found.push(group);
  }
  return found;
}

function askToRemove({ session }: World, group: string, id: string): Promise<Answer | undefined> {
  const path = `/${group}/${id}`;
  const as = group === 'links' ? 'unknownId' : group.startsWith('docshare') ? 'noRoute' : undefined;
  return session.ask({
    method: 'DELETE',
    path,
    route: `/${group}/{id}`,
    topic: 'writes',
    ...(as ? { as } : {}),
  });
}

/** What an answer says, without what is only this request's: its id, path, resource, and the service's own numbers. */
function normalizeResponse({ status, text, asked }: Answer): string {
  const [group = '', id = ''] = asked.path.slice(1).split('/');
  const one = group.replace(/s$/, '');
  const words = text
    .replaceAll(id, '#')
    .replaceAll(group, '*')
    .replaceAll(one, '*')
    .replaceAll(one.charAt(0).toUpperCase() + one.slice(1), '*')
    .replace(/\b[\w-]*\d[\w:.-]*\b/g, '0')
    .replace(/\ban?\b/g, 'a');
  return `${status} ${words}`;
}

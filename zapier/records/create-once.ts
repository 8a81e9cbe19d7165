import type { ZObject } from 'zapier-platform-core';
import { type Client, isObject, type JsonObject } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { normalizeText } from './normalize-text.ts';
import { tryFindById } from './read-list.ts';
import type { RecordKind } from './record-kind.ts';

/** Longer than a creation that waited for another's lock. */
const DEDUPE_TTL_S = 5 * 60;

/**
 * One record for one name where two runs found none at the same time and both go on to create it. The lock of a creation
 * makes them take turns; the second is given what the first has made.
 */
export function createRecordDeduplicator(
  z: ZObject,
  { kind, text, input }: { kind: RecordKind; text: unknown; input?: JsonObject },
) {
  const cache = createConnectionCache(z);
  const nameKey = `${kind.resource}-${z.hash('sha256', normalizeText(text))}`;
  // What was made counts only where the very same is asked for.
  const createdKey = input === undefined ? nameKey : `${nameKey}-${z.hash('sha256', JSON.stringify(input))}`;
  return {
    /** Somebody looked for it and found none. */
    recordMiss: () => cache.set(`missed-${nameKey}`, 1, DEDUPE_TTL_S).catch(() => null),
    recordCreated: (record: JsonObject) =>
      record['id'] === null ? null : cache.set(`made-${createdKey}`, record, DEDUPE_TTL_S).catch(() => null),
    /** What was made a moment ago for this name, where it is still there and a search had missed it before. */
    async findRecentlyCreated(client: Client): Promise<JsonObject | undefined> {
      if ((await cache.get(`missed-${nameKey}`).catch(() => null)) === null) return undefined;
      const created = await cache.get(`made-${createdKey}`).catch(() => null);
      if (!isObject(created)) return undefined;
      const found = await tryFindById(kind, client, String(created['id']));
      return found.kind === 'not-found' ? undefined : created;
    },
  };
}

import type { ZObject } from 'zapier-platform-core';
import { type Client, isObject, type JsonObject } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { normalizeText } from './normalize-text.ts';
import { tryFindById } from './read-list.ts';
import type { RecordKind } from './record-kind.ts';

/** Longer than a creation can wait for the lock of another. */
const DEDUPE_TTL_S = 5 * 60;

/**
 * Prevents a second record of one name when two runs search at the same time, find none and both create it. The lock of
 * the create step orders them, and the second gets the record of the first.
 */
export function createRecordDeduplicator(
  z: ZObject,
  { kind, text, input }: { kind: RecordKind; text: unknown; input?: JsonObject },
) {
  const cache = createConnectionCache(z);
  const nameKey = `${kind.resource}-${z.hash('sha256', normalizeText(text))}`;
  // With `input`, only a creation with the same input counts.
  const createdKey = input === undefined ? nameKey : `${nameKey}-${z.hash('sha256', JSON.stringify(input))}`;
  const deduplicator = {
    /** Records that a search found nothing. */
    recordMiss: () => cache.set(`missed-${nameKey}`, 1, DEDUPE_TTL_S).catch(() => null),
    recordCreated: (record: JsonObject) =>
      record['id'] === null ? null : cache.set(`made-${createdKey}`, record, DEDUPE_TTL_S).catch(() => null),
    /** Creates the record, unless another run has just done so. */
    async createOnce(client: Client, create: () => Promise<JsonObject>): Promise<JsonObject> {
      const recent = await deduplicator.findRecentlyCreated(client);
      if (recent) return recent;
      const created = await create();
      await deduplicator.recordCreated(created);
      return created;
    },
    /** Record that was just created for this name after a search had found none, if it still exists. */
    async findRecentlyCreated(client: Client): Promise<JsonObject | undefined> {
      if ((await cache.get(`missed-${nameKey}`).catch(() => null)) === null) return undefined;
      const created = await cache.get(`made-${createdKey}`).catch(() => null);
      if (!isObject(created)) return undefined;
      const found = await tryFindById(kind, client, String(created['id']));
      return found.kind === 'not-found' ? undefined : created;
    },
  };
  return deduplicator;
}

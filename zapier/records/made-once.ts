import type { ZObject } from 'zapier-platform-core';
import { createMemory } from '../platform/cache.ts';
import { type Client, isObject, type JsonObject } from '../platform/core.ts';
import { fold } from './fold.ts';
import { findById } from './pages.ts';
import type { RecordKind } from './record.ts';

/** Longer than a creation that waited for another's lock. */
const KEPT_SECONDS = 5 * 60;

/**
 * One record for one name where two runs found none at the same time and both go on to create it. The lock of a creation
 * makes them take turns; the second is given what the first has made.
 */
export function createMadeOnce(
  z: ZObject,
  { kind, text, of }: { kind: RecordKind; text: unknown; of?: JsonObject },
) {
  const memory = createMemory(z);
  const name = `${kind.resource}-${z.hash('sha256', fold(text))}`;
  // What was made counts only where the very same is asked for.
  const own = of === undefined ? name : `${name}-${z.hash('sha256', JSON.stringify(of))}`;
  return {
    /** Somebody looked for it and found none. */
    missed: () => memory.keep(`missed-${name}`, 1, KEPT_SECONDS).catch(() => null),
    made: (record: JsonObject) =>
      record['id'] === null ? null : memory.keep(`made-${own}`, record, KEPT_SECONDS).catch(() => null),
    /** What was made a moment ago for this name, where it is still there and a search had missed it before. */
    async known(client: Client): Promise<JsonObject | undefined> {
      if ((await memory.read(`missed-${name}`).catch(() => null)) === null) return undefined;
      const made = await memory.read(`made-${own}`).catch(() => null);
      if (!isObject(made)) return undefined;
      const found = await findById(kind, client, String(made['id'])).catch(() => 'unread' as const);
      return found === 'absent' ? undefined : made;
    },
  };
}

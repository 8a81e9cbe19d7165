import { isObject, type JsonObject } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import type { ClientStep } from '../platform/with-client.ts';
import { getFoundPageKey } from './continue-search.ts';
import { normalizeEmail, normalizeText } from './normalize-text.ts';
import { type RecordKind, toFlatRecord } from './record-kind.ts';
import { findIfReadable } from './search-records.ts';

/** Longer than a creation can wait for the lock of another. */
const DEDUPE_TTL_S = 5 * 60;

/** As long as the lock of a create step. */
const TURN_TTL_S = 60;
const TURN_DELAY_S = 15;

/**
 * Prevents a second record of one name when two runs search at the same time, find none and both create it. They take
 * turns, and the second gets the record of the first. Zapier's lock compares the text of the field as it is typed.
 */
export function createRecordDeduplicator(step: ClientStep, { kind, text }: { kind: RecordKind; text: unknown }) {
  const { z } = step;
  const cache = createConnectionCache(z);
  const normalize = (value: unknown) => (String(text).includes('@') ? normalizeEmail(value) : normalizeText(value));
  const nameKey = `${kind.resource}-${z.hash('sha256', normalize(text))}`;
  const hashValues = (values: unknown) =>
    z.hash(
      'sha256',
      JSON.stringify(values, (_, value) => (value === text ? normalize(value) : value)),
    );
  /** True if the record has another name or email now than when it was created. */
  const isRenamed = (item: JsonObject, created: JsonObject) => {
    const field = kind.resource === 'contact' ? 'email' : 'name';
    const shown = normalize(toFlatRecord(kind, item)[field]);
    return shown !== '' && ![text, created[field]].map(normalize).includes(shown);
  };
  /** True if a text of the record was changed since; its times, status and URL change by themselves. */
  const isEdited = (item: JsonObject, created: JsonObject) =>
    Object.entries(toFlatRecord(kind, item)).some(([key, value]) => {
      const [current, previous] = [value, created[key]].map(normalizeText);
      const isComparable = current && previous && !/(_at|url|status)$/.test(key);
      return isComparable && current !== previous;
    });
  const remember = (what: 'missed' | 'created', value: unknown) => cache.set(`${what}-${nameKey}`, value, DEDUPE_TTL_S);
  /** @throws ThrottledError if the list is longer than one run can read. */
  const findRecent = async (): Promise<{ record: JsonObject; values: unknown; item: JsonObject } | undefined> => {
    if ((await cache.get(`missed-${nameKey}`)) === null) return undefined;
    const created = await cache.get(`created-${nameKey}`);
    if (!isObject(created) || !isObject(created['record'])) return undefined;
    const { record, values } = created;
    const found = await findIfReadable(kind, step, String(record['id'])).catch(async (error: unknown) => {
      // The replay that continues the search still needs them.
      await Promise.all([remember('missed', 1), remember('created', created)]);
      throw error;
    });
    if (found.kind === 'not-found' || (found.kind === 'found' && isRenamed(found.item, record))) return undefined;
    // The list may lack settings that the response showed.
    const shown = isObject(record['raw']) ? record['raw'] : {};
    return { record, values, item: found.kind === 'found' ? { ...shown, ...found.item } : shown };
  };
  const deduplicator = {
    /** Records that a search found nothing. */
    recordMiss: () => remember('missed', 1),
    recordCreated: async (record: JsonObject, values: unknown) => {
      // Another record may have the name now.
      await cache.delete(getFoundPageKey(z, kind, text));
      if (record['id'] === null) return;
      await remember('created', { record, values: hashValues(values) });
    },
    /** @throws ThrottledError while another run creates a record of this name (with these values, if they are given). */
    async takeTurn<Result>(create: () => Promise<Result>, values?: unknown): Promise<Result> {
      const turnKey = `turn-${nameKey}-${values === undefined ? '' : hashValues(values)}`;
      if (!(await cache.setIfAbsent(turnKey, TURN_TTL_S).catch(() => true)))
        throw new z.errors.ThrottledError(
          `Another run is creating the same ${kind.noun.toLowerCase()}. Zapier tries again in ${TURN_DELAY_S} seconds.`,
          TURN_DELAY_S,
        );
      return create().finally(() => cache.delete(turnKey));
    },
    /** Creates the record, unless another run has just created one with the same values that nobody has edited. */
    createOnce: (
      values: unknown,
      create: () => Promise<JsonObject>,
      hasSettings: (item: JsonObject) => boolean = () => true,
    ): Promise<JsonObject> =>
      deduplicator.takeTurn(async () => {
        const recent = await findRecent();
        if (recent?.values === hashValues(values) && !isEdited(recent.item, recent.record) && hasSettings(recent.item))
          return recent.record;
        const created = await create();
        await deduplicator.recordCreated(created, values);
        return created;
      }, values),
    /** Record that was just created for this name, with any values, after a search had found none; if it still exists. */
    findRecentlyCreated: async () => (await findRecent())?.record,
  };
  return deduplicator;
}

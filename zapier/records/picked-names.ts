import { type Client, getTitle, type JsonObject } from '../platform/client-core.ts';
import { createConnectionCache } from '../platform/connection-cache.ts';
import { withTimeout } from '../platform/step-run.ts';
import type { ClientStep } from '../platform/with-client.ts';
import { link, room } from './kinds.ts';
import { fetchPage, getListFunction } from './read-list.ts';
import { type RecordKind, toFlatRecord } from './record-kind.ts';

/** How long a name is taken from memory: a Zap usually picks the same record each time. */
const NAME_TTL_S = 10 * 60;
/** The step itself is done: it does not wait long for a name. */
const NAME_TIMEOUT_MS = 3_000;

const findOnFirstPage =
  (kind: RecordKind) =>
  async (client: Client, id: string): Promise<JsonObject | undefined> =>
    (await fetchPage(getListFunction(kind, client))).items.find((item) => toFlatRecord(kind, item).id === id);

const FETCH_RECORD = {
  document: (client: Client, id: string): Promise<JsonObject | undefined> => client.documents.get({ id }),
  template: (client: Client, id: string): Promise<JsonObject | undefined> => client.templates.get({ id }),
  // The API has no call for a single room or link (§4).
  room: findOnFirstPage(room),
  link: findOnFirstPage(link),
};

/**
 * Adds the name of the record that was picked in the form, if the result has only its ID. A report uses that ID as its own.
 * Costs at most one request, and the name stays empty if that fails.
 */
export async function addPickedName<Result extends JsonObject>(
  result: Result,
  { client, z, input }: ClientStep & { input: JsonObject },
): Promise<Result> {
  const kinds = Object.keys(FETCH_RECORD) as (keyof typeof FETCH_RECORD)[];
  const isPicked = (id: unknown, kind: string) => id && (id === result[`${kind}_id`] || id === result['id']);
  const kind = kinds.find((one) => result[`${one}_name`] === null && isPicked(input[one], one));
  if (kind === undefined) return result;
  const id = String(input[kind]);
  const cache = createConnectionCache(z);
  const key = `name-${kind}-${id}`;
  const known = await cache.get(key);
  // A record that the page lacks, or that has no name, is remembered too. Otherwise each run would read the page again.
  const fetchName = () =>
    withTimeout(
      FETCH_RECORD[kind](client, id).then((record) => getTitle(record) ?? ''),
      NAME_TIMEOUT_MS,
      () => undefined,
    ).catch(() => undefined);
  const name = typeof known === 'string' ? known : await fetchName();
  if (name === undefined) return result;
  if (name !== known) await cache.trySet(key, name, NAME_TTL_S);
  return name === '' ? result : { ...result, [`${kind}_name`]: name };
}

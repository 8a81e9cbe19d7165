import { LIST_QUERY } from '../src/assumptions.ts';
import { type Client, firstAccepted, type JsonObject, type ListCall, type Page } from './core.ts';
import type { RecordKind } from './record.ts';

/** Asks for full pages; a service that refuses the parameter is asked without it (§4 shows no query). */
const QUERIES = [{ [LIST_QUERY.limit]: '100' }, {}] as const;

/** One page as the service cuts it: the first, or the one that `next` leads to. */
export async function readPageOf(
  kind: RecordKind,
  client: Client,
  next?: Readonly<Record<string, string>>,
): Promise<Page<JsonObject>> {
  return firstAccepted(QUERIES, async (query) => await kind.list(client, { ...query, ...next }));
}

/** Records of all pages, one by one, at most `most` of them: a step has seconds, not minutes. */
export async function* walk(
  list: (query: Readonly<Record<string, string>>) => ListCall<JsonObject>,
  most = 1000,
): AsyncGenerator<JsonObject> {
  let call: ListCall<JsonObject> | undefined;
  await firstAccepted(QUERIES, (query) => {
    call = list(query);
    return call;
  });
  if (!call) return;
  let count = 0;
  for await (const item of call) {
    if (count++ >= most) return;
    yield item;
  }
}

/** The record with this id, where the pages that a step can read hold it. */
export async function findById(
  kind: RecordKind,
  client: Client,
  params: { id: string; idOf: (item: JsonObject) => string | undefined },
): Promise<JsonObject | undefined> {
  for await (const item of walk((query) => kind.list(client, query))) {
    if (params.idOf(item) === params.id) return item;
  }
  return undefined;
}

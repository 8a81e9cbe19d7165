import { LIST_QUERY } from '../src/assumptions.ts';
import { type Client, firstAccepted, type JsonObject, type ListCall, type Page } from './core.ts';
import { idOf, type RecordKind } from './record.ts';

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

/** Records that one step reads at most. */
const WALKED = 1000;

/** Records of all pages, one by one, at most `most` of them: a step has seconds, not minutes. */
export async function* walk(
  list: (query: Readonly<Record<string, string>>) => ListCall<JsonObject>,
  most = WALKED,
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

/**
 * The record with this id; `absent` where the whole list lacks it, `unread` where a step can't read the whole list.
 */
export async function findById(
  kind: RecordKind,
  client: Client,
  id: string,
): Promise<JsonObject | 'absent' | 'unread'> {
  let count = 0;
  for await (const item of walk((query) => kind.list(client, query))) {
    if (idOf(item, kind.resource) === id) return item;
    count++;
  }
  return count < WALKED ? 'absent' : 'unread';
}

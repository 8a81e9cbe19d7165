import type { Client } from './client.ts';
import type { Methods } from './methods.ts';
import type { ListPromise } from './pagination/list-promise.ts';
import type { JsonObject } from './records/fields.ts';
import type { ApiPromise } from './response/response-head.ts';

type OpenMethod<Method> = Method extends (...args: infer Args) => ListPromise<infer Item>
  ? (...args: Args) => ListPromise<Item & JsonObject>
  : Method extends (...args: infer Args) => ApiPromise<infer Data>
    ? (...args: Args) => ApiPromise<Data & JsonObject>
    : never;

/** Client whose objects may have any field, for adapters that look fields up by the names that services use. */
export type OpenClient = Omit<Client, keyof Methods> & {
  readonly [Group in keyof Methods]: { readonly [Name in keyof Methods[Group]]: OpenMethod<Methods[Group][Name]> };
};

/** Views a client as an open one: the objects are JSON objects in both. */
export function toOpenClient(client: Client): OpenClient {
  return client as unknown as OpenClient;
}

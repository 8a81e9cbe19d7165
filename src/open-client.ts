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

type OpenMethods<Group> = { readonly [Name in keyof Group]: OpenMethod<Group[Name]> };

/** Client whose objects may have any field, for adapters that look fields up by the names that services use. */
export type OpenClient = Omit<Client, keyof Methods> & {
  readonly [Group in keyof Methods]: OpenMethods<Methods[Group]>;
};

/** Views a client as an open one. */
export function toOpenClient(client: Client): OpenClient {
  // The objects are JSON objects in both; only their types differ.
  return client as unknown as OpenClient;
}

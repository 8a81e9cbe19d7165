import { z } from 'zod';
import type { Scope } from '../scopes.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Effect of a call on the workspace, which decides retries, MCP annotations and confirmations. */
export type Effect = 'read' | 'create' | 'update' | 'delete' | 'send';

/** Names of the `{name}` parts of a route. */
export type PathParams<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;

/** Encoding of the inputs outside the path. Default: query of a GET or DELETE, JSON body of others. */
export type BodyEncoding = 'multipart';

/** Content of a 2xx: one JSON object, a list in any usual envelope, or a file (§4: by URL, not raw bytes). */
export type ResponseKind = 'item' | 'list' | 'file';

/** One row of §4 of the API document, as plain data. */
export interface Operation {
  readonly route: `${Method} /${string}`;
  readonly scope: Scope;
  readonly effect: Effect;
  readonly responseKind: ResponseKind;
  readonly bodyEncoding?: BodyEncoding;
  /** A POST that can be repeated safely, since its result is not visible to anyone. */
  readonly repeatable?: true;
  /** True if the document states the whole body although no field is always required: types refuse others. */
  readonly statesBody?: true;
  readonly title: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
}

/** Name of a list, which many responses use too: the last word of its route, such as `pages` or `visitors`. */
export function getListName({ route }: Operation): string {
  return route.split('/').at(-1) ?? '';
}

/** Compile error if a path parameter of the route is missing in the input. */
type HasPathParams<O> = O extends Operation
  ? [PathParams<O['route']>] extends [keyof O['input']['shape']]
    ? unknown
    : { readonly input: { readonly missingPathParam: Exclude<PathParams<O['route']>, keyof O['input']['shape']> } }
  : never;

export const INVALID_ID = 'must be the ID of an existing object';

/** ID of an existing object: a text, or a number as some services use. */
export const Id = z
  .union([z.string().min(1, INVALID_ID), z.int(), z.bigint()], { error: INVALID_ID })
  .transform(String);

/** Defaults of an operation: a read of one object, of which the document names no field, so every field passes through. */
const DEFAULTS = { effect: 'read', responseKind: 'item', input: z.looseObject({}), output: z.looseObject({}) } as const;

/** Only a GET may leave out its effect. */
type Entry = Partial<Operation> &
  Pick<Operation, 'scope' | 'title'> &
  (Pick<Operation, 'route' | 'effect'> | { readonly route: `GET /${string}` });

type WithDefaults<E> = Omit<typeof DEFAULTS, keyof E> & E;

/** Completes an entry, with its narrow type and checked path parameters. */
export function defineOperation<const E extends Entry>(entry: E & HasPathParams<WithDefaults<E>>): WithDefaults<E> {
  return { ...DEFAULTS, ...entry };
}

import { z } from 'zod';
import type { Scope } from '../scopes.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** What a call does to the workspace. Retries, MCP hints and confirmations follow from it. */
export type Effect = 'read' | 'create' | 'update' | 'delete' | 'send';

/** The `{name}` parts of a route, as a union of names. */
export type PathParams<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;

/** How the inputs that are not in the path travel; unset: the query of a GET or DELETE, the JSON body of the others. */
export type BodyEncoding = 'multipart';

/** What a 2xx holds: one JSON object, a list in any of the usual envelopes, or a file (§4: by address, not raw bytes). */
export type ResponseKind = 'item' | 'list' | 'file';

/** One row of §4 of the API document, as plain data. */
export interface Operation {
  readonly route: `${Method} /${string}`;
  readonly scope: Scope;
  readonly effect: Effect;
  readonly responseKind: ResponseKind;
  readonly bodyEncoding?: BodyEncoding;
  /** A POST that may be sent twice: what it leaves behind, nobody ever sees. */
  readonly repeatable?: true;
  readonly title: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
}

/** Fails to compile where a route's `{id}` is no key of the input's shape. */
type HasPathParams<O extends Operation> = [PathParams<O['route']>] extends [keyof O['input']['shape']]
  ? unknown
  : {
      readonly input: {
        readonly missingPathParam: Exclude<PathParams<O['route']>, keyof O['input']['shape']>;
      };
    };

/** Identity: gives an entry its narrow type and checks its path parameters, nothing else. */
export function operation<const O extends Operation>(entry: O & HasPathParams<O>): O {
  return entry;
}

/** The id of an existing object, as the service gave it: a text, or one of the numbers that some services count with. */
export const Id = z
  .union([z.string().min(1), z.int(), z.bigint()], { error: 'must be the id of an existing object' })
  .transform(String);

/** An object of which the document names no field: every field passes through untouched. */
export const Unspecified = z.looseObject({});

/** A list takes the service's own query, whose parameters the document does not show (§4). */
export const ListQuery = z.looseObject({});

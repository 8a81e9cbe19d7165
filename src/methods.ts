import type { z } from 'zod';
import type { Download } from './download/download.ts';
import type { Catalog, Group } from './operations/index.ts';
import type { Operation, PathParams } from './operations/operation.ts';
import type { ListOptions, ListPromise } from './pagination/list-promise.ts';
import type { RequestOptions } from './request/client-context.ts';
import type { ApiPromise } from './response/response-head.ts';

/** Fields that the API document does not name, or whose names resemble documented ones. */
interface ExtraFields {
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Only the named keys, so a typo in a literal does not compile. */
type KnownKeys<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
type RequiredKeys<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? never : K }[keyof T];

/** If the document states a body, the input has exactly its fields; others go under `extra`. */
type Input<O extends Operation> = (O['statesBody'] extends true
  ? KnownKeys<z.input<O['input']>>
  : [Exclude<RequiredKeys<KnownKeys<z.input<O['input']>>>, PathParams<O['route']>>] extends [never]
    ? z.input<O['input']>
    : KnownKeys<z.input<O['input']>>) &
  ExtraFields;
type Options<O extends Operation> = O['responseKind'] extends 'list' ? RequestOptions & ListOptions : RequestOptions;
type Arguments<O extends Operation> =
  Record<never, never> extends Input<O>
    ? [input?: Input<O>, options?: Options<O>]
    : [input: Input<O>, options?: Options<O>];
type Result<O extends Operation> = O['responseKind'] extends 'list'
  ? ListPromise<z.output<O['output']>>
  : O['responseKind'] extends 'file'
    ? ApiPromise<Download>
    : ApiPromise<z.output<O['output']>>;

/** Methods of the catalog: `client.links.create(input, options)`. */
export type Methods = {
  [G in Group]: {
    [K in keyof Catalog[G]]: (
      ...args: Arguments<Extract<Catalog[G][K], Operation>>
    ) => Result<Extract<Catalog[G][K], Operation>>;
  };
};

import type { z } from 'zod';
import type { ListCall } from './answer/list-call.ts';
import type { Call } from './answer/response-head.ts';
import type { RequestOptions } from './call/context.ts';
import type { Download } from './download/download.ts';
import type { Catalogue, Group } from './operations/index.ts';
import type { Operation } from './operations/operation.ts';

type Input<O extends Operation> = z.input<O['input']>;
type Arguments<O extends Operation> =
  Record<never, never> extends Input<O>
    ? [input?: Input<O>, options?: RequestOptions]
    : [input: Input<O>, options?: RequestOptions];
type Result<O extends Operation> = O['answers'] extends 'list'
  ? ListCall<z.output<O['output']>>
  : O['answers'] extends 'file'
    ? Call<Download>
    : Call<z.output<O['output']>>;

/** The catalogue as methods: `client.links.create(input, options)`. */
export type Methods = {
  [G in Group]: {
    [K in keyof Catalogue[G]]: (
      ...args: Arguments<Extract<Catalogue[G][K], Operation>>
    ) => Result<Extract<Catalogue[G][K], Operation>>;
  };
};

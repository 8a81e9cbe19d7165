import type { Catalog, Group } from '../../src/operations/index.ts';
import type { ResponseKind } from '../../src/operations/operation.ts';
import type { KeyRecord } from '../state/records.ts';
import type { Service } from '../state/service.ts';
import type { FileView, ReceivedFile } from '../storage/stored-file.ts';
import type { ListResult, ResourceView } from './view.ts';

/** An admitted request: known route, valid key, sufficient scope, within the rate limit. */
export interface HandlerCall {
  readonly service: Service;
  readonly key: KeyRecord;
  /** The `{id}` of the route, or empty. */
  readonly id: string;
  readonly body: unknown;
  readonly file: ReceivedFile | null;
}

interface Results {
  readonly item: ResourceView;
  readonly list: ListResult | readonly ResourceView[];
  readonly file: FileView;
}

type Handler<A extends ResponseKind> = (call: HandlerCall) => Results[A] | Promise<Results[A]>;

type GetResponseKind<Entry> = Entry extends { readonly responseKind: infer A extends ResponseKind } ? A : never;

/** One handler per operation; a missing one does not compile. */
export type Handlers = {
  readonly [G in Group]: { readonly [K in keyof Catalog[G]]: Handler<GetResponseKind<Catalog[G][K]>> };
};

export type AnyHandler = Handler<ResponseKind>;

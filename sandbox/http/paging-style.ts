/** A page of a list, cut. */
export interface Cut {
  /** Entries before it. */
  readonly from: number;
  readonly size: number;
  readonly total: number;
  readonly more: boolean;
  /** The id of its last entry. */
  readonly lastId: string | undefined;
  /** A cursor for the place behind it, whether or not something is there. */
  readonly cursor: string;
  /** The list's own address with these parameters, absolute or without its origin. */
  address(
    params: Readonly<Record<string, string | number>>,
    form?: 'absolute' | 'relative' | 'query',
  ): string;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface PagingStyle {
  /** For people: `paging by …`. */
  readonly words: string;
  /** What the parameter counts: pages from 1 or 0, entries from 0 or 1, a cursor, an id, or the page in the path. */
  readonly counts: 'page' | 'page-from-0' | 'offset' | 'offset-from-1' | 'cursor' | 'id' | 'path';
  readonly param: string;
  /** Parameters that ask for a page size; the usual ones unless told. */
  readonly sizes?: readonly string[];
  /** Fields of the answer, in snake case, where the profile puts them. */
  readonly fields?: (cut: Cut) => Fields;
  /** Fields whose place and name are the style's own. */
  readonly fixed?: (cut: Cut) => Fields;
  readonly headers?: (cut: Cut) => Readonly<Record<string, string>>;
  /** Requests beyond one a page that a client needs, because an answer does not say how to ask for the next or whether there is one. */
  readonly extra?: number;
}

export const page = ({ from, size }: Cut): number => from / size + 1;
export const pages = ({ total, size }: Cut): number => Math.max(1, Math.ceil(total / size));
export const nextPage = (cut: Cut): string => cut.address({ page: page(cut) + 1 });
export const only = (cut: Cut, fields: Fields): Fields => (cut.more ? fields : {});

export const pagingStyles = <const S extends Record<string, PagingStyle>>(
  table: S,
): { readonly [K in keyof S]: PagingStyle } => table;

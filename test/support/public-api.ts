/** What the tables of public APIs share: pages of 57 entries, and how they are requested. */
import { ENTRIES } from './paging-oddities.ts';

export interface Page {
  readonly items: readonly unknown[];
  /** Indices of the first entry and of the one after the page. */
  readonly from: number;
  readonly next: number;
  readonly more: boolean;
}

export interface Response {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
}

export interface PublicApi {
  readonly name: string;
  /** Parameters that the API knows, besides those in `with`; a strict API rejects others with 400. */
  readonly params: readonly string[];
  readonly respond: (query: URLSearchParams) => Response;
  /** Set if a client without knowledge of the API can't read it to its end and must report that. */
  readonly isUnreadable?: true;
  /** What the caller requests with. */
  readonly input?: Readonly<Record<string, string>>;
}

export const LIST = '/api/v1/documents';
export const url = (query: string) => `https://docshare.test${LIST}?${query}`;

export const cut = (from: number, size: number): Page => ({
  items: ENTRIES.slice(from, from + size),
  from,
  next: from + size,
  more: from + size < ENTRIES.length,
});
export const number = (text: string | null, usual: number) => Number((text ?? `${usual}`).replace(/^\D+/, ''));

type Render = (page: Page) => Omit<Response, 'status'>;
export type Row = Omit<PublicApi, 'name'>;

/** By an opaque cursor. */
export const byCursor = (param: string, render: Render, size = 20): Row => ({
  params: [param],
  respond: (query) => render(cut(number(query.get(param), 0), size)),
});
/** By the number of a page, counted from `first`. */
export const byPage = (
  param: string,
  render: (page: Page, number: number) => Response,
  [first, size] = [1, 20],
): Row => ({
  params: [param],
  respond: (query) => {
    const page = number(query.get(param), first);
    return render(cut((page - first) * size, size), page);
  },
});
/** By the number of the first entry. */
export const byOffset = (param: string, render: Render, [first, size] = [0, 20]): Row => ({
  params: [param],
  respond: (query) => render(cut(number(query.get(param), first) - first, size)),
});
/** By the ID of the last entry. */
export const byId = (param: string, render: Render, size = 20): Row => ({
  params: [param],
  respond: (query) => {
    const id = query.get(param);
    const at = id === null ? 0 : ENTRIES.findIndex((entry) => entry.id === id) + 1;
    return at === 0 && id !== null ? { status: 400, body: { error: 'unknown id' } } : render(cut(at, size));
  },
});
export const body = (value: unknown) => ({ body: value });
export const link = (query: string, { more }: Page, items: unknown): Response => ({
  body: items,
  headers: more ? { link: `<${url(query)}>; rel="next"` } : {},
});
export const pages = Math.ceil(ENTRIES.length / 20);

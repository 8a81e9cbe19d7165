import type { ListRequest } from './next-url.ts';
import type { PageCursor } from './page-cursor.ts';
import type { Signs, Step } from './signs.ts';

/** A page, and what is known about the pages before it. */
export interface PageInSequence {
  readonly signs: Signs;
  readonly request: ListRequest;
  /** Entries of the response. */
  readonly count: number;
  /** Entries that no earlier page had. */
  readonly fresh: number;
  readonly lastId: string | undefined;
  /** The step that led here; undefined for the first page of a call. */
  readonly by?: Step | undefined;
  /** The cursor of the previous page. */
  readonly before?: PageCursor | undefined;
}

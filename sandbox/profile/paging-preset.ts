import type { NextPageScheme, PagingScheme } from '../../src/profile/paging-scheme.ts';

/** What the parameter of the next page holds. `path`: the page number is in the path of the address. */
export type PagePosition = 'page' | 'offset' | 'cursor' | 'id' | 'path';

/**
 * Fields of a response. A text `{name}` becomes that value of the page, as `render/page-values.ts` names it; other texts and
 * values stay as they are.
 */
export interface Template {
  readonly [field: string]: TemplateValue;
}
export type TemplateValue = string | boolean | null | readonly TemplateValue[] | Template;

/** How lists page under one setting, as data: a paging scheme, and what responses say besides. */
export interface PagingPreset {
  /** For people: `paging by …`. */
  readonly description: string;
  readonly next: NextPageScheme;
  readonly more?: PagingScheme['more'];
  readonly total?: PagingScheme['total'];
  /** Parameter that requests a page size, beside the usual ones. */
  readonly sizeParam?: string;
  /** What the parameter in an address holds. For other values of `next.by` it follows from them. */
  readonly position?: PagePosition;
  /** Value of the next page's field after the last page; null unless set. `same`: what it is on the other pages. */
  readonly atEnd?: AtEnd;
  readonly extras?: Template;
  /** Parts of each header, joined by commas; a part without a value is left out. */
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  /** Whether the fields have a place of their own, so that the switch `pagingPlace` does not apply. */
  readonly isFixed?: boolean;
  /** Requests that a client needs beyond one per page, if a response does not say how to request the next or whether there is one. */
  readonly extra?: number;
}

export const definePresets = <const Name extends string>(
  presets: Record<Name, PagingPreset>,
): Record<Name, PagingPreset> => presets;

export type AtEnd = 'null' | 'omitted' | 'empty' | 'same';

/** Whether responses have fields that the switch `pagingPlace` moves. */
export function hasMovableFields({ isFixed, next, more, total, extras }: PagingPreset): boolean {
  return !isFixed && (next.at ?? more ?? total ?? extras) !== undefined;
}

/** Whether headers lead to the next page, so that a bare array needs no other way. */
export function usesHeaders({ next, headers }: PagingPreset): boolean {
  return (next.header ?? headers) !== undefined;
}

/** What the parameter of the next page holds under a preset. */
export function getPosition({ next, position }: Pick<PagingPreset, 'next' | 'position'>): PagePosition {
  if (position !== undefined) return position;
  switch (next.by) {
    case 'page':
    case 'offset':
      return next.by;
    case 'after-id':
      return 'id';
    default:
      return 'cursor';
  }
}

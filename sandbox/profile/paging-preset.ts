import type { NextPageScheme, PagingScheme } from '../../src/profile/paging-scheme.ts';

/** The value of the next page's parameter. `path`: the page number is part of the path. */
export type PositionKind = 'page' | 'offset' | 'cursor' | 'id' | 'path';

/** Fields of a response. `{name}` is replaced by a value of `render/page-values.ts`; other values are literal. */
export interface ResponseTemplate {
  readonly [field: string]: ResponseTemplateValue;
}
export type ResponseTemplateValue = string | boolean | null | readonly ResponseTemplateValue[] | ResponseTemplate;

/** How a setting pages lists, as data: a paging scheme and the other fields of responses. */
export interface PagingPreset {
  /** For people: `paging by …`. */
  readonly description: string;
  readonly next: NextPageScheme;
  readonly more?: PagingScheme['more'];
  readonly total?: PagingScheme['total'];
  /** Parameter for the page size, besides the usual ones. */
  readonly sizeParam?: string;
  /** The parameter's value in a URL. For other values of `next.by` it follows from them. */
  readonly position?: PositionKind;
  /** Value of the next-page field on the last page (default null). `same`: as on other pages. */
  readonly atEnd?: AtEnd;
  readonly extras?: ResponseTemplate;
  /** Parts of each header, joined by commas; parts without a value are omitted. */
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  /** If true, the switch `pagingLocation` does not apply. */
  readonly isFixed?: boolean;
  /**
   * Additional requests that a client needs if responses don't tell how to request the next page or whether
   * there is one.
   */
  readonly extra?: number;
}

export const definePresets = <const Name extends string>(
  presets: Record<Name, PagingPreset>,
): Record<Name, PagingPreset> => presets;

export type AtEnd = 'null' | 'omitted' | 'empty' | 'same';

/** Returns true if the switch `pagingLocation` moves fields of the responses. */
export function hasMovableFields({ isFixed, next, more, total, extras }: PagingPreset): boolean {
  return !isFixed && (next.at ?? more ?? total ?? extras) !== undefined;
}

/** Returns true if headers lead to the next page, as a bare array needs. */
export function usesHeaders({ next, headers }: PagingPreset): boolean {
  return (next.header ?? headers) !== undefined;
}

export function getPositionKind({ next, position }: Pick<PagingPreset, 'next' | 'position'>): PositionKind {
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

import type { NextPageScheme, PagingScheme } from '../../src/profile/paging-scheme.ts';
import {
  type AtEnd,
  getPositionKind,
  hasMovableFields,
  type PagingPreset,
  type PositionKind,
  type ResponseTemplate,
  usesHeaders,
} from '../profile/paging-preset.ts';
import { PAGING_PRESETS } from '../profile/paging-presets.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { styleField, styleName, styleNames } from './shape-fields.ts';

/** How a list is rendered: the path of its entries, the next page's request, and other fields. */
export interface PagingRules {
  readonly scheme: PagingScheme;
  readonly position: PositionKind;
  readonly atEnd: AtEnd;
  readonly extras: ResponseTemplate;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly sizeParams: readonly string[];
}

/** Parameters for the page size in every preset. */
export const SIZE_PARAMS = ['limit', 'per_page', 'page_size', 'perPage', 'pageSize'];

const CURSOR_QUERY: Readonly<Record<SandboxProfile['cursorName'], string>> = {
  next_cursor: 'cursor',
  next_page_token: 'page_token',
  end_cursor: 'after',
};

/** Returns the profile's preset; undefined if lists have only one page. */
export function getPagingPreset({ paging, cursorName }: SandboxProfile): PagingPreset | undefined {
  if (paging === 'none') return undefined;
  if (paging !== 'cursor') return PAGING_PRESETS[paging];
  return {
    description: `\`${cursorName}\` and \`has_more\``,
    next: { by: 'cursor', at: [cursorName], params: [CURSOR_QUERY[cursorName]] },
    more: { at: ['has_more'], means: true },
  };
}

/** Returns the rules of the profile's switches for a list such as `rooms`. */
export function getPagingRules(profile: SandboxProfile, name: string): PagingRules {
  const preset = getPagingPreset(profile);
  const size = { default: Number(profile.pageSize), max: Number(profile.maxPageSize) };
  const at = entriesPath(profile, name, preset);
  const none = { atEnd: 'null', extras: {}, headers: {}, sizeParams: [] } as const;
  if (!preset) return { ...none, scheme: { at, size }, position: 'cursor' };
  const { next, more, total, sizeParam, atEnd = 'null', extras = {}, headers = {} } = preset;
  const position = getPositionKind(preset);
  const sizeParams = [...(sizeParam === undefined ? [] : [sizeParam]), ...SIZE_PARAMS];
  const params = next.params.map((param) => styleParam(param, profile));
  const common = { position, headers, sizeParams } as const;
  // A bare array has no fields: a header leads to the next page.
  if (at.length === 0) {
    const { at: _, ...rest } = next;
    const isOwn = usesHeaders(preset);
    const byHeader: NextPageScheme = isOwn ? rest : { ...rest, by: 'url', header: 'link' };
    return {
      ...common,
      atEnd: isOwn ? atEnd : 'omitted',
      extras: {},
      scheme: { at, size, next: { ...byHeader, params } },
    };
  }
  const place = (path: readonly string[]) => [
    ...(profile.pagingLocation === 'top' || preset.isFixed ? [] : [styleName(profile.pagingLocation, profile)]),
    ...path.map((field) => styleField(field, profile)),
  ];
  const styled = styleNames(extras, profile) as ResponseTemplate;
  const [top] = place([]);
  return {
    ...common,
    atEnd,
    extras: top === undefined || !hasMovableFields(preset) ? styled : { [top]: styled },
    scheme: {
      at,
      size,
      next: { ...next, params, ...(next.at ? { at: place(next.at) } : {}) },
      ...(more ? { more: { ...more, at: place(more.at) } } : {}),
      ...(total ? { total: place(total) } : {}),
    },
  };
}

/** Parameters are camelCase with each naming except snake_case. */
function styleParam(param: string, profile: SandboxProfile): string {
  return /^[a-z_]+$/.test(param) && profile.naming !== 'snake'
    ? styleName(param, { ...profile, naming: 'camel' })
    : param;
}

/** Returns the path of the entries in the profile's envelope (§4). */
function entriesPath(profile: SandboxProfile, name: string, preset: PagingPreset | undefined): string[] {
  switch (profile.envelope) {
    case 'bare':
      return [];
    case 'nested':
      return ['data', styleName('items', profile)];
    case 'resource':
      // The field is used by the links to other pages.
      return [Object.hasOwn(preset?.extras ?? {}, name) ? 'data' : styleName(name, profile)];
    default:
      return [styleName(profile.envelope, profile)];
  }
}

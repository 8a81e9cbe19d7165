import type { Profile } from '../profile/switches.ts';
import { type Detail, Refusal } from '../refusal.ts';
import { jsonReply, type Reply } from './reply.ts';
import { styleName } from './shape-fields.ts';

const LARGEST_PAGE = 100;
const SIZE_NAMES = ['limit', 'per_page', 'page_size', 'perPage', 'pageSize'];
const CURSOR_QUERY: Record<string, string> = {
  next_cursor: 'cursor',
  next_page_token: 'page_token',
  end_cursor: 'after',
};

interface Page {
  readonly entries: readonly unknown[];
  readonly from: number;
  readonly size: number;
  readonly total: number;
  readonly more: boolean;
}

/** A list in the envelope and with the paging of the profile (§4: both are not shown). */
export function answerList(input: {
  entries: readonly unknown[];
  name: string;
  url: URL;
  profile: Profile;
}): Reply {
  const { profile, url } = input;
  const page = cut(input.entries, url.searchParams, profile);
  const headers: Record<string, string> = {};
  // A bare array has no room for anything else, so that it goes on by its header or not at all.
  if (
    page.more &&
    (profile.paging === 'link-header' || (profile.envelope === 'bare' && profile.paging !== 'none'))
  )
    headers['link'] = `<${nextUrl(page, url, profile)}>; rel="next"`;
  return jsonReply({
    status: 200,
    value: wrap({ page, name: input.name, url, profile }),
    contentType: profile.contentType,
    headers,
  });
}

function cut(entries: readonly unknown[], query: URLSearchParams, profile: Profile): Page {
  const total = entries.length;
  if (profile.paging === 'none') return { entries, from: 0, size: total, total, more: false };
  const size = readNumber(query, SIZE_NAMES, {
    fallback: Number(profile.pageSize),
    low: 1,
    high: LARGEST_PAGE,
  });
  const from = readStart(query, size, profile);
  return { entries: entries.slice(from, from + size), from, size, total, more: from + size < total };
}

function readStart(query: URLSearchParams, size: number, profile: Profile): number {
  if (usesPages(profile)) {
    const page = readNumber(query, ['page'], { fallback: 1, low: 1, high: Number.MAX_SAFE_INTEGER });
    return (page - 1) * size;
  }
  if (profile.paging === 'offset')
    return readNumber(query, ['offset', 'skip'], { fallback: 0, low: 0, high: Number.MAX_SAFE_INTEGER });
  const name = cursorQuery(profile);
  const cursor = query.get(name);
  if (cursor === null || cursor === '') return 0;
  const position = /^at:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (position === undefined) throw refuseQuery(name, 'is not a cursor of this list');
  return Number(position);
}

const usesPages = ({ paging }: Profile) => paging === 'page' || paging === 'next-url';

function cursorQuery(profile: Profile): string {
  return CURSOR_QUERY[profile.cursorName] ?? 'cursor';
}

function readNumber(
  query: URLSearchParams,
  names: readonly string[],
  range: { fallback: number; low: number; high: number },
): number {
  const name = names.find((candidate) => query.has(candidate));
  if (name === undefined) return range.fallback;
  const value = Number(query.get(name));
  if (!Number.isInteger(value) || value < range.low)
    throw refuseQuery(name, `must be a whole number from ${range.low}`);
  return Math.min(value, range.high);
}

function refuseQuery(field: string, message: string): Refusal {
  const details: Detail[] = [{ field, message }];
  return new Refusal('badBody', `The query is not valid. ${field}: ${message}`, details);
}

function cursorAfter(page: Page): string {
  return Buffer.from(`at:${page.from + page.size}`).toString('base64url');
}

function nextUrl(page: Page, url: URL, profile: Profile): string {
  const next = new URL(url);
  if (usesPages(profile)) next.searchParams.set('page', String(page.from / page.size + 2));
  else if (profile.paging === 'offset') next.searchParams.set('offset', String(page.from + page.size));
  else next.searchParams.set(cursorQuery(profile), cursorAfter(page));
  return next.href;
}

function wrap(input: { page: Page; name: string; url: URL; profile: Profile }): unknown {
  const { page, name: resource, profile } = input;
  const entries = page.entries;
  const paging = pagingFields(input);
  const styled = Object.fromEntries(Object.entries(paging).map(([name, v]) => [styleName(name, profile), v]));
  const place =
    profile.pagingPlace === 'top' ? styled : { [styleName(profile.pagingPlace, profile)]: styled };
  const around = Object.keys(paging).length > 0 ? place : {};
  switch (profile.envelope) {
    case 'bare':
      return entries;
    case 'resource':
      return { [styleName(resource, profile)]: entries, ...around };
    case 'nested':
      return { data: { [styleName('items', profile)]: entries }, ...around };
    default:
      return { [styleName(profile.envelope, profile)]: entries, ...around };
  }
}

function pagingFields(input: { page: Page; url: URL; profile: Profile }): Record<string, unknown> {
  const { page, url, profile } = input;
  switch (profile.paging) {
    case 'cursor':
      return { has_more: page.more, [profile.cursorName]: page.more ? cursorAfter(page) : null };
    case 'page':
      return {
        page: page.from / page.size + 1,
        per_page: page.size,
        total: page.total,
        total_pages: Math.ceil(page.total / page.size),
      };
    case 'offset':
      return { offset: page.from, limit: page.size, total: page.total };
    case 'next-url':
      return { count: page.total, next: page.more ? nextUrl(page, url, profile) : null };
    default:
      return {};
  }
}

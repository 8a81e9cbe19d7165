import * as assumed from '../../src/assumptions/index.ts';
import type { ListProfile } from '../../src/profile/service-profile.ts';
import { pagingStyleOf } from '../http/list-answer.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { type FieldError, Rejection } from '../refusal.ts';
import { plainName } from './form-paths.ts';

export type Next = NonNullable<ListProfile['next']>;

/** A page of a list, cut as the learned service cuts it. */
export interface Cut {
  readonly from: number;
  readonly size: number;
  readonly total: number;
  readonly more: boolean;
}

/** What a parameter of the place holds. */
export type Counts = 'cursor' | 'page' | 'offset' | 'id';

const PAGES = new Set(assumed.PAGE_PARAMS.map(plainName));
const OFFSETS = new Set(assumed.OFFSET_PARAMS.map(plainName));

/** How a list goes on: as learned, or where no list was longer than a page, as the nearest profile does. */
export function nextOf({ next }: ListProfile, profile: SandboxProfile): Next | undefined {
  if (next) return next.by === 'none' ? undefined : next;
  const style = pagingStyleOf(profile);
  if (!style) return undefined;
  const params = [style.param];
  switch (style.counts) {
    case 'id':
      return { by: 'after-id', params };
    case 'offset':
      return { by: 'offset', params };
    case 'offset-from-1':
      return { by: 'offset', params, first: 1 };
    case 'page-from-0':
      return { by: 'page', params, first: 0 };
    case 'page':
    case 'path':
      return { by: 'page', params };
    case 'cursor':
      return {
        by: 'cursor',
        params,
        ...(style.headers || profile.envelope === 'bare' ? { header: 'link' } : {}),
      };
  }
}

/** The parameter that the place of the next page goes into, and what it holds. */
export function placeOf(next: Next): { param: string; counts: Counts } {
  const [param = 'cursor'] = next.params;
  if (next.by === 'page') return { param: next.params[0] ?? 'page', counts: 'page' };
  if (next.by === 'offset') return { param: next.params[0] ?? 'offset', counts: 'offset' };
  if (next.by === 'after-id') return { param: next.params[0] ?? 'after', counts: 'id' };
  const plain = plainName(param);
  if (next.by === 'cursor')
    return { param, counts: next.first !== undefined && PAGES.has(plain) ? 'page' : 'cursor' };
  return { param, counts: PAGES.has(plain) ? 'page' : OFFSETS.has(plain) ? 'offset' : 'cursor' };
}

/** What the service counts its first page or entry as. */
function firstOf(next: Next, counts: Counts): number {
  return next.first ?? (counts === 'page' ? 1 : 0);
}

/** Where the page begins that a request asks for. */
export function readPlace(input: {
  next: Next;
  query: URLSearchParams;
  size: number;
  ids: () => readonly (string | undefined)[];
}): number {
  const { next, query, size } = input;
  const { param, counts } = placeOf(next);
  const name = [param, ...next.params].find((one) => query.has(one));
  const given = name === undefined ? '' : (query.get(name) ?? '');
  if (name === undefined || given === '') return 0;
  if (counts === 'id') return input.ids().indexOf(given) + 1;
  if (counts === 'cursor') {
    const written = /^\d{1,15}$/.test(given)
      ? given
      : /^at:(\d+)$/.exec(Buffer.from(given, 'base64url').toString())?.[1];
    if (written === undefined) throw refuseQuery(name, 'is not a place of this list');
    return Number(written);
  }
  const number = Number(given) - firstOf(next, counts);
  if (!Number.isSafeInteger(number) || number < 0)
    throw refuseQuery(name, `must be a whole number from ${firstOf(next, counts)}`);
  return counts === 'page' ? number * size : number;
}

/** What asks for the page behind this one; a number where `asNumber` says that the answer has numbers there. */
export function placeBehind(input: {
  next: Next;
  cut: Cut;
  lastId: string | undefined;
  asNumber?: boolean;
}): string | number {
  const { next, cut } = input;
  const { counts } = placeOf(next);
  const end = cut.from + cut.size;
  if (counts === 'id') return input.lastId ?? '';
  if (counts === 'cursor') return input.asNumber ? end : Buffer.from(`at:${end}`).toString('base64url');
  return firstOf(next, counts) + (counts === 'page' ? Math.floor(end / cut.size) : end);
}

/** How many entries a page holds: as asked for, within what the service allows. */
export function readSize({ size }: ListProfile, query: URLSearchParams, usual: number): number {
  const most = Math.max(1, size.most ?? Number.MAX_SAFE_INTEGER);
  const given = size.param === undefined ? null : query.get(size.param);
  if (size.param === undefined || given === null || given === '')
    return Math.min(Math.max(1, size.usual ?? usual), most);
  const asked = Number(given);
  if (!Number.isSafeInteger(asked) || asked < 1)
    throw refuseQuery(size.param, 'must be a whole number from 1');
  return Math.min(asked, most);
}

export function refuseQuery(field: string, message: string): Rejection {
  const details: FieldError[] = [{ field, message }];
  return new Rejection('badBody', `The query is not valid. ${field}: ${message}`, details);
}

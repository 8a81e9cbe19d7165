import { pagingStyleOf, renderList, SIZE_NAMES } from '../http/list-answer.ts';
import type { PagingStyle } from '../http/paging-style.ts';
import { resolveProfile } from '../profile/choose-profile.ts';
import { type SandboxProfile, SWITCHES } from '../profile/switches.ts';
import { type FormPaths, likeness, pathsOfSchema, pathsOfValue, plainName } from './form-paths.ts';
import type { SeenList } from './seen-lists.ts';

type Settings = Partial<Pick<SandboxProfile, 'paging' | 'pagingPlace' | 'cursorName'>>;

/** A way to page, with what its answers hold besides the entries: always, and now and then. */
interface Candidate {
  readonly settings: Settings;
  readonly style: PagingStyle | undefined;
  readonly always: FormPaths;
  readonly ever: FormPaths;
}

/** A page of a list of seven, by three: what its answer says around the entries, and in its headers. */
function around(profile: SandboxProfile, query: string): FormPaths {
  const entries = Array.from({ length: 7 }, (_, index) => ({ id: `id-${index}` }));
  const url = new URL(`http://sandbox.invalid/api/v1/rooms${query}`);
  const { headers, body } = renderList({ entries, name: 'rooms', url, profile });
  return new Set([...besides(pathsOfValue(JSON.parse(String(body))), ['data']), ...headerPaths(headers)]);
}

/** The same of an answer that was learned. */
function aroundSeen({ called, list }: SeenList, headers: ReadonlySet<string>): readonly string[] {
  const body = called.answer?.body;
  const named = headerPaths(called.answer?.headers ?? {}).filter((path) => headers.has(path));
  return [...(body ? besides(pathsOfSchema(body), list.at) : []), ...named];
}

function besides(paths: FormPaths, at: readonly string[]): readonly string[] {
  const steps = at.map(
    (_, index) =>
      `.${at
        .slice(0, index + 1)
        .map(plainName)
        .join('.')}`,
  );
  const list = steps.at(-1) ?? '';
  return [...paths].filter(
    (path) =>
      !path.startsWith(':') &&
      !steps.some((step) => path.startsWith(`${step}:`)) &&
      !path.startsWith(`${list}[`),
  );
}

function headerPaths(headers: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(headers)
    .map((name) => name.toLowerCase())
    .filter((name) => name !== 'content-type')
    .map((name) => `#${name}:text`);
}

let known: readonly Candidate[] | undefined;

/** Drawn once, from the functions that write the answers. */
function candidates(): readonly Candidate[] {
  known ??= SWITCHES.paging.settings.flatMap((paging) =>
    SWITCHES.pagingPlace.settings.flatMap((pagingPlace) =>
      (paging === 'cursor' ? SWITCHES.cursorName.settings : ['next_cursor' as const]).map((cursorName) =>
        candidate({ paging, pagingPlace, cursorName }),
      ),
    ),
  );
  return known;
}

function candidate(settings: Required<Settings>): Candidate {
  const profile = resolveProfile({ ...settings, pageSize: '3' });
  const style = pagingStyleOf(profile);
  const [first, last] = [around(profile, ''), around(profile, '?limit=7')];
  return {
    settings: {
      paging: settings.paging,
      // What a style puts into a place of its own says nothing about the place.
      ...(style?.fields ? { pagingPlace: settings.pagingPlace } : {}),
      ...(settings.paging === 'cursor' ? { cursorName: settings.cursorName } : {}),
    },
    style,
    always: new Set([...first].filter((path) => last.has(path))),
    ever: new Set([...first, ...last]),
  };
}

/** The way to page whose answers look like those that were seen; nothing where no list said anything about it. */
export function nearestPaging(lists: readonly SeenList[]): Settings {
  return pagingFit(lists).settings;
}

/** The same, and whether lists page in just that way: `isExact` where nothing that was seen is missing or otherwise. */
export function pagingFit(lists: readonly SeenList[]): { settings: Settings; isExact: boolean } {
  const settings = (found: Settings, isExact = false) => ({ settings: found, isExact });
  const headers = new Set(
    candidates().flatMap(({ ever }) => [...ever].filter((path) => path.startsWith('#'))),
  );
  const seen = new Set(lists.flatMap((list) => aroundSeen(list, headers)));
  const next = lists.map(({ list }) => list.next).find((one) => one !== undefined && one.by !== 'none');
  if (!next && lists.some(({ list }) => list.next?.by === 'none')) return settings({ paging: 'none' });
  if (!next && seen.size === 0) return settings({});
  const isBare = lists.some(({ list }) => list.at.length === 0);
  const params = new Set(next?.params.map(plainName));
  const scored = candidates().map((one) => {
    // A bare array has no room for fields: any of them may stand behind its header.
    const form =
      isBare && seen.size === 1 && seen.has('#link:text') ? 1 : likeness(seen, one.always, one.ever);
    const param = one.style && params.has(plainName(one.style.param)) ? 0.2 : 0;
    const own = isBare && one.style?.headers ? 0.05 : 0;
    return {
      one,
      score: form + param + own + (next && one.style && counts(one.style, next) ? 0.1 : 0),
      form,
    };
  });
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  if (best.form < 0.5) return settings({});
  const { style } = best.one;
  const isExact =
    best.form === 1 &&
    next !== undefined &&
    style !== undefined &&
    isKnown(style, { params, next, size: lists[0]?.list.size.param });
  // Nor does a bare array say under which names it would go on.
  const { paging } = best.one.settings;
  return settings(isBare && paging ? { paging } : best.one.settings, isExact);
}

/** Whether a way to page takes the parameters that were learned. */
function isKnown(
  style: PagingStyle,
  seen: {
    params: ReadonlySet<string>;
    next: NonNullable<SeenList['list']['next']>;
    size: string | undefined;
  },
): boolean {
  const isPlace = style.counts === 'path' || seen.params.has(plainName(style.param));
  const sizes = [...(style.sizes ?? []), ...SIZE_NAMES].map(plainName);
  // What is given to go on with may be a number as well as a cursor.
  const isKind = counts(style, seen.next) || seen.next.by === 'cursor';
  return isPlace && isKind && (seen.size === undefined || sizes.includes(plainName(seen.size)));
}

function counts(style: PagingStyle, next: NonNullable<SeenList['list']['next']>): boolean {
  switch (next.by) {
    case 'cursor':
      return style.counts === 'cursor';
    case 'address':
      // An address without a parameter has the place in its path.
      if (next.params.every((param) => param === '/')) return style.counts === 'path';
      return style.headers !== undefined || style.fixed !== undefined || /next/.test(style.words);
    case 'page':
      return next.first === 0
        ? style.counts === 'page-from-0'
        : style.counts === 'page' || style.counts === 'path';
    case 'offset':
      return style.counts === (next.first === 1 ? 'offset-from-1' : 'offset');
    case 'after-id':
      return style.counts === 'id';
    case 'none':
      return false;
  }
}

import type { Schema } from '../../../src/profile/json-schema.ts';
import type { NextPageScheme } from '../../../src/profile/paging-scheme.ts';
import { getListProfiles } from '../../../src/profile/profile-fields.ts';
import type { ServiceProfile } from '../../../src/profile/service-profile.ts';
import { isObject } from '../../base/is-object.ts';
import { getPositionKind, hasMovableFields, type PagingPreset, usesHeaders } from '../../profile/paging-preset.ts';
import { resolveProfile } from '../../profile/resolve-profile.ts';
import { type SandboxProfile, SWITCHES } from '../../profile/switches.ts';
import { normalizeName } from '../../service-profile/normalize-name.ts';
import { getPagingPreset, getPagingRules, type PagingRules, SIZE_PARAMS } from '../paging-rules.ts';

export type LearnedList = ReturnType<typeof getListProfiles>[number];

type Settings = Partial<Pick<SandboxProfile, 'paging' | 'pagingLocation' | 'cursorName'>>;

/** A setting with the fields and headers of its responses, besides the entries. */
interface Candidate {
  readonly settings: Settings;
  readonly preset: PagingPreset | undefined;
  readonly paths: ReadonlySet<string>;
}

const CANDIDATES: readonly Candidate[] = SWITCHES.paging.settings.flatMap((paging) =>
  SWITCHES.pagingLocation.settings.flatMap((pagingLocation) =>
    (paging === 'cursor' ? SWITCHES.cursorName.settings : ['next_cursor' as const]).map((cursorName) => {
      const profile = resolveProfile({ paging, pagingLocation, cursorName });
      const preset = getPagingPreset(profile);
      return {
        settings: {
          paging,
          // Fixed fields say nothing about the switch.
          ...(preset && hasMovableFields(preset) ? { pagingLocation } : {}),
          ...(paging === 'cursor' ? { cursorName } : {}),
        },
        preset,
        paths: new Set(rulePaths(getPagingRules(profile, 'rooms'))),
      };
    }),
  ),
);
const HEADERS = new Set(CANDIDATES.flatMap(({ paths }) => [...paths].filter((path) => path.startsWith('#'))));

function getKey(path: readonly string[]): string {
  return path.map(normalizeName).join('.');
}

function rulePaths({ scheme: { next, more, total }, extras, headers }: PagingRules): readonly string[] {
  const names = [next?.header, ...Object.keys(headers)].filter((name) => name !== undefined);
  const paths = [next?.at, more?.at, total].filter((path) => path !== undefined);
  return [...leafPaths(extras, []), ...paths.map(getKey), ...names.map((name) => `#${name.toLowerCase()}`)];
}

/** Returns the paths of all values that are not objects. A list counts as one value. */
function leafPaths(value: unknown, path: readonly string[]): readonly string[] {
  if (!isObject(value)) return [getKey(path)];
  return Object.entries(value).flatMap(([name, field]) => leafPaths(field, [...path, name]));
}

function learnedPaths({ response, list }: LearnedList): readonly string[] {
  const headers = Object.keys(response?.headers ?? {}).map((name) => `#${name.toLowerCase()}`);
  const entries = getKey(list.at);
  const fields = schemaPaths(response?.body ?? {}, []).filter((path) => path !== entries && path !== '');
  return [...fields, ...headers.filter((name) => HEADERS.has(name))];
}

function schemaPaths({ properties }: Schema, path: readonly string[]): readonly string[] {
  if (!properties) return [getKey(path)];
  return Object.entries(properties).flatMap(([name, field]) => schemaPaths(field, [...path, name]));
}

/** Returns the paging whose responses look like the learned ones; empty if no list was paged. */
export function findClosestPagingSettings(lists: readonly LearnedList[]): Settings {
  return findPaging(lists).settings;
}

const exact = new WeakMap<ServiceProfile, boolean>();

/** Returns true if the learned paging equals one of the settings. */
export function hasExactPaging(serviceProfile: ServiceProfile): boolean {
  const isExact = exact.get(serviceProfile) ?? findPaging(getListProfiles(serviceProfile)).isExact;
  exact.set(serviceProfile, isExact);
  return isExact;
}

function findPaging(lists: readonly LearnedList[]): { settings: Settings; isExact: boolean } {
  const inexact = (settings: Settings) => ({ settings, isExact: false });
  const seen = new Set(lists.flatMap(learnedPaths));
  const next = lists.map(({ list }) => list.next).find((one) => one !== undefined && one.by !== 'none');
  if (!next && lists.some(({ list }) => list.next?.by === 'none')) return inexact({ paging: 'none' });
  if (!next && seen.size === 0) return inexact({});
  const isBare = lists.some(({ list }) => list.at.length === 0);
  // A bare array has no fields: any setting may be behind its header.
  const isAnyBare = isBare && seen.size === 1 && seen.has('#link');
  const params = (next?.params ?? []).map(normalizeName);
  const scored = CANDIDATES.map((one) => {
    const { preset, paths } = one;
    const form = isAnyBare ? 1 : getSimilarity(seen, paths, preset);
    const param = params.includes(normalizeName(preset?.next.params[0] ?? '')) ? 0.2 : 0;
    const kind = next && preset && isSameNext(preset, next) ? 0.1 : 0;
    const own = isBare && preset && usesHeaders(preset) ? 0.05 : 0;
    return { one, form, score: form + param + kind + own };
  });
  const { one, form } = scored.reduce((a, b) => (b.score > a.score ? b : a));
  if (form < 0.5) return inexact({});
  const { settings, preset } = one;
  const isExact = form === 1 && next !== undefined && preset !== undefined && hasParams(preset, lists[0]);
  // A bare array does not show the names of an envelope.
  return { settings: isBare && settings.paging ? { paging: settings.paging } : settings, isExact };
}

/** Returns the share of common paths, from 0 to 1. Fields that a last page omits may be missing. */
function getSimilarity(
  seen: ReadonlySet<string>,
  input: ReadonlySet<string>,
  preset: PagingPreset | undefined,
): number {
  const isOptional = (path: string) => preset?.atEnd === 'omitted' && path.endsWith(getKey(preset.next.at ?? []));
  const common = [...seen].filter((path) => input.has(path)).length;
  const missing = [...input].filter((path) => !seen.has(path) && !isOptional(path)).length;
  return seen.size + missing === 0 ? 1 : common / (seen.size + missing);
}

function isSameNext(preset: PagingPreset, next: NextPageScheme): boolean {
  const position = getPositionKind(preset);
  if (next.by === 'cursor') return position === 'cursor';
  if (next.by === 'after-id') return position === 'id';
  if (next.by !== 'url') {
    const usual = next.by === 'page' ? 1 : 0;
    return position === next.by && (next.first ?? usual) === (preset.next.first ?? usual);
  }
  // A URL without a parameter has the page in its path.
  return next.params.every((param) => param === '/') ? position === 'path' : preset.next.by === 'url';
}

function hasParams(preset: PagingPreset, seen: LearnedList | undefined): boolean {
  const { next, size } = seen?.list ?? {};
  const params = (next?.params ?? []).map(normalizeName);
  const isPosition = getPositionKind(preset) === 'path' || params.includes(normalizeName(preset.next.params[0] ?? ''));
  const sizes = [preset.sizeParam ?? '', ...SIZE_PARAMS].map(normalizeName);
  return isPosition && (size?.param === undefined || sizes.includes(normalizeName(size.param)));
}

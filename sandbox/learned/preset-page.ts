import type { Schema } from '../../src/profile/json-schema.ts';
import type { ListProfile, ServiceProfile } from '../../src/profile/service-profile.ts';
import type { ResourceView } from '../handlers/view.ts';
import { renderList } from '../http/list-answer.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import type { Put } from './fill-places.ts';
import { plainName } from './form-paths.ts';
import { pagingFit } from './nearest-paging.ts';
import { listsOf } from './seen-lists.ts';

const known = new WeakMap<ServiceProfile, boolean>();

/** Whether lists were seen to page in just the way that one of the sandbox's own settings does. */
export function pagesLikePreset(serviceProfile: ServiceProfile): boolean {
  const before = known.get(serviceProfile);
  if (before !== undefined) return before;
  const isLike = pagingFit(listsOf(serviceProfile)).isExact;
  known.set(serviceProfile, isLike);
  return isLike;
}

/** A page as that setting cuts it, with all that it says around the entries and in headers. */
export interface PresetPage {
  readonly shown: readonly unknown[];
  readonly puts: readonly Put[];
  readonly headers: Readonly<Record<string, string>>;
}

export function presetPage(input: {
  views: readonly ResourceView[];
  write: (view: ResourceView) => unknown;
  list: ListProfile;
  schema: Schema | undefined;
  url: URL;
  profile: SandboxProfile;
}): PresetPage {
  const { views, list, schema, url } = input;
  const isBare = list.at.length === 0;
  const { usual = Number(input.profile.pageSize), most = Number(input.profile.largestPage) } = list.size;
  const profile = {
    ...input.profile,
    envelope: isBare ? 'bare' : 'data',
    // Pages may be of any size here.
    ...({ pageSize: String(usual), largestPage: String(Math.max(usual, most)) } as object),
  } as SandboxProfile;
  const reply = renderList({
    entries: views,
    shape: (view) => input.write(view as ResourceView),
    name: 'entries',
    url,
    profile,
  });
  const value = JSON.parse(String(reply.body));
  const { 'content-type': _, ...headers } = reply.headers;
  if (isBare) return { shown: value, puts: [], headers };
  const { data, Data = data, ...around } = value;
  return { shown: Data, puts: schema ? putsOf(schema, around, []) : [], headers };
}

/** What the setting says, at the same places of the learned form, in whatever case their names are. */
function putsOf(schema: Schema, around: unknown, path: readonly string[]): Put[] {
  if (typeof around !== 'object' || around === null || Array.isArray(around)) return [];
  const said = new Map(Object.entries(around).map(([name, value]) => [plainName(name), value]));
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]): Put[] => {
    const value: unknown = said.get(plainName(name));
    if (value === undefined) return [];
    const at = [...path, name];
    return field.properties ? putsOf(field, value, at) : [{ path: at, value: () => value }];
  });
}

import type { OperationName } from '../../src/operations/index.ts';
import { valueTypes } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { ListProfile, OperationProfile } from '../../src/profile/service-profile.ts';
import type { ResourceView } from '../handlers/view.ts';
import type { HttpResponse } from '../http/reply.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { fillPlaces, type Put } from './fill-places.ts';
import { fillObject, isNullable, type Source } from './fit.ts';
import { type Cut, type Next, nextOf, placeBehind, placeOf, readPlace, readSize } from './learned-place.ts';
import { learnedReply } from './learned-reply.ts';
import { narrowLearned } from './narrow-learned.ts';
import { type Onward, usualWords } from './paging-words.ts';
import { type PresetPage, presetPage } from './preset-page.ts';
import { schemaAt } from './schema-at.ts';

interface Asked {
  readonly called: OperationProfile | undefined;
  readonly name: OperationName;
  readonly views: readonly ResourceView[];
  readonly url: URL;
  readonly profile: SandboxProfile;
  readonly sourceOf: (view: ResourceView) => Source;
  /** The form of an entry, where no list showed one. */
  readonly entry: Schema | undefined;
  /** Whether its pages are just those of one of the sandbox's own settings. */
  readonly isPreset: boolean;
  /** Gives an entry the form of the profile, where nothing was learned of it. */
  readonly shape: (view: ResourceView) => unknown;
}

/** A list as the service gives it that was learned; undefined where nothing is known of it. */
export function answerLearnedList(asked: Asked): HttpResponse | undefined {
  const { called, profile } = asked;
  const list = called?.list;
  if (!called || !list) return undefined;
  const { answer } = called;
  const views = narrowLearned(asked.views, list, asked.url.searchParams);
  const items = schemaAt(answer?.body, list.at)?.items ?? asked.entry;
  const write = (view: ResourceView) => writeEntry(view, items, asked);
  const { shown, puts, headers } = pageOf(views, { asked, list, write, schema: answer?.body });
  const source = { view: {}, seed: `${asked.name} answer`, profile };
  const value = () => fillPlaces(answer?.body, [{ path: list.at, value: () => shown }, ...puts], source);
  if (!answer)
    return {
      status: 200,
      headers: { 'content-type': profile.contentType, ...headers },
      body: JSON.stringify(value()),
    };
  const reply = learnedReply({ ...answer, body: answer.body ?? {} }, value);
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** A page and what is said of it: by one of the sandbox's own ways where it is just that, else as it was learned. */
function pageOf(
  views: readonly ResourceView[],
  of: { asked: Asked; list: ListProfile; write: (view: ResourceView) => unknown; schema: Schema | undefined },
): PresetPage {
  const { asked, list, write, schema } = of;
  const { url, profile } = asked;
  const next = nextOf(list, profile);
  if (asked.isPreset && next) {
    const page = presetPage({ views, write, list, schema, url, profile });
    // What it does not say this time is not invented either.
    const onward = onwardOf({ cut: END, views, lastId: undefined }, undefined, url);
    const silent = schema ? usualWords(schema, onward, list.at) : [];
    return { ...page, puts: [...page.puts, ...without(silent, page.puts)] };
  }
  const page = cutPage(views, { list, next, query: url.searchParams, usual: Number(profile.pageSize) });
  const onward = onwardOf(page, next, url);
  return {
    shown: page.views.map(write),
    puts: putsOf({ list, next, onward, schema }),
    headers: next ? headersOf(next, onward) : {},
  };
}

const END: Cut = { from: 0, size: 1, total: 1, more: false };

function without(puts: readonly Put[], others: readonly Put[]): readonly Put[] {
  const taken = new Set(others.map(({ path }) => path.join('\n')));
  return puts.filter(({ path }) => !taken.has(path.join('\n')));
}

function writeEntry(view: ResourceView, items: Schema | undefined, { shape, sourceOf }: Asked): unknown {
  if (!items || !valueTypes(items).includes('object')) return shape(view);
  return fillObject(items, sourceOf(view));
}

interface Page {
  readonly cut: Cut;
  readonly views: readonly ResourceView[];
  readonly lastId: string | undefined;
}

function cutPage(
  views: readonly ResourceView[],
  asked: { list: ListProfile; next: Next | undefined; query: URLSearchParams; usual: number },
): Page {
  const { list, next, query } = asked;
  const total = views.length;
  const idOf = (view: ResourceView | undefined) =>
    view?.['id'] === undefined ? undefined : String(view['id']);
  // Entries without ids can't be asked for by the last one's.
  const isWhole = !next || (placeOf(next).counts === 'id' && views.some((view) => idOf(view) === undefined));
  if (isWhole)
    return { cut: { from: 0, size: Math.max(1, total), total, more: false }, views, lastId: undefined };
  const size = readSize(list, query, asked.usual);
  const from = readPlace({ next, query, size, ids: () => views.map(idOf) });
  const page = views.slice(from, from + size);
  return { cut: { from, size, total, more: from + size < total }, views: page, lastId: idOf(page.at(-1)) };
}

function onwardOf({ cut, lastId }: Page, next: Next | undefined, url: URL): Onward {
  const place = (asNumber: boolean) =>
    next && cut.more ? placeBehind({ next, cut, lastId, asNumber }) : null;
  return {
    cut,
    place,
    self: url.href,
    address() {
      const behind = place(false);
      if (!next || behind === null) return null;
      const address = new URL(url);
      address.searchParams.set(placeOf(next).param, String(behind));
      return address.href;
    },
  };
}

/** Where an answer says how it goes on: at the places that were learned, and under usual names elsewhere. */
function putsOf(seen: {
  list: ListProfile;
  next: Next | undefined;
  onward: Onward;
  schema: Schema | undefined;
}): Put[] {
  const { list, next, onward, schema } = seen;
  const { cut } = onward;
  const { more, total } = list;
  const at = list.next?.at;
  const puts: Put[] = [
    ...(more && more.at.length > 0
      ? [{ path: more.at, value: () => (cut.more ? more.means : otherThan(more.means)) }]
      : []),
    ...(total && total.length > 0 ? [{ path: total, value: () => cut.total }] : []),
  ];
  const usual = schema ? usualWords(schema, onward, list.at) : [];
  const onwards = next && at && at.length > 0 ? [{ path: at, value: leadOn(next, onward) }] : [];
  // A page's own number may lead on as well as the next one's: which, its name says.
  const isNumbered = next?.by === 'page' || next?.by === 'offset';
  const [first, second] = isNumbered ? [usual, onwards] : [onwards, usual];
  const said = [...puts, ...without(first, puts)];
  return [...said, ...without(second, said)];
}

function leadOn(next: Next, onward: Onward) {
  return (form: Schema | undefined, isRequired: boolean): unknown => {
    const types = valueTypes(form ?? {});
    const isNumber = types.includes('integer') || types.includes('number') || form?.format === 'digits';
    const value = next.by === 'address' ? onward.address() : onward.place(isNumber);
    if (value !== null) return types.length === 1 && types[0] === 'string' ? String(value) : value;
    // Where no answer of this list had it, its last page has not either.
    if (!form) return undefined;
    if (isNullable(form) || types.length === 0) return null;
    return isRequired && types.includes('string') ? '' : undefined;
  };
}

function otherThan(means: string | number | boolean): unknown {
  if (typeof means === 'boolean') return !means;
  return typeof means === 'number' ? (means === 0 ? 1 : 0) : '';
}

function headersOf({ header, by }: Next, onward: Onward): Record<string, string> {
  if (header === undefined) return {};
  const name = header.toLowerCase();
  if (name === 'link') {
    const address = onward.address();
    return address === null ? {} : { link: `<${address}>; rel="next"` };
  }
  const place = by === 'address' ? onward.address() : onward.place(false);
  return place === null ? {} : { [name]: String(place) };
}

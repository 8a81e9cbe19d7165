import * as assumed from '../../src/assumptions/index.ts';
import { valueTypes } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { Put } from './fill-places.ts';
import { isNullable } from './fit.ts';
import { plainName } from './form-paths.ts';
import type { Cut } from './learned-place.ts';

/** A page with what leads on from it: null at the end. */
export interface Onward {
  readonly cut: Cut;
  readonly place: (asNumber: boolean) => string | number | null;
  readonly address: () => string | null;
  /** The address of this page. */
  readonly self: string;
}

const plain = (names: readonly string[]) => new Set(names.map(plainName));
const MORE = plain(assumed.HAS_MORE_FIELDS);
const LAST = plain(assumed.IS_LAST_FIELDS);
const LINKS = plain(assumed.LINK_FIELDS);
const CURSORS = plain(Object.keys(assumed.CURSOR_FIELDS));
const ADDRESSES = plain([...assumed.NEXT_URL_FIELDS, 'next']);

const NUMBERS: readonly (readonly [ReadonlySet<string>, (cut: Cut) => number])[] = [
  [plain(Object.keys(assumed.PAGE_NUMBER_FIELDS)), ({ from, size }) => Math.floor(from / size) + 1],
  [plain(assumed.PAGE_COUNT_FIELDS), ({ total, size }) => Math.max(1, Math.ceil(total / size))],
  [plain([...assumed.TOTAL_FIELDS, ...assumed.COUNT_FIELDS]), ({ total }) => total],
  [plain(assumed.SIZE_FIELDS), ({ size }) => size],
  [plain(Object.keys(assumed.OFFSET_FIELDS)), ({ from }) => from],
  [plain(['to']), ({ from, size, total }) => Math.min(total, from + size)],
];

/** How deep an answer may say something about its pages. */
const MOST_LEVELS = 3;

/** What an answer says of the page under names that are usual for it, anywhere but among the entries. */
export function usualWords(schema: Schema, onward: Onward, at: readonly string[]): Put[] {
  const find = (form: Schema, path: readonly string[], isThere: boolean): Put[] =>
    Object.entries(form.properties ?? {}).flatMap(([name, field]): Put[] => {
      const place = [...path, name];
      if (place.length === at.length && place.every((step, index) => step === at[index])) return [];
      const isRequired = isThere && form.required?.includes(name) === true;
      if (field.properties) return place.length < MOST_LEVELS ? find(field, place, isRequired) : [];
      // `next: { href }`: what the address is for says the object that holds it.
      const word = LINKS.has(plainName(name)) ? (path.at(-1) ?? name) : name;
      const said = say({ word: plainName(word), field, isRequired }, onward);
      return said === undefined ? [] : [{ path: place, value: () => (said === LEFT_OUT ? undefined : said) }];
    });
  return find(schema, [], true);
}

/** A field that is not there at the end of a list. */
const LEFT_OUT = Symbol('left out');

function say(
  { word, field, isRequired }: { word: string; field: Schema; isRequired: boolean },
  onward: Onward,
): unknown {
  const types = valueTypes(field);
  const { cut } = onward;
  if (types.includes('boolean')) {
    if (MORE.has(word)) return cut.more;
    return LAST.has(word) ? !cut.more : word === 'first' ? cut.from === 0 : undefined;
  }
  const isNumber = types.includes('integer') || types.includes('number');
  const found = NUMBERS.find(([names]) => names.has(word));
  if (isNumber && found) return found[1](cut);
  // What else is counted beside the entries counts them all, as far as anyone can tell.
  if (isNumber && field.format === undefined && !CURSORS.has(word)) return cut.total;
  if (types.includes('object') || types.includes('array')) return undefined;
  const end = endOf(field, isRequired);
  if (/^prev/.test(word)) return end;
  const isAddress = ADDRESSES.has(word) && (field.format === 'uri' || word !== 'next');
  if (isAddress) return onward.address() ?? end;
  if (field.format === 'uri' && word === 'self') return onward.self;
  if (CURSORS.has(word)) return onward.place(isNumber || field.format === 'digits') ?? end;
  return types.includes('string') && found && !/^(?:last|first|to|from|start)$/.test(word)
    ? String(found[1](cut))
    : undefined;
}

/** What stands where a list goes on when it does not: null where that was seen, else nothing. */
function endOf(form: Schema, isRequired: boolean): unknown {
  const types = valueTypes(form);
  if (isNullable(form) || types.length === 0) return null;
  if (!isRequired) return LEFT_OUT;
  return types.includes('string') ? '' : LEFT_OUT;
}

import * as assumed from '../../src/assumptions/index.ts';
import { valueTypes } from '../../src/profile/invent.ts';
import type { Schema } from '../../src/profile/schema.ts';
import type { Put } from './fill-places.ts';
import { isNullable } from './fit.ts';
import { plainName } from './form-paths.ts';
import type { Cut } from './learned-place.ts';

/** A page with what leads on from it: null at the end. */
export interface Onward {
  readonly cut: Cut;
  readonly place: (asNumber: boolean) => string | number | null;
  readonly address: () => string | null;
}

const plain = (names: readonly string[]) => new Set(names.map(plainName));
const MORE = plain(assumed.MORE_FIELDS);
const LAST = plain(assumed.LAST_FIELDS);
const CURSORS = plain(Object.keys(assumed.CURSOR_FIELDS));
const ADDRESSES = plain([...assumed.NEXT_ADDRESS_FIELDS, 'next']);

const NUMBERS: readonly (readonly [ReadonlySet<string>, (cut: Cut) => number])[] = [
  [plain(Object.keys(assumed.PAGE_NUMBER_FIELDS)), ({ from, size }) => Math.floor(from / size) + 1],
  [plain(assumed.LAST_PAGE_FIELDS), ({ total, size }) => Math.max(1, Math.ceil(total / size))],
  [plain([...assumed.TOTAL_FIELDS, ...assumed.COUNT_FIELDS]), ({ total }) => total],
  [plain(assumed.SIZE_FIELDS), ({ size }) => size],
  [plain(Object.keys(assumed.OFFSET_FIELDS)), ({ from }) => from],
  [plain(['to']), ({ from, size, total }) => Math.min(total, from + size)],
];

/** How deep an answer may say something about its pages. */
const MOST_LEVELS = 3;

/** What an answer says of the page under names that are usual for it, anywhere but among the entries. */
export function usualWords(
  schema: Schema,
  onward: Onward,
  within: { at: readonly string[]; saysPlace: boolean },
): Put[] {
  const find = (form: Schema, path: readonly string[]): Put[] =>
    Object.entries(form.properties ?? {}).flatMap(([name, field]): Put[] => {
      const place = [...path, name];
      if (place.length === within.at.length && place.every((step, index) => step === within.at[index]))
        return [];
      if (field.properties) return place.length < MOST_LEVELS ? find(field, place) : [];
      const said = say(name, field, { onward, saysPlace: within.saysPlace });
      return said === undefined ? [] : [{ path: place, value: () => said }];
    });
  return find(schema, []);
}

function say(
  name: string,
  field: Schema,
  { onward, saysPlace }: { onward: Onward; saysPlace: boolean },
): unknown {
  const types = valueTypes(field);
  const word = plainName(name);
  const { cut } = onward;
  if (types.includes('boolean')) {
    if (MORE.has(word)) return cut.more;
    return LAST.has(word) ? !cut.more : word === 'first' ? cut.from === 0 : undefined;
  }
  const isNumber = types.includes('integer') || types.includes('number');
  const found = NUMBERS.find(([names]) => names.has(word));
  if (isNumber && found) return found[1](cut);
  if (/^prev/.test(word) && isNullable(field)) return null;
  if (saysPlace || types.includes('object') || types.includes('array')) return undefined;
  const end = isNullable(field) || types.length === 0 ? null : types.includes('string') ? '' : undefined;
  if (ADDRESSES.has(word) && (field.format === 'uri' || word !== 'next')) return onward.address() ?? end;
  if (CURSORS.has(word)) return onward.place(isNumber) ?? end;
  return types.includes('string') && found && !/^(?:last|first|to|from|start)$/.test(word)
    ? String(found[1](cut))
    : undefined;
}

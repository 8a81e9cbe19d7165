import * as assumed from '../../../src/assumptions/index.ts';
import { generateSample, getValueTypes } from '../../../src/profile/generate-sample.ts';
import type { Schema } from '../../../src/profile/json-schema.ts';
import type { NextPageScheme, PagingScheme } from '../../../src/profile/paging-scheme.ts';
import { getSchemaAt } from '../../../src/profile/profile-fields.ts';
import type { ListProfile } from '../../../src/profile/service-profile.ts';
import {
  type AtEnd,
  getPositionKind,
  type PositionKind,
  type ResponseTemplate,
  type ResponseTemplateValue,
} from '../../profile/paging-preset.ts';
import { normalizeName, toNameSet } from '../../service-profile/normalize-name.ts';
import type { PagingRules } from '../paging-rules.ts';
import { isNullable } from './learned-object.ts';

const PAGE_PARAMS = toNameSet(assumed.PAGE_PARAMS);
const OFFSET_PARAMS = toNameSet(assumed.OFFSET_PARAMS);
const LINKS = toNameSet(assumed.LINK_FIELDS);

const NUMBER = ['integer', 'number', 'string'];
const TEXT = ['string'];
const FLAG = ['boolean'];

/** Usual names of fields around a list, with their value and types. */
const FIELD_VALUES: readonly (readonly [ReadonlySet<string>, string, readonly string[]])[] = [
  [toNameSet(assumed.HAS_MORE_FIELDS), '{hasMore}', FLAG],
  [toNameSet(assumed.IS_LAST_FIELDS), '{isLast}', FLAG],
  [toNameSet(['first']), '{isFirst}', FLAG],
  [toNameSet(Object.keys(assumed.PAGE_NUMBER_FIELDS)), '{page}', NUMBER],
  [toNameSet(assumed.PAGE_COUNT_FIELDS), '{pages}', NUMBER],
  [toNameSet([...assumed.TOTAL_FIELDS, ...assumed.COUNT_FIELDS]), '{total}', NUMBER],
  [toNameSet(assumed.SIZE_FIELDS), '{size}', NUMBER],
  [toNameSet(assumed.OFFSET_FIELDS), '{offset}', NUMBER],
  [toNameSet(['self']), '{self}', TEXT],
  [toNameSet([...assumed.NEXT_URL_FIELDS, 'next']), '{nextUrl}', TEXT],
  [toNameSet(Object.keys(assumed.CURSOR_FIELDS)), '{next}', TEXT],
];

/** Returns the rules of a learned list: its own scheme, or that of the switches if only one page was seen. */
export function getLearnedRules(list: ListProfile, closest: PagingRules, body: Schema | undefined): PagingRules {
  const { at: _, ...unplaced } = closest.scheme.next ?? { by: 'none', params: [] };
  const next: NextPageScheme = list.next ?? unplaced;
  const { size, ...scheme } = list;
  return {
    scheme: { ...scheme, next, size: { ...closest.scheme.size, max: undefined, ...size } as typeof size },
    position: list.next ? learnedPosition(list.next) : closest.position,
    atEnd: getAtEnd(body, next.at ?? []),
    extras: body ? getExtras(body, getPaths({ ...list, next }), []) : {},
    headers: list.next ? {} : closest.headers,
    sizeParams: size.param === undefined ? [] : [size.param],
  };
}

function getPaths({ at, next, more, total }: PagingScheme): readonly string[] {
  return [at, next?.at, more?.at, total].flatMap((path) => (path ? [path.join('\n')] : []));
}

function learnedPosition(next: NextPageScheme): PositionKind {
  const param = normalizeName(next.params[0] ?? '');
  if (next.params.length > 0 && next.params.every((one) => one === '/')) return 'path';
  if (next.by === 'cursor' && next.first === undefined) return 'cursor';
  if (next.by !== 'url' && next.by !== 'cursor') return getPositionKind({ next });
  return PAGE_PARAMS.has(param) ? 'page' : OFFSET_PARAMS.has(param) ? 'offset' : 'cursor';
}

/** Null after the last page if null was seen; empty text if the field is always text. */
function getAtEnd(body: Schema | undefined, at: readonly string[]): AtEnd {
  const form = getSchemaAt(body, at);
  if (!form || at.length === 0) return 'omitted';
  if (isNullable(form) || getValueTypes(form).length === 0) return 'null';
  const isRequired = at.every((name, index) => getSchemaAt(body, at.slice(0, index))?.required?.includes(name));
  return isRequired && getValueTypes(form).includes('string') ? 'empty' : 'omitted';
}

/** Returns the fields around the list that the scheme does not name: known by name, or generated. */
function getExtras(form: Schema, known: readonly string[], path: readonly string[]): ResponseTemplate {
  const fields = Object.entries(form.properties ?? {}).map(
    ([name, field]): [string, ResponseTemplateValue | undefined] => {
      const place = [...path, name];
      const key = place.join('\n');
      if (known.includes(key)) return [name, undefined];
      const isOnWay = known.some((one) => one.startsWith(`${key}\n`));
      const isRequired = isOnWay || form.required?.includes(name) === true;
      if (!isRequired) return [name, undefined];
      if (field.properties) return [name, getExtras(field, known, place)];
      const word = normalizeName(LINKS.has(normalizeName(name)) ? (path.at(-1) ?? name) : name);
      return [
        name,
        getUsualValue(word, field) ?? (generateSample(field, { seed: key, name }) as ResponseTemplateValue),
      ];
    },
  );
  return Object.fromEntries(fields.filter((entry): entry is [string, ResponseTemplateValue] => entry[1] !== undefined));
}

/** Returns the value that a field of this name usually has, in a type that the field allows. */
function getUsualValue(word: string, field: Schema): ResponseTemplateValue | undefined {
  const [type] = getValueTypes(field);
  const isNumber = type === 'integer' || type === 'number';
  const found = FIELD_VALUES.find(
    ([names, , types]) => names.has(word) && (type === undefined || types.includes(type)),
  );
  if (/^prev/.test(word) && isNullable(field)) return null;
  // Other numbers next to the entries count them all.
  if (!found) return isNumber && field.format === undefined ? '{total}' : undefined;
  return type === 'string' && found[2].includes('integer') ? found[1].replace('}', ':text}') : found[1];
}

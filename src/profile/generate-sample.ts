import { createHash } from 'node:crypto';
import type { JsonType, Schema } from './json-schema.ts';
import {
  generateEmail,
  generateText,
  generateUrl,
  ID_ALPHABET,
  pickOne,
  type RandomSource,
  randomText,
  splitName,
} from './sample-text.ts';

export interface SampleOptions {
  /** Equal seeds give equal values, in every process and version of Node. */
  readonly seed: string | number;
  /** What the value stands in: a field's name, which says what a person would expect there. */
  readonly name?: string | undefined;
}

/** The first moment of invented times: far from now, so that nobody takes one for a fact. */
const MIN_SAMPLE_TIME = Date.UTC(2025, 0, 6, 8);
const DAY_MS = 86_400_000;
/** A form nested deeper is a mistake or an attack: what stands below is left out. */
const MAX_DEPTH = 40;

/**
 * A value of a form: harmless, like what a person would expect there, and always the same for a seed. Fields that may be
 * null or missing are filled; `examples` are not looked at, since whoever wrote them need not have invented them.
 */
export function generateSample(schema: Schema, { seed, name = '' }: SampleOptions): unknown {
  return generateAt(schema, { path: `${seed}\n${name}`, name, depth: 0 });
}

interface SamplePosition {
  /** The seed and the names that lead here. */
  readonly path: string;
  readonly name: string;
  readonly depth: number;
}

/** The types that a form allows besides null, likeliest first; those that its parts imply where it names none. */
export function valueTypes(schema: Schema): readonly JsonType[] {
  const { type } = schema;
  const named = type === undefined ? [] : typeof type === 'string' ? [type] : type;
  if (named.length > 0) return named.filter((one) => one !== 'null');
  if (schema.properties || schema.additionalProperties) return ['object'];
  if (schema.items) return ['array'];
  return schema.format === undefined ? [] : ['string'];
}

function generateAt(schema: Schema, position: SamplePosition): unknown {
  const random = createRandom(position.path);
  const enumValues = schema.enum?.filter((value) => value !== null) ?? [];
  const [firstValue, ...others] = enumValues;
  if (firstValue !== undefined) return pickOne(random, [firstValue, ...others]);
  const [type] = valueTypes(schema);
  if (type === undefined) return null;
  if (type === 'object') return generateObject(schema, position);
  if (type === 'array')
    return schema.items && position.depth < MAX_DEPTH
      ? [generateAt(schema.items, childPosition(position, '0', position.name))]
      : [];
  const nameWords = splitName(position.name);
  if (type === 'boolean') return random() < 0.5;
  if (type === 'string') return generateString(schema, random, nameWords);
  return generateNumber({ schema, whole: type === 'integer' }, random, nameWords);
}

function generateObject({ properties = {}, additionalProperties }: Schema, position: SamplePosition): object {
  if (position.depth >= MAX_DEPTH) return {};
  const fields = Object.entries(properties);
  // The names of a map are no part of its form.
  if (fields.length === 0 && additionalProperties) fields.push(['example', additionalProperties]);
  // Defines each field, also one that is named __proto__.
  return Object.fromEntries(
    fields.map(([name, field]) => [name, generateAt(field, childPosition(position, name, name))]),
  );
}

function childPosition({ path, depth }: SamplePosition, step: string, name: string): SamplePosition {
  // A hash of the way, not the way itself: names may be long and the way deep.
  return { path: createHash('sha256').update(`${path}\n${step}`).digest('base64'), name, depth: depth + 1 };
}

function generateString(schema: Schema, random: RandomSource, nameWords: readonly string[]): string {
  switch (schema.format) {
    case 'date-time':
      return new Date(generateTime(random, nameWords)).toISOString();
    case 'date':
      return new Date(generateTime(random, nameWords)).toISOString().slice(0, 10);
    case 'epoch-seconds':
      return String(Math.floor(generateTime(random, nameWords) / 1000));
    case 'epoch-ms':
      return String(generateTime(random, nameWords));
    case 'uri':
      return generateUrl(random, nameWords);
    case 'email':
      return generateEmail(random);
    case 'uuid':
      return generateUuid(random);
    case 'prefixed-id':
      return `${getIdPrefix(schema)}${randomText(random, 16, ID_ALPHABET)}`;
    case 'digits':
      return randomText(random, 7, '0123456789');
    case 'opaque-id':
      return randomText(random, 20, ID_ALPHABET);
    default:
      return generateText(random, nameWords);
  }
}

/** What looks like the beginning of an id; anything else is none. */
function getIdPrefix({ 'x-prefix': prefix = '' }: Schema): string {
  return /^[\w.:-]{1,32}$/.test(prefix) ? prefix : '';
}

function generateNumber(
  { schema, whole }: { schema: Schema; whole: boolean },
  random: RandomSource,
  nameWords: readonly string[],
): number {
  if (schema.format === 'epoch-seconds') return Math.floor(generateTime(random, nameWords) / 1000);
  if (schema.format === 'epoch-ms') return generateTime(random, nameWords);
  // An id, wherever it counts things.
  if (nameWords.at(-1) === 'id' || schema.format === 'digits')
    return 1_000_000 + Math.floor(random() * 8_999_999);
  const isRatio = nameWords.some((name) => /^(?:rate|ratio|share|completion|percent|percentage)$/.test(name));
  if (isRatio && !whole) return Math.round(random() * 100) / 100;
  const max = nameWords.some((name) => /^(?:size|bytes|amount|total)$/.test(name)) ? 90_000 : 40;
  return 1 + Math.floor(random() * max) + (whole ? 0 : 0.5);
}

/** A moment to the second: what ends or changes lies behind what begins. */
function generateTime(random: RandomSource, nameWords: readonly string[]): number {
  const offsetDays = nameWords.some((name) =>
    /^(?:expires?|expiry|expiration|ends?|until|due|renews?)$/.test(name),
  )
    ? 400
    : nameWords.some((name) => /^(?:created|inserted|joined|added|since|from)$/.test(name))
      ? 0
      : 200;
  return MIN_SAMPLE_TIME + Math.floor(((offsetDays + random() * 150) * DAY_MS) / 1000) * 1000;
}

function generateUuid(random: RandomSource): string {
  const hex = (length: number) => randomText(random, length, '123456789abcdef');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}

function createRandom(path: string): RandomSource {
  let state = createHash('sha256').update(path).digest().readUInt32LE(0);
  // mulberry32: one number of state, the same on every machine.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

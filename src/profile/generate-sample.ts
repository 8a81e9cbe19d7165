import { createHash } from 'node:crypto';
import type { JsonType, Schema } from './json-schema.ts';
import {
  generateCharacters,
  generateEmail,
  generateText,
  generateUrl,
  ID_ALPHABET,
  pickOne,
  type RandomSource,
  splitName,
} from './sample-text.ts';

export interface SampleOptions {
  /** Equal seeds give equal values, in every process and version of Node. */
  readonly seed: string | number;
  /** Name of the value's field, which decides what it looks like. */
  readonly name?: string | undefined;
}

/** Start of generated times: in the past, so samples are not mistaken for real data. */
const MIN_SAMPLE_TIME = Date.UTC(2025, 0, 6, 8);
const DAY_MS = 86_400_000;
/** Deeper schemas are a mistake or an attack; the rest is left out. */
const MAX_DEPTH = 40;

/** Generates a realistic value, always the same for a seed. Ignores `examples`: they may be real data. */
export function generateSample(schema: Schema, { seed, name = '' }: SampleOptions): unknown {
  return generateAt(schema, { path: `${seed}\n${name}`, name, depth: 0 });
}

interface SamplePosition {
  /** The seed and the names that lead here, hashed. */
  readonly path: string;
  readonly name: string;
  readonly depth: number;
}

/** Returns the types that a schema allows besides null, likeliest first; inferred from its parts if it names none. */
export function getValueTypes(schema: Schema): readonly JsonType[] {
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
  const [type] = getValueTypes(schema);
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
  // A map has no fixed field names.
  if (fields.length === 0 && additionalProperties) fields.push(['example', additionalProperties]);
  // Defines a field named __proto__ too.
  return Object.fromEntries(
    fields.map(([name, field]) => [name, generateAt(field, childPosition(position, name, name))]),
  );
}

function childPosition({ path, depth }: SamplePosition, step: string, name: string): SamplePosition {
  // Hashed, because names may be long and the path deep.
  return { path: createHash('sha256').update(`${path}\n${step}`).digest('base64'), name, depth: depth + 1 };
}

/** Generators by format; a text of any other format depends on its name. */
const FORMAT_GENERATORS: Readonly<
  Record<string, (random: RandomSource, nameWords: readonly string[], schema: Schema) => string>
> = {
  'date-time': (random, nameWords) => new Date(generateTime(random, nameWords)).toISOString(),
  date: (random, nameWords) => new Date(generateTime(random, nameWords)).toISOString().slice(0, 10),
  'epoch-seconds': (random, nameWords) => String(Math.floor(generateTime(random, nameWords) / 1000)),
  'epoch-ms': (random, nameWords) => String(generateTime(random, nameWords)),
  uri: generateUrl,
  email: generateEmail,
  uuid: generateUuid,
  'prefixed-id': (random, _, schema) => `${getIdPrefix(schema)}${generateCharacters(random, 16, ID_ALPHABET)}`,
  digits: (random) => generateCharacters(random, 7, '0123456789'),
  'opaque-id': (random) => generateCharacters(random, 20, ID_ALPHABET),
};

function generateString(schema: Schema, random: RandomSource, nameWords: readonly string[]): string {
  const { format = '' } = schema;
  const generate = Object.hasOwn(FORMAT_GENERATORS, format) ? FORMAT_GENERATORS[format] : undefined;
  return generate ? generate(random, nameWords, schema) : generateText(random, nameWords);
}

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
  // An ID, even if numeric.
  if (nameWords.at(-1) === 'id' || schema.format === 'digits') return 1_000_000 + Math.floor(random() * 8_999_999);
  const isRatio = nameWords.some((name) => /^(?:rate|ratio|share|completion|percent|percentage)$/.test(name));
  if (isRatio && !whole) return Math.round(random() * 100) / 100;
  const max = nameWords.some((name) => /^(?:size|bytes|amount|total)$/.test(name)) ? 90_000 : 40;
  return 1 + Math.floor(random() * max) + (whole ? 0 : 0.5);
}

/** A time in whole seconds; ends and changes come after creation. */
function generateTime(random: RandomSource, nameWords: readonly string[]): number {
  const offsetDays = nameWords.some((name) => /^(?:expires?|expiry|expiration|ends?|until|due|renews?)$/.test(name))
    ? 400
    : nameWords.some((name) => /^(?:created|inserted|joined|added|since|from)$/.test(name))
      ? 0
      : 200;
  return MIN_SAMPLE_TIME + Math.floor(((offsetDays + random() * 150) * DAY_MS) / 1000) * 1000;
}

function generateUuid(random: RandomSource): string {
  const hex = (length: number) => generateCharacters(random, length, '123456789abcdef');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}

function createRandom(path: string): RandomSource {
  let state = createHash('sha256').update(path).digest().readUInt32LE(0);
  // mulberry32: the same sequence on every machine.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

import { createHash } from 'node:crypto';
import {
  choose,
  type Draw,
  drawText,
  inventAddress,
  inventText,
  inventUrl,
  LETTERS,
  splitName,
} from './invented-text.ts';
import type { JsonType, Schema } from './schema.ts';

export interface SampleOptions {
  /** Equal seeds give equal values, in every process and version of Node. */
  readonly seed: string | number;
  /** What the value stands in: a field's name, which says what a person would expect there. */
  readonly name?: string | undefined;
}

/** The first moment of invented times: far from now, so that nobody takes one for a fact. */
const FIRST_MOMENT = Date.UTC(2025, 0, 6, 8);
const DAY_MS = 86_400_000;
/** A form nested deeper is a mistake or an attack: what stands below is left out. */
const MAX_DEPTH = 40;

/**
 * A value of a form: harmless, like what a person would expect there, and always the same for a seed. Fields that may be
 * null or missing are filled; `examples` are not looked at, since whoever wrote them need not have invented them.
 */
export function generateSample(schema: Schema, { seed, name = '' }: SampleOptions): unknown {
  return inventAt(schema, { path: `${seed}\n${name}`, name, depth: 0 });
}

interface Place {
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

function inventAt(schema: Schema, place: Place): unknown {
  const draw = createDraw(place.path);
  const words = schema.enum?.filter((value) => value !== null) ?? [];
  const [word, ...others] = words;
  if (word !== undefined) return choose(draw, [word, ...others]);
  const [type] = valueTypes(schema);
  if (type === undefined) return null;
  if (type === 'object') return inventObject(schema, place);
  if (type === 'array')
    return schema.items && place.depth < MAX_DEPTH
      ? [inventAt(schema.items, below(place, '0', place.name))]
      : [];
  const names = splitName(place.name);
  if (type === 'boolean') return draw() < 0.5;
  if (type === 'string') return inventString(schema, draw, names);
  return inventNumber({ schema, whole: type === 'integer' }, draw, names);
}

function inventObject({ properties = {}, additionalProperties }: Schema, place: Place): object {
  if (place.depth >= MAX_DEPTH) return {};
  const fields = Object.entries(properties);
  // The names of a map are no part of its form.
  if (fields.length === 0 && additionalProperties) fields.push(['example', additionalProperties]);
  // Defines each field, also one that is named __proto__.
  return Object.fromEntries(fields.map(([name, field]) => [name, inventAt(field, below(place, name, name))]));
}

function below({ path, depth }: Place, step: string, name: string): Place {
  // A hash of the way, not the way itself: names may be long and the way deep.
  return { path: createHash('sha256').update(`${path}\n${step}`).digest('base64'), name, depth: depth + 1 };
}

function inventString(schema: Schema, draw: Draw, names: readonly string[]): string {
  switch (schema.format) {
    case 'date-time':
      return new Date(inventMoment(draw, names)).toISOString();
    case 'date':
      return new Date(inventMoment(draw, names)).toISOString().slice(0, 10);
    case 'epoch-seconds':
      return String(Math.floor(inventMoment(draw, names) / 1000));
    case 'epoch-ms':
      return String(inventMoment(draw, names));
    case 'uri':
      return inventUrl(draw, names);
    case 'email':
      return inventAddress(draw);
    case 'uuid':
      return inventUuid(draw);
    case 'prefixed-id':
      return `${getIdPrefix(schema)}${drawText(draw, 16, LETTERS)}`;
    case 'digits':
      return drawText(draw, 7, '0123456789');
    case 'opaque-id':
      return drawText(draw, 20, LETTERS);
    default:
      return inventText(draw, names);
  }
}

/** What looks like the beginning of an id; anything else is none. */
function getIdPrefix({ 'x-prefix': prefix = '' }: Schema): string {
  return /^[\w.:-]{1,32}$/.test(prefix) ? prefix : '';
}

function inventNumber(
  { schema, whole }: { schema: Schema; whole: boolean },
  draw: Draw,
  names: readonly string[],
): number {
  if (schema.format === 'epoch-seconds') return Math.floor(inventMoment(draw, names) / 1000);
  if (schema.format === 'epoch-ms') return inventMoment(draw, names);
  // An id, wherever it counts things.
  if (names.at(-1) === 'id' || schema.format === 'digits') return 1_000_000 + Math.floor(draw() * 8_999_999);
  const isShare = names.some((name) => /^(?:rate|ratio|share|completion|percent|percentage)$/.test(name));
  if (isShare && !whole) return Math.round(draw() * 100) / 100;
  const most = names.some((name) => /^(?:size|bytes|amount|total)$/.test(name)) ? 90_000 : 40;
  return 1 + Math.floor(draw() * most) + (whole ? 0 : 0.5);
}

/** A moment to the second: what ends or changes lies behind what begins. */
function inventMoment(draw: Draw, names: readonly string[]): number {
  const later = names.some((name) => /^(?:expires?|expiry|expiration|ends?|until|due|renews?)$/.test(name))
    ? 400
    : names.some((name) => /^(?:created|inserted|joined|added|since|from)$/.test(name))
      ? 0
      : 200;
  return FIRST_MOMENT + Math.floor(((later + draw() * 150) * DAY_MS) / 1000) * 1000;
}

function inventUuid(draw: Draw): string {
  const hex = (length: number) => drawText(draw, length, '123456789abcdef');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}

function createDraw(path: string): Draw {
  let state = createHash('sha256').update(path).digest().readUInt32LE(0);
  // mulberry32: one number of state, the same on every machine.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

import { ID_FIELDS } from '../../src/assumptions/index.ts';
import { generateSample, valueTypes } from '../../src/profile/generate-sample.ts';
import type { JsonType, Schema } from '../../src/profile/json-schema.ts';
import { formatTime, shapeFields } from '../http/shape-fields.ts';
import { DEFAULT_PROFILE, type SandboxProfile } from '../profile/switches.ts';
import { plainName } from './form-paths.ts';
import { namesMeant, wordMeant } from './meaning.ts';
import { findSchemaField } from './schema-at.ts';

/** What fields of a learned form are filled from. */
export interface Source {
  /** A record as the sandbox knows it: snake_case, points in time (`…_at`) as epoch ms. */
  readonly view: Fields;
  /** What callers wrote under names of their own. */
  readonly custom?: Fields | undefined;
  /** Equal for equal objects, so that what is invented stays the same. */
  readonly seed: string;
  /** The settings of what no form says. */
  readonly profile: SandboxProfile;
  /** Whether a caller made it: what it may lack stays empty then. */
  readonly isBlank?: boolean;
  /** The forms of such objects in other answers: what is empty in one may be filled in another. */
  readonly others?: readonly Schema[];
}
type Fields = Readonly<Record<string, unknown>>;

const TIMES = new Set(['date-time', 'date', 'epoch-seconds', 'epoch-ms']);
const IDS = new Set(ID_FIELDS.map(plainName));

/** What does not fit a form. */
const UNFIT = Symbol('unfit');
/** Learned forms nest as deep as files may; the sandbox's own values do not. */
const MOST_LEVELS = 40;

/** An object of a learned form: each of its fields from what means the same, from what a caller wrote, or invented. */
export function fillObject(schema: Schema, source: Source, level = 0): Record<string, unknown> {
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(([name, form]): [string, Schema] => [
    name,
    level === 0 ? fullForm(name, form, source) : form,
  ]);
  const own = matchFields(fields, source);
  const hasId = fields.some(([name]) => IDS.has(plainName(name)));
  const filled = fields.flatMap(([name, form]): [string, unknown][] => {
    const isRequired = required.includes(name);
    const at = { name, level: level + 1 };
    const written = writtenUnder(name, source);
    if (written !== undefined) return [[name, written]];
    const match = own.get(name);
    // What a caller wrote stays as it was written, under whichever of its names it is shown.
    if (match !== undefined) {
      const isOwn = Object.hasOwn(source.view, match);
      const found = isOwn ? source.view[match] : source.custom?.[match];
      const isAsItIs = !isOwn && isOfType(form, found);
      const value = isAsItIs ? found : fitValue(form, found, { ...at, name: match, source });
      if (value !== UNFIT) return [[name, value]];
      // What has no value is left out where it may be.
      if (!isRequired && (found ?? null) === null) return [];
    }
    if (source.isBlank && !isRequired) return [];
    if (source.isBlank && mayLack(name, form, level === 0 ? source.others : [])) return [[name, null]];
    const held = fillHolder(form, source, { ...at, hasId });
    return [[name, held ?? generateSample(form, { seed: `${source.seed}.${name}`, name })]];
  });
  // Defines each field, also one that is named __proto__.
  return Object.fromEntries(filled);
}

function isOfType(form: Schema, value: unknown): boolean {
  const types = valueTypes(form);
  if (types.length === 0 || value === null) return types.length === 0 || isNullable(form);
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  return types.some((type) => type === typeof value);
}

/** Another answer's form of a field that stood empty in this one, for objects that were there before. */
function fullForm(name: string, form: Schema, { isBlank, others = [] }: Source): Schema {
  if (isBlank || valueTypes(form).length > 0) return form;
  const forms = others.map((other) => findSchemaField(other, name));
  return forms.find((other) => other && valueTypes(other).length > 0) ?? form;
}

/** Whether an object may lack a field, by any form of such objects. */
function mayLack(name: string, form: Schema, others: readonly Schema[] = []): boolean {
  return isNullable(form) || others.some((other) => isNullable(findSchemaField(other, name) ?? {}));
}

/** Each learned name with the field of the record that it means; no field stands for two. */
function matchFields(
  fields: readonly (readonly [string, Schema])[],
  source: Source,
): ReadonlyMap<string, string> {
  const view: Fields = { ...source.custom, ...source.view };
  const own = Object.keys(view).filter((name) => name !== 'custom' && view[name] !== undefined);
  const found = new Map<string, string>();
  const taken = new Set<string>();
  const candidates = fields.map(([name, form]) => ({ name, form, meant: namesMeant(name, own) }));
  const most = Math.max(0, ...candidates.map(({ meant }) => meant.length));
  // First everybody's likeliest, so that a second choice takes nothing away.
  for (let rank = 0; rank < most; rank++)
    for (const { name, form, meant } of candidates) {
      const field = meant[rank];
      if (field === undefined || found.has(name) || taken.has(field) || !mayHold(form, view[field])) continue;
      found.set(name, field);
      taken.add(field);
    }
  // The one moment that each of them has, and that stands for no other, is when it was made.
  const [made, ...others] = fields.filter(
    ([name, form]) => TIMES.has(form.format ?? '') && !isNullable(form) && !found.has(name),
  );
  if (made && others.length === 0 && own.includes('created_at') && !taken.has('created_at'))
    found.set(made[0], 'created_at');
  return found;
}

/** Whether a value could stand where this form does. */
function mayHold(form: Schema, value: unknown): boolean {
  const types = valueTypes(form);
  if (types.length === 0 || value === null || value === undefined) return true;
  if (typeof value === 'boolean') return types.includes('boolean');
  if (Array.isArray(value)) return types.some((type) => type !== 'boolean' && type !== 'object');
  if (typeof value === 'object') return types.includes('object');
  return types.some((type) => type !== 'boolean' && type !== 'array');
}

function writtenUnder(name: string, { custom = {}, view }: Source): unknown {
  return Object.hasOwn(custom, name) && !Object.hasOwn(view, name) ? custom[name] : undefined;
}

interface Place {
  readonly name: string;
  readonly level: number;
}

/** An object that holds fields of the record one level down: `attributes`, or `document: { id }` for `document_id`. */
function fillHolder(
  form: Schema,
  source: Source,
  { name, level, hasId }: Place & { hasId: boolean },
): unknown {
  if (!form.properties || !valueTypes(form).includes('object') || level > MOST_LEVELS) return undefined;
  const { view, seed } = source;
  const names = Object.keys(form.properties);
  const prefix = `${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_`;
  const part = Object.fromEntries(
    Object.entries(view).flatMap(([field, value]) =>
      field.startsWith(prefix) ? [[field.slice(prefix.length), value]] : [],
    ),
  );
  const within = { ...source, seed: `${seed}.${name}` };
  if (names.some((inner) => namesMeant(inner, Object.keys(part)).length > 0))
    return fillObject(form, { ...within, view: part, custom: {} }, level);
  const whole = names.filter((inner) => namesMeant(inner, Object.keys(view)).length > 0);
  // With an id of its own beside the record's it is another object.
  const isOther = names.some((inner) => IDS.has(plainName(inner)));
  if (isOther && hasId) return undefined;
  return isOther || whole.length >= 2 || whole.length === names.length
    ? fillObject(form, within, level)
    : undefined;
}

interface Fitting extends Place {
  readonly source: Source;
}

/** A value of the sandbox in a learned form; `UNFIT` where it can't be. */
function fitValue(form: Schema, value: unknown, at: Fitting): unknown {
  const types = valueTypes(form);
  if (value === undefined || at.level > MOST_LEVELS) return UNFIT;
  if (value === null) return isNullable(form) ? null : UNFIT;
  // Only ever seen empty: what it is when it is filled, nobody knows.
  if (types.length === 0) return plainly(value, at);
  if (Array.isArray(value)) return fitList(form, value, at);
  if (typeof value === 'object') return fitRecord(form, value as Fields, at);
  if (typeof value === 'number' && at.name.endsWith('_at')) return fitMoment(form, value, at);
  if (types.includes('object') && !types.some((type) => type === typeof value))
    return fitInto(form, value, at);
  if (types.includes('array') && !types.some((type) => type === typeof value))
    return form.items ? keep([fitValue(form.items, value, at)]) : UNFIT;
  return fitPlain(types, form, value);
}

export function isNullable({ type }: Schema): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}

function keep(values: readonly unknown[]): unknown {
  return values.includes(UNFIT) ? UNFIT : values;
}

function fitPlain(types: readonly JsonType[], form: Schema, value: unknown): unknown {
  const isNumber = types.includes('integer') || types.includes('number');
  if (typeof value === 'boolean') return types.includes('boolean') ? value : UNFIT;
  if (typeof value === 'number') {
    if (isNumber) return types.includes('number') ? value : Math.round(value);
    return types.includes('string') && !form.format ? String(value) : UNFIT;
  }
  const text = String(value);
  if (types.includes('string')) {
    if (form.format === 'uri' && !URL.canParse(text)) return UNFIT;
    if (form.format === 'email' && !text.includes('@')) return UNFIT;
    if (form.enum && form.enum.length > 0) return wordMeant(text, form.enum) ?? text;
    return text;
  }
  return isNumber && /^\d{1,15}$/.test(text) ? Number(text) : UNFIT;
}

/** A moment by its form; where that says nothing, by the profile. */
function fitMoment(form: Schema, at: number, { source: { profile } }: Fitting): unknown {
  const types = valueTypes(form);
  const asText = types.includes('string') && !types.includes('integer') && !types.includes('number');
  const write = (dates: SandboxProfile['dates']) => {
    const written = formatTime(at, { ...DEFAULT_PROFILE, dates });
    return asText ? String(written) : written;
  };
  switch (form.format) {
    case 'date-time':
      return write('iso');
    case 'date':
      return write('iso').toString().slice(0, 10);
    case 'epoch-seconds':
      return write('epoch-seconds');
    case 'epoch-ms':
      return write('epoch-ms');
    default:
      if (asText) return write('iso');
      if (types.includes('integer') || types.includes('number'))
        return write(profile.dates === 'epoch-ms' ? 'epoch-ms' : 'epoch-seconds');
      return UNFIT;
  }
}

function fitList(form: Schema, values: readonly unknown[], at: Fitting): unknown {
  const types = valueTypes(form);
  if (!types.includes('array')) {
    if (types.includes('integer') || types.includes('number')) return values.length;
    return types.includes('string') && values.length > 0 ? fitValue(form, values[0], at) : UNFIT;
  }
  const { items } = form;
  if (!items) return plainly(values, at);
  return keep(
    values.map((value, index) => {
      const { source } = at;
      return fitValue(items, value, {
        ...at,
        level: at.level + 1,
        source: { ...source, seed: `${source.seed}.${at.name}.${index}` },
      });
    }),
  );
}

function fitRecord(form: Schema, value: Fields, at: Fitting): unknown {
  const types = valueTypes(form);
  const { source, level } = at;
  const custom = value['custom'] as Fields | undefined;
  if (types.includes('object')) {
    if (!form.properties || at.name === 'headers') return plainly(value, at);
    const seed =
      typeof value['id'] === 'string' ? `${value['object'] ?? at.name} ${value['id']}` : source.seed;
    return fillObject(form, { ...source, view: value, custom, seed }, level + 1);
  }
  if (!types.includes('string')) return UNFIT;
  // One word for a whole record: its address where one is asked for, else what it is called.
  const names = form.format === 'email' ? ['email'] : ['email', 'name', 'id', 'url'];
  const word = names.map((name) => value[name]).find((one) => typeof one === 'string');
  return word === undefined ? UNFIT : fitPlain(types, form, word);
}

/** A bare value where a record stands: `plan: { name }` for a plan's name. */
function fitInto(form: Schema, value: unknown, at: Fitting): unknown {
  if (!form.properties) return UNFIT;
  const view = Object.fromEntries(
    ['name', 'email', 'url', 'id', 'value', 'count', 'at'].map((name) => [name, value]),
  );
  const names = Object.keys(form.properties);
  const first = names.find(
    (name) =>
      namesMeant(name, Object.keys(view)).length > 0 &&
      fitValue(form.properties?.[name] ?? {}, value, at) !== UNFIT,
  );
  if (first === undefined) return UNFIT;
  const seed = `${at.source.seed}.${at.name}`;
  return fillObject(form, { ...at.source, view: {}, custom: { [first]: value }, seed }, at.level + 1);
}

/** In the sandbox's own words, by the settings of the profile. */
function plainly(value: unknown, { name, source: { profile } }: Fitting): unknown {
  if (name === 'headers') return value;
  const shaped = shapeFields(
    { [name]: value },
    { profile: { ...profile, naming: 'snake' }, object: 'record' },
  );
  return (shaped as Fields)[name];
}

import { generateSample, getValueTypes } from '../../../src/profile/generate-sample.ts';
import type { Schema } from '../../../src/profile/json-schema.ts';
import { getSchemaAt } from '../../../src/profile/profile-fields.ts';
import { DEFAULT_PROFILE, type SandboxProfile } from '../../profile/switches.ts';
import { hasIdField } from '../../service-profile/item-path.ts';
import { findSynonyms } from '../../service-profile/synonyms.ts';
import { formatTime, shapeFields } from '../shape-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface RenderSource {
  /** A record with the sandbox's own snake_case names and times (`…_at`) as epoch milliseconds. */
  readonly view: Fields;
  /** Fields that callers added under their own names. */
  readonly custom?: Fields | undefined;
  /** Equal for equal objects, so that generated values are stable. */
  readonly seed: string;
  /** Decides what the form leaves open. */
  readonly profile: SandboxProfile;
  /** True for objects that a caller created: unknown fields stay empty. */
  readonly isBlank?: boolean;
  /** The form right after creation: fields that are null there stay null. */
  readonly created?: Schema | undefined;
}

const NO_MATCH = Symbol('unfit');

/** Renames the fields of a record to those of a learned form and generates missing ones. The profile bounds the depth. */
export function renderLearnedObject(schema: Schema, source: RenderSource): Record<string, unknown> {
  const { properties = {}, required = [] } = schema;
  const { isBlank, seed, created } = source;
  const matches = matchFields(properties, source);
  const fields = Object.entries(properties).flatMap(([name, form]): [string, unknown][] => {
    const value = matches.get(name);
    if (value !== undefined && (value !== null || isNullable(form))) return [[name, value]];
    if ((value === null || isBlank) && !required.includes(name)) return [];
    if (isBlank && (isNullable(form) || isNullable(getSchemaAt(created, [name]) ?? {}))) return [[name, null]];
    const within = { ...source, seed: `${seed}.${name}`, created: undefined };
    const inner = renderNestedObject(form, name, { source: within, isOuter: hasIdField(schema) });
    return [[name, inner ?? generateSample(form, { seed: `${seed}.${name}`, name })]];
  });
  // Also defines a field named __proto__.
  return Object.fromEntries(fields);
}

/** Matches each learned name with the record field that it means; each field is used once. */
function matchFields(properties: Readonly<Record<string, Schema>>, source: RenderSource): ReadonlyMap<string, unknown> {
  const { custom = {}, view } = source;
  const record: Fields = { ...custom, ...view };
  const own = Object.keys(record).filter((name) => name !== 'custom' && record[name] !== undefined);
  const found = new Map<string, unknown>();
  const taken = new Set<string>();
  const meanings = Object.entries(properties).map(([name, form]) => [name, form, findSynonyms(name, own)] as const);
  const ranks = Math.max(0, ...meanings.map(([, , meant]) => meant.length));
  // Likeliest meanings first, so that second choices take no field from others.
  for (let rank = 0; rank < ranks; rank++)
    for (const [name, form, meant] of meanings) {
      const field = meant[rank];
      if (field === undefined || found.has(name) || taken.has(field)) continue;
      const isWritten = field === name && !Object.hasOwn(view, name);
      const value = isWritten ? record[field] : toLearnedValue(form, field, record[field], source);
      if (value === NO_MATCH) continue;
      found.set(name, value);
      taken.add(field);
    }
  return found;
}

/** Fits a nested object with fields of the record: `attributes`, or `document: { id }` for `document_id`. */
function renderNestedObject(
  form: Schema,
  name: string,
  { source, isOuter }: { source: RenderSource; isOuter: boolean },
): unknown {
  const { view } = source;
  if (!form.properties || !getValueTypes(form).includes('object')) return undefined;
  const names = Object.keys(form.properties);
  const knownIn = (fields: Fields) => names.filter((one) => findSynonyms(one, Object.keys(fields)).length > 0);
  const prefix = `${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_`;
  const part = Object.entries(view).flatMap(([field, value]) =>
    field.startsWith(prefix) ? [[field.slice(prefix.length), value]] : [],
  );
  if (knownIn(Object.fromEntries(part)).length > 0)
    return renderLearnedObject(form, { ...source, view: Object.fromEntries(part), custom: {} });
  // A nested object with its own id next to the record's is another object.
  const isHolder = hasIdField(form) ? !isOuter : knownIn(view).length >= Math.min(2, names.length);
  return isHolder ? renderLearnedObject(form, source) : undefined;
}

/** Converts a value to a learned form; `NO_MATCH` if it does not fit. */
function toLearnedValue(form: Schema, name: string, value: unknown, source: RenderSource): unknown {
  const types = getValueTypes(form);
  const { profile, seed } = source;
  if (value === null || name === 'headers') return value;
  const kind = Array.isArray(value) ? 'array' : typeof value === 'object' ? 'object' : undefined;
  const { items, properties } = form;
  // Only empty values were seen: the normal renderer decides.
  if (types.length === 0 || (kind && types.includes(kind) && !(kind === 'array' ? items : properties)))
    return shapePlainly(name, value, profile);
  if (kind === undefined) return toLearnedScalar(form, name, value as string | number | boolean, profile);
  if (!types.includes(kind)) return NO_MATCH;
  if (Array.isArray(value)) {
    const fitted = value.map((entry, index) =>
      toLearnedValue(items ?? {}, name, entry, { ...source, seed: `${seed}.${name}.${index}` }),
    );
    return fitted.includes(NO_MATCH) ? NO_MATCH : fitted;
  }
  const { custom, ...view } = value as Fields;
  const own = typeof view['id'] === 'string' ? `${view['object'] ?? name} ${view['id']}` : seed;
  const inner = { ...source, view, custom: custom as Fields | undefined, seed: own, created: undefined };
  return renderLearnedObject(form, inner);
}

function toLearnedScalar(
  form: Schema,
  name: string,
  value: string | number | boolean,
  profile: SandboxProfile,
): unknown {
  const types = getValueTypes(form);
  const isNumber = types.includes('integer') || types.includes('number');
  if (typeof value === 'boolean') return types.includes('boolean') ? value : NO_MATCH;
  if (typeof value === 'number') {
    if (name.endsWith('_at')) return formatLearnedTime(form, value, profile);
    if (isNumber) return types.includes('number') ? value : Math.round(value);
  }
  if (isNumber) return /^\d{1,15}$/.test(String(value)) ? Number(value) : NO_MATCH;
  const text = String(value);
  const isOfFormat = form.format === 'uri' ? URL.canParse(text) : form.format !== 'email' || text.includes('@');
  return types.includes('string') && isOfFormat ? text : NO_MATCH;
}

/** Formats a time as learned; the profile decides what the form leaves open. */
export function formatLearnedTime(form: Schema, at: number, { dates }: SandboxProfile): unknown {
  const isText = getValueTypes(form)[0] === 'string';
  const usual = isText ? 'date-time' : dates === 'epoch-ms' ? dates : 'epoch-seconds';
  const { format = usual } = form;
  const style = format === 'epoch-ms' || format === 'epoch-seconds' ? format : 'iso';
  const time = formatTime(at, { ...DEFAULT_PROFILE, dates: style });
  if (isText) return format === 'date' ? String(time).slice(0, 10) : String(time);
  return typeof time === 'number' ? time : NO_MATCH;
}

function shapePlainly(name: string, value: unknown, profile: SandboxProfile): unknown {
  const context = { profile: { ...profile, naming: 'snake' as const }, object: 'record' };
  return (shapeFields({ [name]: value }, context) as Fields)[name];
}

export function isNullable({ type }: Schema): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}

/** Wraps a value in the learned envelope; the fields around it come from the source. */
export function wrapInEnvelope(
  form: Schema,
  [name, ...path]: readonly string[],
  value: unknown,
  source: RenderSource,
): unknown {
  if (name === undefined) return value;
  const { [name]: inner = {}, ...properties } = form.properties ?? {};
  const fields = {
    ...renderLearnedObject({ ...form, properties }, source),
    [name]: wrapInEnvelope(inner, path, value, source),
  };
  const order = Object.keys(form.properties ?? {});
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}

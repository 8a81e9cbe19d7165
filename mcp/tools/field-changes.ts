import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { ACCESS_FIELD_PATTERN, GATE_SWITCH_FIELDS } from '../assumptions.ts';
import { quoteText } from '../result/quote.ts';
import { formatAddress } from './describe-object.ts';

const MAX_VALUE = 40;
const MAX_DEPTH = 6;

/** Change of one value, also inside a nested object. */
export interface FieldChange {
  /** Path of the value; unusual names are quoted. */
  readonly path: string;
  /** Last name of the path. */
  readonly name: string;
  /** Current value; undefined if unknown. */
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * Changes of the named fields, the most important first: gates that are removed, values that are cleared or switched off,
 * and names that decide about access. Fields that keep their value are left out.
 */
export function listChanges(names: readonly string[], fields: JsonObject, item?: JsonObject): readonly FieldChange[] {
  return names
    .flatMap((name) => [...iterateChanges([name], fields[name], getOwn(item, name))])
    .filter(({ from, to }) => from === undefined || JSON.stringify(from) !== JSON.stringify(to))
    .toSorted((a, b) => getRank(a) - getRank(b));
}

/** One change for each value of nested objects, and of lists of objects. */
function* iterateChanges(path: readonly string[], to: unknown, from: unknown): Generator<FieldChange> {
  const isNested = isObject(to) || (Array.isArray(to) && to.some(isObject));
  const parts = isNested && path.length < MAX_DEPTH ? Object.entries(to) : [];
  for (const [name, inner] of parts) yield* iterateChanges([...path, name], inner, getOwn(from, name));
  if (parts.length > 0) return;
  const name = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
  yield { path: path.map(quoteFieldName).join('.'), name, from, to };
}

function getOwn(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function getRank(change: FieldChange): number {
  if (removesGate(change)) return 0;
  const isCleared = change.to === false || change.to === null;
  if (ACCESS_FIELD_PATTERN.test(change.path)) return isCleared ? 1 : 2;
  return isCleared ? 3 : 4;
}

/** Returns whether a change opens a gate that was closed or unknown. */
export function removesGate({ name, from, to }: FieldChange): boolean {
  return GATE_SWITCH_FIELDS.includes(name) && to !== true && from !== false;
}

/** One name for what a field does: `allow_downloads` and `download_allowed` have the same effect. */
export function toEffectName(name: string): string {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words
    .map((word) => word.replace(/(?:ed|s)$/, ''))
    .toSorted()
    .join('_');
}

/** One text per change: `name: old → new`. */
export function formatChanges(changes: readonly FieldChange[]): readonly string[] {
  return changes.map(({ path, from, to }) =>
    from === undefined ? `${path}: ${formatValue(to)}` : `${path}: ${formatValue(from)} → ${formatValue(to)}`,
  );
}

/** A plain field name reads best without quotation marks; anything else is quoted. */
export function quoteFieldName(name: string): string {
  return /^\w{1,40}$/.test(name) ? name : quoteText(name, MAX_VALUE);
}

/** A value in a headline. Lists and objects are counted, because the details show them whole. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value.includes('@') ? formatAddress(value) : quoteText(value, MAX_VALUE);
  if (Array.isArray(value)) {
    if (value.length <= 3 && !value.some(isObject)) return `[${value.map(formatValue).join(', ')}]`;
    return countValues(value.length);
  }
  return isObject(value) ? countValues(Object.keys(value).length) : String(value ?? 'none').slice(0, MAX_VALUE);
}

const countValues = (count: number) => `${count} ${count === 1 ? 'value' : 'values'}`;

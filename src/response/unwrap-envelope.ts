import { ATTRIBUTES_FIELD, ENVELOPE_KEYS, ENVELOPE_SIBLINGS, ITEM_KEYS } from '../assumptions/index.ts';
import { isObject, type JsonObject } from '../records/fields.ts';

/** Yields candidate objects, likeliest first: the body, the object in its envelope, each also with its `attributes`. */
export function* getObjectCandidates(raw: unknown, group: string): Generator<unknown> {
  const isWrapped = isBareEnvelope(raw);
  // Unwrapped lazily: most responses are the object itself.
  if (!isWrapped) yield* expandAttributes(raw);
  const inner = unwrap(raw, group);
  if (inner !== undefined) yield* expandAttributes(inner);
  if (isWrapped) yield* expandAttributes(raw);
}

/** Yields an object, then the same with the fields of its `attributes`. */
export function* expandAttributes(candidate: unknown): Generator<unknown> {
  yield candidate;
  if (isObject(candidate) && isObject(candidate[ATTRIBUTES_FIELD]))
    yield { ...candidate[ATTRIBUTES_FIELD], ...candidate };
}

/** Returns the one object in an envelope such as `{data: {…}}` or `{link: {…}}`; undefined if unclear. */
function unwrap(raw: unknown, group: string): unknown {
  if (Array.isArray(raw)) return raw.length === 1 ? raw[0] : undefined;
  if (!isObject(raw)) return undefined;
  const singular = group.replace(/s$/, '');
  for (const key of [singular, ...ENVELOPE_KEYS, ...ITEM_KEYS, group]) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined;
    if (isObject(value)) return unwrapDeeper(value, singular);
  }
  const objects = Object.entries(raw).filter(([key, value]) => isObject(value) && !ENVELOPE_SIBLINGS.includes(key));
  return objects.length === 1 ? objects[0]?.[1] : undefined;
}

function unwrapDeeper(value: JsonObject, singular: string): JsonObject {
  const inner = value[singular];
  return Object.keys(value).length === 1 && isObject(inner) ? inner : value;
}

/** Returns true if the body holds only one object and fields about the response. */
function isBareEnvelope(raw: unknown): boolean {
  if (!isObject(raw)) return false;
  const rest = Object.entries(raw).filter(([key]) => !ENVELOPE_SIBLINGS.includes(key));
  return rest.length === 1 && isObject(rest[0]?.[1]);
}

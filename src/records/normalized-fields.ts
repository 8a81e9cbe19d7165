import { findFirstText, isObject, type JsonObject, normalizeName } from './fields.ts';

type ParsedFields = ReturnType<typeof parseFields>;

const parsedCache = new WeakMap<JsonObject, ParsedFields>();
const NO_FIELDS = parseFields({});

/** Returns the fields of an immutable object in any case and separator; keys are normalized once for all lookups. */
export function getNormalizedFields(item: unknown): ParsedFields {
  if (!isObject(item)) return NO_FIELDS;
  const parsed = parsedCache.get(item) ?? parseFields(item);
  parsedCache.set(item, parsed);
  return parsed;
}

function parseFields(item: JsonObject) {
  let valuesByName: Map<string, unknown> | undefined;
  const fields = () => {
    if (valuesByName) return valuesByName;
    valuesByName = new Map();
    for (const key of Object.keys(item)) {
      const name = normalizeName(key);
      if (!valuesByName.has(name)) valuesByName.set(name, item[key]);
    }
    return valuesByName;
  };
  const getValue = (name: string): unknown =>
    Object.hasOwn(item, name) ? item[name] : fields().get(normalizeName(name));
  return {
    getValue,
    /** Returns the first of `names` that holds a text or a number, as text. */
    getText: (names: readonly string[]): string | undefined => findFirstText(names, getValue),
  };
}

import { isObject, type JsonObject, plainName } from './fields.ts';

/**
 * The fields of an object that was parsed here and is changed by nobody, in any case and with any separator. Its keys
 * are gone through once, however many names are asked for: it has as many as its sender likes.
 */
export interface ParsedFields {
  getValue(name: string): unknown;
  /** The first of `names` that holds a text or a number, as text. */
  getText(names: readonly string[]): string | undefined;
}

const known = new WeakMap<JsonObject, ParsedFields>();
const NONE: ParsedFields = { getValue: () => undefined, getText: () => undefined };

export function getParsedFields(item: unknown): ParsedFields {
  if (!isObject(item)) return NONE;
  const found = known.get(item) ?? readFields(item);
  known.set(item, found);
  return found;
}

/** The names that are asked for are few and fixed. */
const asked = new Map<string, string>();

function askedAs(name: string): string {
  const plain = asked.get(name) ?? plainName(name);
  asked.set(name, plain);
  return plain;
}

function readFields(item: JsonObject): ParsedFields {
  let plain: Map<string, unknown> | undefined;
  const fields = () => {
    if (plain) return plain;
    plain = new Map();
    for (const key of Object.keys(item)) {
      const name = plainName(key);
      if (!plain.has(name)) plain.set(name, item[key]);
    }
    return plain;
  };
  const read = (name: string) => (Object.hasOwn(item, name) ? item[name] : fields().get(askedAs(name)));
  return {
    getValue: read,
    getText: (names) => {
      for (const name of names) {
        const value = read(name);
        if (typeof value === 'string' && value !== '') return value;
        if (typeof value === 'number') return String(value);
      }
      return undefined;
    },
  };
}

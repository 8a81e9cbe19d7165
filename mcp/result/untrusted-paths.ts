import { NAME_FIELDS } from '../../src/assumptions/index.ts';
import { isObject } from '../../src/records/fields.ts';

/** Ids, states, numbers, times and plain URLs: such values can't contain a sentence. */
const PLAIN_VALUE = /^[\w.:+/-]{0,64}$/;
const PLAIN_URL = /^https?:\/\/[\w.:-]+(\/[\w.~%/-]{0,120})?$/;

/**
 * Paths of fields with untrusted text, such as names written by visitors: all that could contain a sentence, and all name
 * fields. List indexes are omitted: `items.visitor.name`. `ownTexts`: texts that the caller itself sent.
 */
export function findUntrustedPaths(
  data: unknown,
  trustedFields: readonly string[] = [],
  ownTexts: ReadonlySet<string> = new Set(),
): string[] {
  const paths = new Set<string>();
  const collect = (value: unknown, path: string): void => {
    if (trustedFields.includes(path)) return;
    if (typeof value === 'string') {
      if (!ownTexts.has(value) && !isPlain(value, path.slice(path.lastIndexOf('.') + 1))) paths.add(path);
    } else if (Array.isArray(value)) for (const element of value) collect(element, path);
    else if (isObject(value))
      for (const [name, inner] of Object.entries(value)) {
        // An unusual key was written by someone: its whole object is untrusted.
        if (!/^[\w$@.:-]{1,64}$/.test(name)) paths.add(path === '' ? '*' : path);
        else collect(inner, path === '' ? name : `${path}.${name}`);
      }
  };
  collect(data, '');
  return [...paths].sort();
}

function isPlain(value: string, field: string): boolean {
  const isNameField = NAME_FIELDS.includes(field) && field !== 'url' && field !== 'slug';
  return !isNameField && (PLAIN_VALUE.test(value) || PLAIN_URL.test(value));
}

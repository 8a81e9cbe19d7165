import { NAME_FIELDS } from '../../src/assumptions/index.ts';
import { isObject } from '../../src/records/fields.ts';

/** Ids, states, numbers, times and plain URLs: such values can't contain a sentence. */
const PLAIN_VALUE = /^[\w.:+/-]{0,64}$/;
const PLAIN_URL = /^https?:\/\/[\w.:-]+(\/[\w.~%/-]{0,120})?$/;

/**
 * Paths of fields with untrusted text, such as names written by visitors: all that could contain a sentence, and all name
 * fields. List indexes are omitted: `items.visitor.name`.
 */
export function findUntrustedPaths(data: unknown, trustedFields: readonly string[] = []): string[] {
  const paths = new Set<string>();
  collectPaths(data, { path: '', field: '', paths, trustedFields });
  return [...paths].sort();
}

interface Traversal {
  readonly path: string;
  readonly field: string;
  readonly paths: Set<string>;
  readonly trustedFields: readonly string[];
}

function collectPaths(value: unknown, at: Traversal): void {
  if (at.trustedFields.includes(at.path) && at.path !== '') return;
  if (typeof value === 'string') {
    const isNameField = NAME_FIELDS.includes(at.field) && at.field !== 'url' && at.field !== 'slug';
    if (isNameField || !(PLAIN_VALUE.test(value) || PLAIN_URL.test(value))) at.paths.add(at.path);
    return;
  }
  if (Array.isArray(value)) {
    for (const element of value) collectPaths(element, at);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    // An unusual key was written by someone: its whole object is untrusted.
    if (!/^[\w$@.:-]{1,64}$/.test(name)) {
      at.paths.add(at.path === '' ? '*' : at.path);
      continue;
    }
    collectPaths(inner, { ...at, path: at.path === '' ? name : `${at.path}.${name}`, field: name });
  }
}

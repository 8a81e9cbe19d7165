import { NAME_FIELDS } from '../../src/assumptions/index.ts';
import { isObject } from '../../src/records/fields.ts';

/** Ids, states, numbers, times and plain web addresses: a text of this form can't carry a sentence. */
const PLAIN_VALUE = /^[\w.:+/-]{0,64}$/;
const PLAIN_URL = /^https?:\/\/[\w.:-]+(\/[\w.~%/-]{0,120})?$/;

/**
 * Paths of the fields that hold text from outside (document names, visitors' names and e-mails, answers): whatever
 * could carry a sentence, and every field that a name usually stands in. Lists leave no index: `items.visitor.name`.
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
    // A key that no field would have was written by somebody: its whole object is text from outside.
    if (!/^[\w$@.:-]{1,64}$/.test(name)) {
      at.paths.add(at.path === '' ? '*' : at.path);
      continue;
    }
    collectPaths(inner, { ...at, path: at.path === '' ? name : `${at.path}.${name}`, field: name });
  }
}

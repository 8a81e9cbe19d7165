import { isObject } from '../../src/answer/fields.ts';
import { NAME_FIELDS } from '../../src/assumptions/index.ts';

/** Ids, states, numbers, times and plain web addresses: a text of this form can't carry a sentence. */
const PLAIN = /^[\w.:+/-]{0,64}$/;
const ADDRESS = /^https?:\/\/[\w.:-]+(\/[\w.~%/-]{0,120})?$/;

/**
 * Paths of the fields that hold text from outside (document names, visitors' names and e-mails, answers): whatever
 * could carry a sentence, and every field that a name usually stands in. Lists leave no index: `items.visitor.name`.
 */
export function untrustedPaths(data: unknown, own: readonly string[] = []): string[] {
  const paths = new Set<string>();
  visit(data, { path: '', field: '', paths, own });
  return [...paths].sort();
}

interface Visit {
  readonly path: string;
  readonly field: string;
  readonly paths: Set<string>;
  readonly own: readonly string[];
}

function visit(value: unknown, at: Visit): void {
  if (at.own.includes(at.path) && at.path !== '') return;
  if (typeof value === 'string') {
    const named = NAME_FIELDS.includes(at.field) && at.field !== 'url' && at.field !== 'slug';
    if (named || !(PLAIN.test(value) || ADDRESS.test(value))) at.paths.add(at.path);
    return;
  }
  if (Array.isArray(value)) {
    for (const one of value) visit(one, at);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    // A key that no field would have was written by somebody: its whole object is text from outside.
    if (!/^[\w$@.:-]{1,64}$/.test(name)) {
      at.paths.add(at.path === '' ? '*' : at.path);
      continue;
    }
    visit(inner, { ...at, path: at.path === '' ? name : `${at.path}.${name}`, field: name });
  }
}

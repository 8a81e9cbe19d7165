import { type NamedOperation, operations } from '../../src/operations/index.ts';
import type { LearnedOperation, LearnedProfile } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { isKnownName } from '../form/field-names.ts';
import { mergeSchemas, typesOf } from '../form/merge-schemas.ts';

const GROUP_NOUNS = new Set(operations.map(({ group }) => singular(group)));

function singular(noun: string): string {
  return noun.endsWith('ics') ? noun : noun.replace(/ies$/, 'y').replace(/s$/, '');
}

/** What an operation's answer is about: `link`, `page`, `link_analytics`; undefined for a file. */
export function resourceOf({ group, operation }: NamedOperation): string | undefined {
  const { route, effect, answers } = operation;
  if (answers === 'file') return undefined;
  const nouns = route
    .split('/')
    .slice(1)
    .filter((part) => !part.startsWith('{'));
  const last = singular(nouns.at(-1) ?? group);
  const own = singular(group);
  if (nouns.length === 1 || effect === 'send' || last === 'finalize') return own;
  if (effect === 'update' && route.startsWith('POST')) return own;
  // `/analytics/links/{id}` is about a link, and is not one.
  return GROUP_NOUNS.has(last) && last !== own ? `${last}_${own}` : last;
}

/** The schema of the object, or of an entry of the list, that an operation answers. */
export function objectIn(called: LearnedOperation | undefined, answers: string): Schema | undefined {
  const path = answers === 'list' ? called?.list?.at : called?.item;
  let schema: Schema | undefined = called?.answer?.body;
  for (const name of path ?? []) schema = schema?.properties?.[name];
  if (path === undefined) return undefined;
  return answers === 'list' ? schema?.items : schema;
}

/** The fields of each resource in whatever answer it was seen. */
export function concludeResources(called: LearnedProfile['operations']): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  for (const named of operations) {
    const resource = resourceOf(named);
    const schema = objectIn(called[named.name], named.operation.answers);
    if (resource === undefined || !schema || !typesOf(schema).includes('object') || !schema.properties)
      continue;
    // A deletion tells the id and that it is gone: less than the resource has.
    if (named.operation.effect === 'delete' || called[named.name]?.answer?.seen === 0) continue;
    const known = found[resource];
    found[resource] = known ? mergeSchemas(known, schema) : schema;
  }
  return found;
}

/** Among so many entries, an unknown name that only one of them has may be a person's own. */
const ENOUGH = 4;

/** Takes names that people may have chosen out of the form of an entry. */
export function withoutPersonalNames(schema: Schema): Schema {
  const { properties, required = [] } = schema;
  if (!properties || (schema['x-seen'] ?? 0) < ENOUGH) return schema;
  const isOwn = ([name, field]: [string, Schema]) =>
    (field['x-seen'] ?? 0) > 1 || required.includes(name) || isKnownName(name);
  const kept = Object.entries(properties).filter(isOwn);
  const others = Object.entries(properties).filter((entry) => !isOwn(entry));
  if (others.length === 0) return schema;
  const rest = [
    ...(schema.additionalProperties ? [schema.additionalProperties] : []),
    ...others.map(([, field]) => field),
  ];
  return {
    ...schema,
    properties: Object.fromEntries(kept),
    additionalProperties: rest.reduce(mergeSchemas),
  };
}

/** Changes the part of a form that stands at a path. */
export function changeAt(schema: Schema, path: readonly string[], change: (at: Schema) => Schema): Schema {
  const [name, ...rest] = path;
  if (name === undefined) return change(schema);
  const inner = schema.properties?.[name];
  return inner
    ? { ...schema, properties: { ...schema.properties, [name]: changeAt(inner, rest, change) } }
    : schema;
}

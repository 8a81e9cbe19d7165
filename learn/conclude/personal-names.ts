import { type NamedOperation, type OperationName, operations } from '../../src/operations/index.ts';
import { getResourceName, getResponseItemSchema } from '../../src/profile/fields.ts';
import type { OperationProfile } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { isKnownName } from '../form/known-names.ts';
import { mergeSchemas } from '../form/merge-schemas.ts';
import { changeAt } from './resources.ts';

type CalledOperations = Partial<Record<OperationName, OperationProfile>>;

/**
 * Takes names that people may have given out of the forms. Some services show a person's own fields among theirs: a name that
 * nobody knows and that at most half of the entries have, or that a fresh object lacks, counts as one.
 */
export function withoutPersonalNames(called: CalledOperations): CalledOperations {
  const personal = Map.groupBy(operations, ({ name }) => getResourceName(name));
  const cleaned: CalledOperations = { ...called };
  for (const group of personal.values()) {
    const hidden = new Set(group.flatMap((named) => namesToHide(named, called)));
    for (const named of group) {
      const one = called[named.name];
      if (one) cleaned[named.name] = clean(named, one, hidden);
    }
  }
  return cleaned;
}

/** Names of a resource that its lists, or an object made just now, show to be a person's own. */
function namesToHide({ name, operation }: NamedOperation, called: CalledOperations): string[] {
  const isSeen = (called[name]?.answer?.seen ?? 0) > 0;
  const schema = isSeen ? getResponseItemSchema({ operations: called }, name) : undefined;
  if (!schema?.properties) return [];
  if (operation.responseKind === 'list') return rareNames(schema);
  if (operation.effect !== 'create') return [];
  const own = schema.properties;
  const others = operations.flatMap((one) => {
    const isSame =
      getResourceName(one.name) === getResourceName(name) && one.operation.responseKind === 'list';
    const list = isSame ? getResponseItemSchema({ operations: called }, one.name) : undefined;
    return list?.properties ? [list] : [];
  });
  // An answer that tells no more than an id says nothing about the rest.
  if (Object.keys(own).length < 4) return [];
  return others.flatMap(({ properties = {}, required = [] }) =>
    Object.keys(properties).filter((one) => !(one in own) && !required.includes(one) && !isKnownName(one)),
  );
}

function rareNames({ properties = {}, required = [], 'x-seen': entries = 1 }: Schema): string[] {
  if (entries < 2) return [];
  return Object.entries(properties).flatMap(([name, field]) =>
    !required.includes(name) && !isKnownName(name) && (field['x-seen'] ?? 0) * 2 <= entries ? [name] : [],
  );
}

function clean(
  { operation }: NamedOperation,
  one: OperationProfile,
  hidden: ReadonlySet<string>,
): OperationProfile {
  const { answer, list, item } = one;
  if (!answer?.body) return one;
  const hide = (schema: Schema) => hideNames(schema, hidden);
  const body =
    operation.responseKind === 'list'
      ? changeAt(answer.body, list?.at ?? [], (at) => (at.items ? { ...at, items: hide(at.items) } : at))
      : changeAt(answer.body, item ?? [], hide);
  return { ...one, answer: { ...answer, body } };
}

/** What is hidden becomes the form of a map; below, the rare names of each list are hidden as well. */
function hideNames(schema: Schema, hidden: ReadonlySet<string>): Schema {
  const { properties, required, additionalProperties, items, ...rest } = schema;
  const entries = Object.entries(properties ?? {});
  const kept = entries.filter(([name]) => !hidden.has(name));
  const taken = entries.filter(([name]) => hidden.has(name)).map(([, field]) => field);
  const maps = [...(additionalProperties ? [additionalProperties] : []), ...taken].map((one) =>
    hideNames(one, NONE),
  );
  const [first, ...others] = maps;
  return {
    ...rest,
    ...(properties
      ? { properties: Object.fromEntries(kept.map(([name, field]) => [name, hideNames(field, NONE)])) }
      : {}),
    ...(required ? { required: required.filter((name) => !hidden.has(name)) } : {}),
    ...(first ? { additionalProperties: others.reduce(mergeSchemas, first) } : {}),
    ...(items ? { items: hideNames(items, new Set(rareNames(items))) } : {}),
  };
}

const NONE: ReadonlySet<string> = new Set();

import { type NamedOperation, type OperationName, operations } from '../../src/operations/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { getResourceName, getResponseItemSchema } from '../../src/profile/profile-fields.ts';
import type { OperationProfile } from '../../src/profile/service-profile.ts';
import { hideFields, updateAtPath } from './edit-schema.ts';
import { isKnownName } from './known-names.ts';

type CalledOperations = Partial<Record<OperationName, OperationProfile>>;

/**
 * Removes user-chosen names from the schemas. Some services mix custom fields with their own, or use names as keys of maps:
 * an unknown name that at most half of the objects have, or that a new object lacks, counts as user-chosen.
 */
export function removeUserDefinedNames(operationProfiles: CalledOperations): CalledOperations {
  const operationsByResource = Map.groupBy(operations, ({ name }) => getResourceName(name));
  const cleaned: CalledOperations = { ...operationProfiles };
  for (const group of operationsByResource.values()) {
    const hiddenNames = new Set(group.flatMap((named) => findUserDefinedNames(named, operationProfiles)));
    for (const named of group) {
      const one = operationProfiles[named.name];
      if (one) cleaned[named.name] = cleanOperation(named, one, hiddenNames);
    }
  }
  return cleaned;
}

/** Returns names that lists or a newly created object show to be user-chosen. */
function findUserDefinedNames({ name, operation }: NamedOperation, operationProfiles: CalledOperations): string[] {
  const isSeen = (operationProfiles[name]?.response?.seen ?? 0) > 0;
  const schema = isSeen ? getResponseItemSchema({ operations: operationProfiles }, name) : undefined;
  if (!schema?.properties) return [];
  if (operation.responseKind === 'list') return findAllRareNames(schema);
  if (operation.effect !== 'create') return [];
  const createdFields = schema.properties;
  const others = operations.flatMap((one) => {
    const isSame = getResourceName(one.name) === getResourceName(name) && one.operation.responseKind === 'list';
    const list = isSame ? getResponseItemSchema({ operations: operationProfiles }, one.name) : undefined;
    return list?.properties ? [list] : [];
  });
  // A response with little more than an ID does not show which fields are missing.
  if (Object.keys(createdFields).length < 4) return [];
  return others.flatMap(({ properties = {}, required = [] }) =>
    Object.keys(properties).filter((one) => !(one in createdFields) && !required.includes(one) && !isKnownName(one)),
  );
}

function findRareNames({ properties = {}, required = [], 'x-seen': entries = 1 }: Schema): string[] {
  if (entries < 2) return [];
  return Object.entries(properties).flatMap(([name, field]) =>
    !required.includes(name) && !isKnownName(name) && (field['x-seen'] ?? 0) * 2 <= entries ? [name] : [],
  );
}

/** Returns the rare names of a schema at any depth. */
function findAllRareNames(schema: Schema): string[] {
  const inner = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  return [...findRareNames(schema), ...inner.flatMap((one) => (one ? findAllRareNames(one) : []))];
}

function cleanOperation(
  { operation }: NamedOperation,
  one: OperationProfile,
  hiddenNames: ReadonlySet<string>,
): OperationProfile {
  const { response, list, item } = one;
  if (!response?.body) return one;
  const hideInSchema = (schema: Schema) => hideNames(schema, hiddenNames);
  const body =
    operation.responseKind === 'list'
      ? updateAtPath(response.body, list?.at ?? [], (at) => (at.items ? { ...at, items: hideInSchema(at.items) } : at))
      : updateAtPath(response.body, item ?? [], hideInSchema);
  return { ...one, response: { ...response, body } };
}

/** Moves hidden names into `additionalProperties`, and rare names too. */
function hideNames(schema: Schema, hiddenNames: ReadonlySet<string>): Schema {
  const rareNames = findRareNames(schema);
  const visible = hideFields(schema, {
    isVisible: (name) => !hiddenNames.has(name) && !rareNames.includes(name),
    change: (inner) => hideNames(inner, hiddenNames),
  });
  // An object stays one even if all its names are hidden.
  return schema.properties ? { properties: {}, ...visible } : visible;
}

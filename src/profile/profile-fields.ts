import { catalog, getOperation, type OperationName, operations } from '../operations/index.ts';
import { getListName } from '../operations/operation.ts';
import type { ActiveProfile } from './active-profile.ts';
import { getValueTypes } from './generate-sample.ts';
import type { JsonType, Schema } from './json-schema.ts';
import type { ServiceProfile } from './service-profile.ts';

/** A field as observed. */
export interface ProfileField {
  readonly name: string;
  readonly schema: Schema;
  /** Types of its values, without null. */
  readonly types: readonly JsonType[];
  readonly nullable: boolean;
  /** True if every response had it. */
  readonly required: boolean;
}

/** Fields of a resource in any response; empty if it was not observed. */
export function getResourceFields(profile: ServiceProfile, resource: string): readonly ProfileField[] {
  const { resources } = profile;
  return Object.hasOwn(resources, resource) ? toProfileFields(resources[resource]) : [];
}

/** Fields of an accepted request body; empty if the operation was not called. */
export function getRequestFields(profile: ServiceProfile, operation: OperationName): readonly ProfileField[] {
  return toProfileFields(profile.operations[operation]?.requestBody);
}

/** Fields of the response's object, or of the list's entries. */
export function getResponseFields(profile: ServiceProfile, operation: OperationName): readonly ProfileField[] {
  return toProfileFields(getResponseItemSchema(profile, operation));
}

/** Schema of the response's object, or of a list entry. */
export function getResponseItemSchema(
  profile: Pick<ServiceProfile, 'operations'>,
  operation: OperationName,
): Schema | undefined {
  const { response: responseShape, list, item } = profile.operations[operation] ?? {};
  if (!responseShape?.body) return undefined;
  return list ? getSchemaAt(responseShape.body, list.at)?.items : getSchemaAt(responseShape.body, item ?? []);
}

/** All learned lists, in the document's order. */
export function getListProfiles(profile: Pick<ServiceProfile, 'operations'>) {
  return operations.flatMap(({ name, operation }) => {
    const { list, response } = profile.operations[name] ?? {};
    return list ? [{ name: getListName(operation), list, response }] : [];
  });
}

/** Path and schema of the response's object; undefined if unknown or contradicted. */
export function getItemProfile(activeProfile: ActiveProfile, operation: OperationName) {
  const { item, response: responseShape } = activeProfile.getOperation(operation) ?? {};
  const fact = `operations.${operation}.item`;
  const schema = responseShape?.body && item && getSchemaAt(responseShape.body, item);
  if (!schema || !activeProfile.isTrusted(fact)) return undefined;
  const location = item.length === 0 ? 'the response itself' : `the object in ${item.join('.')}`;
  const contradict = (actual: string) => activeProfile.contradict({ operation, fact, expected: location, actual });
  return { path: item, schema, contradict };
}

export function toProfileFields(schema: Schema | undefined): readonly ProfileField[] {
  const required = new Set(schema?.required);
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    types: getValueTypes(field),
    nullable: field.type === 'null' || (Array.isArray(field.type) && field.type.includes('null')),
    required: required.has(name),
  }));
}

/** Returns the schema at a path of field names. */
export function getSchemaAt(schema: Schema | undefined, path: readonly string[]): Schema | undefined {
  let current = schema;
  for (const name of path)
    current = current?.properties && Object.hasOwn(current.properties, name) ? current.properties[name] : undefined;
  return current;
}

const singular = (word: string) => word.replace(/s$/, '');
const GROUP_NAMES = new Set(Object.keys(catalog).map(singular));

/**
 * Name of an operation's resource in `resources` of a profile: the last word of its route (`page`, `visitor`,
 * `invoice`), or its group if that word is an action (`send`). A name that belongs to another group gets a
 * prefix (`analytics.link`).
 */
export function getResourceName(operation: OperationName): string {
  const [group = ''] = operation.split('.');
  const [method, path = ''] = getOperation(operation).route.split(' ');
  const noun = path.split('/').findLast((part) => !part.startsWith('{')) ?? '';
  const isAction = method === 'POST' && !noun.endsWith('s');
  const one = singular(isAction ? group : noun);
  return one !== singular(group) && GROUP_NAMES.has(one) ? `${group}.${one}` : one;
}

/** Name of the type of an operation's object, such as `Link` or `RoomFolder`. */
export function getObjectTypeName(operation: OperationName): string {
  const owner = getGroupTypeName(operation);
  const noun = capitalize(getResourceName(operation).split('.').at(-1) ?? '');
  return noun === owner ? owner : owner + noun;
}

/** Name of the type of an operation's input, such as `LinkCreateParams`. */
export function getInputTypeName(operation: OperationName): string {
  return `${getGroupTypeName(operation)}${capitalize(operation.split('.')[1] ?? '')}Params`;
}

/** `Analytics` is not a plural. */
const getGroupTypeName = (operation: OperationName) => capitalize(operation.replace(/(?<!ic)s\..*|\..*/, ''));

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

import { catalogue, type OperationName } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import type { ActiveProfile } from './active-profile.ts';
import { valueTypes } from './generate-sample.ts';
import type { JsonType, Schema } from './json-schema.ts';
import type { ServiceProfile } from './service-profile.ts';

/** A field as it was seen. */
export interface ProfileField {
  /** As the service writes it. */
  readonly name: string;
  readonly schema: Schema;
  /** The types of its values, without null. */
  readonly types: readonly JsonType[];
  readonly nullable: boolean;
  /** Whether it was in every answer. */
  readonly required: boolean;
}

/** The fields of a resource, in whatever answer it was seen; none where it was not. */
export function getResourceFields(profile: ServiceProfile, resource: string): readonly ProfileField[] {
  const { resources } = profile;
  return Object.hasOwn(resources, resource) ? toProfileFields(resources[resource]) : [];
}

/** The fields of the body that an operation was seen to take; none where it was not called. */
export function getRequestFields(profile: ServiceProfile, operation: OperationName): readonly ProfileField[] {
  return toProfileFields(profile.operations[operation]?.takes);
}

/** The fields of the one object of an operation's answer, or of the entries of its list. */
export function getResponseFields(
  profile: ServiceProfile,
  operation: OperationName,
): readonly ProfileField[] {
  return toProfileFields(getResponseItemSchema(profile, operation));
}

/** The form of the one object of an operation's answer, or of an entry of its list. */
export function getResponseItemSchema(
  profile: Pick<ServiceProfile, 'operations'>,
  operation: OperationName,
): Schema | undefined {
  const { answer: responseShape, list, item } = profile.operations[operation] ?? {};
  if (!responseShape?.body) return undefined;
  return list ? getSchemaAt(responseShape.body, list.at)?.items : getSchemaAt(responseShape.body, item ?? []);
}

/**
 * Where the one object of an answer was seen to stand, and its form; undefined where that is unknown, or no longer holds.
 */
export function getItemProfile(activeProfile: ActiveProfile, operation: OperationName) {
  const { item, answer: responseShape } = activeProfile.getOperation(operation) ?? {};
  const fact = `operations.${operation}.item`;
  const schema = responseShape?.body && item && getSchemaAt(responseShape.body, item);
  if (!schema || !activeProfile.isTrusted(fact)) return undefined;
  const location = item.length === 0 ? 'the answer itself' : `the object in ${item.join('.')}`;
  const contradict = (actual: string) =>
    activeProfile.contradict({ operation, fact, expected: location, actual });
  return { path: item, schema, contradict };
}

export function toProfileFields(schema: Schema | undefined): readonly ProfileField[] {
  const required = new Set(schema?.required);
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    types: valueTypes(field),
    nullable: field.type === 'null' || (Array.isArray(field.type) && field.type.includes('null')),
    required: required.has(name),
  }));
}

/** The form at a path of names; undefined where it leads nowhere. */
export function getSchemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
  let current: Schema | undefined = schema;
  for (const name of path)
    current =
      current?.properties && Object.hasOwn(current.properties, name) ? current.properties[name] : undefined;
  return current;
}

const singular = (word: string) => word.replace(/s$/, '');
const GROUP_NAMES = new Set(Object.keys(catalogue).map(singular));

/**
 * What an operation's answer is about, as `resources` of a profile names it: the last word of its route (`page`,
 * `visitor`, `invoice`), its group where that word is an act (`send`); what another group is named after is told apart
 * from it (`analytics.link`).
 */
export function getResourceName(operation: OperationName): string {
  const [group = '', key = ''] = operation.split('.');
  const entry = (catalogue as Record<string, Record<string, Operation>>)[group]?.[key];
  const [method, path = ''] = (entry?.route ?? '').split(' ');
  const noun =
    path
      .split('/')
      .filter((part) => part !== '' && !part.startsWith('{'))
      .at(-1) ?? group;
  const isAction = method === 'POST' && !noun.endsWith('s');
  const one = singular(isAction ? group : noun);
  return one !== singular(group) && GROUP_NAMES.has(one) ? `${group}.${one}` : one;
}

import { catalogue, type OperationName } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import type { ServiceProfile } from './format.ts';
import { valueTypes } from './invent.ts';
import type { ActiveProfile } from './learned.ts';
import type { JsonType, Schema } from './schema.ts';

/** A field as it was seen. */
export interface LearnedField {
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
export function getResourceFields(profile: ServiceProfile, resource: string): readonly LearnedField[] {
  const { resources } = profile;
  return Object.hasOwn(resources, resource) ? fieldsIn(resources[resource]) : [];
}

/** The fields of the body that an operation was seen to take; none where it was not called. */
export function takenFields(profile: ServiceProfile, operation: OperationName): readonly LearnedField[] {
  return fieldsIn(profile.operations[operation]?.takes);
}

/** The fields of the one object of an operation's answer, or of the entries of its list. */
export function answeredFields(profile: ServiceProfile, operation: OperationName): readonly LearnedField[] {
  return fieldsIn(answeredItem(profile, operation));
}

/** The form of the one object of an operation's answer, or of an entry of its list. */
export function answeredItem(
  profile: Pick<ServiceProfile, 'operations'>,
  operation: OperationName,
): Schema | undefined {
  const { answer, list, item } = profile.operations[operation] ?? {};
  if (!answer?.body) return undefined;
  return list ? schemaAt(answer.body, list.at)?.items : schemaAt(answer.body, item ?? []);
}

/**
 * Where the one object of an answer was seen to stand, and its form; undefined where that is unknown, or no longer holds.
 */
export function getItemProfile(learned: ActiveProfile, operation: OperationName) {
  const { item, answer } = learned.about(operation) ?? {};
  const fact = `operations.${operation}.item`;
  const form = answer?.body && item && schemaAt(answer.body, item);
  if (!form || !learned.holds(fact)) return undefined;
  const place = item.length === 0 ? 'the answer itself' : `the object in ${item.join('.')}`;
  const doubt = (came: string) => learned.contradict({ operation, fact, learned: place, came });
  return { at: item, form, doubt };
}

export function fieldsIn(schema: Schema | undefined): readonly LearnedField[] {
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
export function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const name of path)
    at = at?.properties && Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
  return at;
}

const singular = (word: string) => word.replace(/s$/, '');
const GROUPS = new Set(Object.keys(catalogue).map(singular));

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
  const isAct = method === 'POST' && !noun.endsWith('s');
  const one = singular(isAct ? group : noun);
  return one !== singular(group) && GROUPS.has(one) ? `${group}.${one}` : one;
}

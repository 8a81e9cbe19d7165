import { operations } from '../../src/operations/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { getResourceName, getSchemaAt } from '../../src/profile/profile-fields.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { isObject } from '../../src/records/fields.ts';
import { isConnectionHeader } from '../infer/response-shape.ts';
import { isServiceHeader, isServiceParam, type ServiceNamePredicate } from '../infer/service-names.ts';
import type { RecordedResponse } from '../probes/session.ts';

/** Number of names left out of one group; never the names themselves. */
export interface OmittedNames {
  /** A resource as the profile names it, `rejections`, `headers` or `parameters`. */
  readonly group: string;
  readonly count: number;
}

const MAX_ENTRIES = 200;
const MAX_DEPTH = 10;

/** Counts the names in the responses that are missing from the profile. */
export function countOmittedNames(learned: {
  readonly profile: ServiceProfile;
  readonly responses: readonly RecordedResponse[];
  readonly isServiceName: ServiceNamePredicate;
}): OmittedNames[] {
  const { profile, responses, isServiceName } = learned;
  const order = [...operations.map(({ name }) => getResourceName(name)), 'rejections', 'headers', 'parameters'];
  const namesByGroup = new Map(order.map((group) => [group, new Set<string>()]));
  const add = (group: string, names: readonly string[]) => {
    for (const name of names) namesByGroup.get(group)?.add(name);
  };
  for (const { json, ok, request, headers } of responses) {
    const { operation, expected } = request;
    const profileSchema = ok
      ? operation && profile.operations[operation]?.response?.body
      : profile.rejections[expected === undefined || expected === 'page' ? 'missingScope' : expected]?.body;
    // A success of a call that was meant to fail belongs to no operation.
    const group = ok ? operation && getResourceName(operation) : 'rejections';
    if (json !== undefined && group !== undefined) add(group, findMissingNames(json, profileSchema ?? {}));
    add(
      'headers',
      Object.keys(headers).filter((name) => !isConnectionHeader(name) && !isServiceHeader(name, isServiceName)),
    );
    add(
      'parameters',
      Object.keys(request.query ?? {}).filter((name) => !isServiceParam(name, isServiceName)),
    );
  }
  return [...namesByGroup].flatMap(([group, { size }]) => (size > 0 ? [{ group, count: size }] : []));
}

function findMissingNames(value: unknown, profileSchema: Schema, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value))
    return value
      .slice(0, MAX_ENTRIES)
      .flatMap((entry) => findMissingNames(entry, profileSchema.items ?? {}, depth + 1));
  if (!isObject(value)) return [];
  const { additionalProperties = {} } = profileSchema;
  return Object.entries(value).flatMap(([name, inner]) => {
    const schema = getSchemaAt(profileSchema, [name]);
    return [...(schema ? [] : [name]), ...findMissingNames(inner, schema ?? additionalProperties, depth + 1)];
  });
}

/** Explains the omitted names and what to do, for report and console. */
export function describeOmittedNames(omitted: readonly OmittedNames[], { names }: ServiceProfile['learned']): string {
  const keepsNames = names === 'kept';
  const sum = omitted.reduce((total, { count }) => total + count, 0);
  const [were, them, they] = sum === 1 ? ['name was', 'it', 'it is'] : ['names were', 'them', 'they are'];
  const hint = ` If ${they} the service’s, run again with --keep-names to keep field names with any words.`;
  const note = keepsNames ? 'Field names with any words were kept (--keep-names). ' : '';
  return sum === 0
    ? `${note}No ${keepsNames ? 'other ' : ''}name was left out.`
    : `${note}${sum} ${were} left out, because users of the account may have chosen ${them}.${keepsNames ? '' : hint}`;
}

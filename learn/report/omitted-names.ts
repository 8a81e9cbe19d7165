import { operations } from '../../src/operations/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { getResourceName } from '../../src/profile/profile-fields.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { isObject } from '../../src/records/fields.ts';
import { isFieldName } from '../infer/field-names.ts';
import { isConnectionHeader } from '../infer/response-shape.ts';
import { isServiceHeader, isServiceParam, type ServiceNamePredicate } from '../infer/service-names.ts';
import type { RecordedResponse } from '../probes/session.ts';

/** Why a name is not in the profile. */
export type OmissionReason = 'map' | 'writing' | 'words';

/** Number of names left out of one group, by reason; never the names themselves. */
export interface OmittedNames {
  /** A resource as the profile names it, `rejections`, `headers` or `parameters`. */
  readonly group: string;
  readonly counts: Readonly<Record<OmissionReason, number>>;
}

const OMISSION_REASONS: readonly OmissionReason[] = ['words', 'writing', 'map'];
const MAX_ENTRIES = 200;
const MAX_DEPTH = 10;

/** Counts the names in the responses that are missing from the profile. */
export function countOmittedNames(learned: {
  readonly profile: ServiceProfile;
  readonly responses: readonly RecordedResponse[];
  readonly isServiceName: ServiceNamePredicate;
}): OmittedNames[] {
  const { profile, responses, isServiceName } = learned;
  const found = new Map<string, Map<string, OmissionReason>>();
  const addTo = (group: string) => {
    const names = found.get(group) ?? new Map<string, OmissionReason>();
    found.set(group, names);
    return (name: string, reason: OmissionReason) => void names.set(name, names.get(name) ?? reason);
  };
  const getReason = (name: string): OmissionReason =>
    isServiceName(name) ? 'map' : isFieldName(name) ? 'words' : 'writing';
  for (const { json, ok, request, headers } of responses) {
    const { operation, expected } = request;
    const resource = operation && getResourceName(operation);
    const profileSchema = ok
      ? operation && profile.operations[operation]?.response?.body
      : profile.rejections[expected === undefined || expected === 'page' ? 'missingScope' : expected]?.body;
    // A success of a call that was meant to fail belongs to no operation.
    if (json !== undefined && (ok ? operation !== undefined : true))
      compare(json, profileSchema ?? {}, { add: addTo(ok ? (resource ?? '') : 'rejections'), getReason, depth: 0 });
    const others = Object.keys(headers).filter(
      (name) => !isConnectionHeader(name) && !isServiceHeader(name, isServiceName),
    );
    for (const name of others) addTo('headers')(name, isFieldName(name) ? 'words' : 'writing');
    for (const name of Object.keys(request.query ?? {}))
      if (!isServiceParam(name, isServiceName)) addTo('parameters')(name, isFieldName(name) ? 'words' : 'writing');
  }
  const order = [...operations.map(({ name }) => getResourceName(name)), 'rejections', 'headers', 'parameters'];
  return [...new Set(order)].flatMap((group) => {
    const reasons = [...(found.get(group)?.values() ?? [])];
    const count = (reason: OmissionReason) => reasons.filter((one) => one === reason).length;
    const counts = { words: count('words'), writing: count('writing'), map: count('map') };
    return reasons.length > 0 ? [{ group, counts }] : [];
  });
}

interface CompareContext {
  readonly add: (name: string, reason: OmissionReason) => void;
  readonly getReason: (name: string) => OmissionReason;
  readonly depth: number;
}

function compare(value: unknown, profileSchema: Schema, compareContext: CompareContext): void {
  if (compareContext.depth > MAX_DEPTH) return;
  const child = { ...compareContext, depth: compareContext.depth + 1 };
  if (Array.isArray(value))
    for (const entry of value.slice(0, MAX_ENTRIES)) compare(entry, profileSchema.items ?? {}, child);
  if (!isObject(value)) return;
  const { properties } = profileSchema;
  for (const [name, inner] of Object.entries(value)) {
    const form = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!form) compareContext.add(name, properties ? compareContext.getReason(name) : 'map');
    compare(inner, form ?? profileSchema.additionalProperties ?? {}, child);
  }
}

const REASON_LABELS: Readonly<Record<OmissionReason, string>> = {
  words: 'with words that APIs do not use',
  writing: 'not written like field names',
  map: 'map keys or rare',
};

/** Formats the counts: `3 with words that APIs do not use, 12 map keys or rare`. */
export function formatReasons({ counts }: OmittedNames): string {
  return OMISSION_REASONS.flatMap((reason) =>
    counts[reason] > 0 ? [`${counts[reason]} ${REASON_LABELS[reason]}`] : [],
  ).join(', ');
}

export function sumCounts(
  omitted: readonly OmittedNames[],
  reasons: readonly OmissionReason[] = OMISSION_REASONS,
): number {
  return omitted.reduce((sum, { counts }) => sum + reasons.reduce((all, reason) => all + counts[reason], 0), 0);
}

/** Explains the omitted names and what to do, for report and console. */
export function describeOmittedNames(omitted: readonly OmittedNames[], { names }: ServiceProfile['learned']): string {
  const keepsNames = names === 'kept';
  const sum = sumCounts(omitted);
  const [were, them, they] = sum === 1 ? ['name was', 'it', 'it is'] : ['names were', 'them', 'they are'];
  const hint = ` If ${they} the service’s, run again with --keep-names to keep field names with any words.`;
  const more = sumCounts(omitted, ['words']) > 0 ? hint : '';
  const note = keepsNames ? 'Field names with any words were kept (--keep-names). ' : '';
  return omitted.length === 0
    ? `${note}No ${keepsNames ? 'other ' : ''}name was left out.`
    : `${note}${sum} ${were} left out, because users of the account may have chosen ${them}.${more}`;
}

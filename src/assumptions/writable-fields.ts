/**
 * What a write may carry, beside the little that the API document shows. Part of the assumptions: what an object was seen
 * to have is taken for what may be set of it, but for what the service sets itself.
 */
import { getOperation, type OperationName } from '../operations/index.ts';
import { getRequestFields, getResourceFields, getResourceName } from '../profile/profile-fields.ts';
import type { Schema, ServiceProfile } from '../profile/service-profile.ts';
import { GATES } from './record-fields.ts';

/** §2, §4: who and when, where, how often: fields that an answer has and no body sets. */
const SET_BY_SERVICE =
  /^ids?$|^(_|x-)|(^|_)(object|url|status|state|version|revision|count|total|custom|livemode|etag)$|^(created|updated|sent|signed|viewed|accepted|workspace)|^(last|first)_(?!name$)|_at$/;
/** §2: expiry is a time that a caller sets. */
const SET_BY_CALLER = /^expir/;

/** Whether a field, by its name, is one that the service fills in by itself. */
export function isSetByService(name: string): boolean {
  const snakeCaseName = snakeCase(name);
  return (
    READ_ONLY_GATE_NAMES.includes(snakeCaseName) ||
    (!SET_BY_CALLER.test(snakeCaseName) && SET_BY_SERVICE.test(snakeCaseName))
  );
}

/** §2: whether a link has a password is shown under another name than the one that sets it. */
const READ_ONLY_GATE_NAMES: readonly string[] = GATES.password.readNames;
const GATE_NAMES: readonly string[] = Object.values(GATES).flatMap(({ names }) => names);

/** What a caller most likely asks for: what stands between a visitor and a document. */
export function isGateField(name: string): boolean {
  return GATE_NAMES.includes(snakeCase(name));
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** How a field of a write is known: from the API document, from a body that was taken, or from answers alone. */
export type KnownBy = 'documented' | 'accepted' | 'observed';

export interface WritableField {
  readonly name: string;
  /** Undefined where only its name is known. */
  readonly schema?: Schema;
  readonly knownBy: KnownBy;
}

/** The fields that a write may carry in its body, the surest first; of what was only seen gates, then the most usual. */
export function getWritableFields(profile: ServiceProfile, name: OperationName): readonly WritableField[] {
  const { route, input } = getOperation(name);
  const documented = Object.keys(input.shape).filter((key) => !route.includes(`{${key}}`));
  const observed = getObservedObjectFields(profile, name)
    .filter((field) => !isSetByService(field.name))
    .toSorted(
      (a, b) =>
        Number(isGateField(b.name)) - Number(isGateField(a.name)) ||
        (b.schema['x-seen'] ?? 0) - (a.schema['x-seen'] ?? 0),
    );
  const all: WritableField[] = [
    ...documented.map((key) => ({ name: key, knownBy: 'documented' as const })),
    ...getRequestFields(profile, name).map((field) => ({ ...field, knownBy: 'accepted' as const })),
    ...observed.map((field) => ({ ...field, knownBy: 'observed' as const })),
  ];
  // Once for all: a service may show thousands of fields.
  const mostCertain = new Map<string, WritableField>();
  const schemas = new Map<string, Schema>();
  for (const field of all) {
    if (!mostCertain.has(field.name)) mostCertain.set(field.name, field);
    if (field.schema && !schemas.has(field.name)) schemas.set(field.name, field.schema);
  }
  return [...mostCertain.values()].map(({ name, knownBy, schema: ownSchema }) => {
    // What the document names has no form there; where it was seen, its form is known all the same.
    const schema = ownSchema ?? schemas.get(name);
    return { name, knownBy, ...(schema ? { schema } : {}) };
  });
}

/**
 * The fields of the object that a write makes or changes (`POST /rooms/{id}/folders` makes a folder); none for what only
 * adds to a part of an object, whose fields are not those of the part, and for what sends.
 */
export function getObservedObjectFields(profile: ServiceProfile, name: OperationName) {
  const { route, effect } = getOperation(name);
  const isPartialUpdate = effect === 'update' && !/^\w+ \/\w+(\/\{\w+\})?$/.test(route);
  if (isPartialUpdate || (effect !== 'create' && effect !== 'update')) return [];
  return getResourceFields(profile, getResourceName(name));
}

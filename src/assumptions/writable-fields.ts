/** Assumptions about request bodies: observed fields can be set, except those the service sets itself. */
import { getOperation, type OperationName } from '../operations/index.ts';
import { getRequestFields, getResourceFields, getResourceName } from '../profile/profile-fields.ts';
import type { Schema, ServiceProfile } from '../profile/service-profile.ts';
import { GATES } from './record-fields.ts';

/** §2, §4: response fields that no request body sets. */
const SET_BY_SERVICE =
  /^ids?$|^(_|x-)|(^|_)(object|url|status|state|version|revision|count|total|custom|livemode|etag)$|^(created|updated|sent|signed|viewed|accepted|workspace)|^(last|first)_(?!name$)|_at$/;
/** §2: callers set the expiry. */
const SET_BY_CALLER = /^expir/;

export function isSetByService(name: string): boolean {
  const snakeCaseName = toSnakeCase(name);
  return (
    READ_ONLY_GATE_NAMES.includes(snakeCaseName) ||
    (!SET_BY_CALLER.test(snakeCaseName) && SET_BY_SERVICE.test(snakeCaseName))
  );
}

const SERVICE_TIME = /^(created|updated|sent|signed|viewed|accepted)(_|$)|^(first|last)_|_(at|on)$/;

/** Returns true for fields with times that the service records, such as `signed_at`. */
export function isTimeSetByService(name: string): boolean {
  return SERVICE_TIME.test(toSnakeCase(name)) && isSetByService(name);
}

/** §2: read-only fields show whether a link has a password. */
const READ_ONLY_GATE_NAMES: readonly string[] = GATES.password.readNames;
const GATE_NAMES: readonly string[] = Object.values(GATES).flatMap(({ names }) => names);

/** Returns true for gates, the fields that a caller most likely wants to set. */
export function isGateField(name: string): boolean {
  return GATE_NAMES.includes(toSnakeCase(name));
}

/** `expiresAt` as `expires_at`. */
export function toSnakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** How a field is known: from the API document, an accepted request body, or responses only. */
type KnownBy = 'documented' | 'accepted' | 'observed';

export interface WritableField {
  readonly name: string;
  /** Undefined if only the name is known. */
  readonly schema?: Schema;
  readonly knownBy: KnownBy;
}

/** Fields of a write's body, best known first; observed fields follow, gates and frequent ones first. */
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
  // One pass: a service may show thousands of fields.
  const fields = new Map<string, WritableField>();
  // The most certain one wins. Documented fields have no schema; an observed one applies.
  for (const field of all) fields.set(field.name, { ...field, ...fields.get(field.name) });
  return [...fields.values()];
}

/**
 * Fields of the object that a write creates or changes (`POST /rooms/{id}/folders` creates a folder). Empty
 * for sends, and for updates of a part, whose fields are unknown.
 */
export function getObservedObjectFields(profile: ServiceProfile, name: OperationName) {
  const { route, effect } = getOperation(name);
  const isPartialUpdate = effect === 'update' && !/^\w+ \/\w+(\/\{\w+\})?$/.test(route);
  if (isPartialUpdate || (effect !== 'create' && effect !== 'update')) return [];
  return getResourceFields(profile, getResourceName(name));
}

import type { OperationName } from '../../src/index.ts';
import { getResourceFields, getResourceName } from '../../src/profile/profile-fields.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { isObject } from '../../src/records/fields.ts';
import { describeMismatch } from './describe-mismatch.ts';

/** How responses to this process differ from a profile. */
interface ObservedFields {
  /** Fields that the profile does not know. */
  readonly names: Set<string>;
  /** Fields with another type than in the profile. */
  readonly mistypedNames: Set<string>;
}

const MAX_RECORDS = 50;
const MAX_NAMES = 500;
const observedByProfile = new WeakMap<ServiceProfile, Map<string, ObservedFields>>();

/** Returns what was observed: responses always take precedence over the profile. */
export function getObservedFields(profile: ServiceProfile, operation: OperationName): ObservedFields {
  const resource = getResourceName(operation);
  const byResource = observedByProfile.get(profile) ?? new Map<string, ObservedFields>();
  observedByProfile.set(profile, byResource);
  const observed = byResource.get(resource) ?? { names: new Set<string>(), mistypedNames: new Set<string>() };
  byResource.set(resource, observed);
  return observed;
}

/** Records the fields of the items that an operation returned. */
export function recordResponse(profile: ServiceProfile, operation: OperationName, records: readonly unknown[]): void {
  const { names, mistypedNames } = getObservedFields(profile, operation);
  const knownSchemas = new Map(
    getResourceFields(profile, getResourceName(operation)).map(({ name, schema }) => [name, schema]),
  );
  for (const record of records.slice(0, MAX_RECORDS)) {
    if (!isObject(record)) continue;
    for (const [name, value] of Object.entries(record)) {
      const schema = knownSchemas.get(name);
      if (!schema) {
        if (names.size < MAX_NAMES && name.length <= 64) names.add(name);
      } else if (describeMismatch(schema, value) !== undefined) mistypedNames.add(name);
    }
  }
}

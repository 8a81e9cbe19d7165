import { isObject } from '../../src/answer/fields.ts';
import type { OperationName } from '../../src/index.ts';
import { getResourceFields, getResourceName } from '../../src/profile/fields.ts';
import type { ServiceProfile } from '../../src/profile/format.ts';
import { mismatch } from './mismatch.ts';

/** What answers of this process showed beside a profile, by resource. */
interface Shown {
  /** Fields that the profile does not know. */
  readonly names: Set<string>;
  /** Fields that came with another type than was learned. */
  readonly doubted: Set<string>;
}

const RECORDS_LOOKED_AT = 50;
const NAMES_KEPT = 500;
const shown = new WeakMap<ServiceProfile, Map<string, Shown>>();

/** A profile is never trusted over an answer: what one shows counts from then on. */
export function getObservedFields(profile: ServiceProfile, operation: OperationName): Shown {
  const resource = getResourceName(operation);
  const all = shown.get(profile) ?? new Map<string, Shown>();
  shown.set(profile, all);
  const one = all.get(resource) ?? { names: new Set<string>(), doubted: new Set<string>() };
  all.set(resource, one);
  return one;
}

/** Takes note of the fields of records that an operation answered. */
export function noteShown(
  profile: ServiceProfile,
  operation: OperationName,
  records: readonly unknown[],
): void {
  const { names, doubted } = getObservedFields(profile, operation);
  const known = new Map(
    getResourceFields(profile, getResourceName(operation)).map(({ name, schema }) => [name, schema]),
  );
  for (const record of records.slice(0, RECORDS_LOOKED_AT)) {
    if (!isObject(record)) continue;
    for (const [name, value] of Object.entries(record)) {
      const schema = known.get(name);
      if (!schema) {
        if (names.size < NAMES_KEPT && name.length <= 64) names.add(name);
      } else if (mismatch(schema, value) !== undefined) doubted.add(name);
    }
  }
}

import { type NamedOperation, operations } from '../../src/operations/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { getResourceName } from '../../src/profile/profile-fields.ts';
import type { OperationProfile, ServiceProfile } from '../../src/profile/service-profile.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { updateAtPath } from './edit-schema.ts';

/**
 * Infers operations that could not be called from a similar one with the same effect and kind of response, using the
 * fields of the operation's own resource. They are marked by `seen: 0`.
 */
export function inferUncalledOperations(
  operationProfiles: ServiceProfile['operations'],
  resources: Readonly<Record<string, Schema>>,
): ServiceProfile['operations'] {
  const all: Partial<Record<string, OperationProfile>> = { ...operationProfiles };
  for (const named of operations) {
    if (all[named.name]?.response) continue;
    const similar = findSimilarOperation(named, operationProfiles);
    const inferred = similar && inferFromSimilar(named, similar, resources);
    if (inferred) all[named.name] = { ...all[named.name], ...inferred };
  }
  return all;
}

interface SimilarOperation {
  readonly named: NamedOperation;
  readonly profile: OperationProfile;
}

/** Finds a called operation with the same effect and kind of response, preferably with the same method. */
function findSimilarOperation(
  { operation }: NamedOperation,
  operationProfiles: ServiceProfile['operations'],
): SimilarOperation | undefined {
  const method = (route: string) => route.split(' ')[0];
  const candidates = operations.flatMap((one): SimilarOperation[] => {
    const known = operationProfiles[one.name];
    const isSimilar =
      one.operation.effect === operation.effect && one.operation.responseKind === operation.responseKind;
    // Multipart and repeatable operations are not comparable.
    const isPlain = one.operation.bodyEncoding === undefined && one.operation.repeatable === undefined;
    return known?.response && known.response.seen > 0 && isSimilar && isPlain ? [{ named: one, profile: known }] : [];
  });
  return candidates.find(({ named }) => method(named.operation.route) === method(operation.route)) ?? candidates[0];
}

function inferFromSimilar(
  named: NamedOperation,
  { named: source, profile }: SimilarOperation,
  resources: Readonly<Record<string, Schema>>,
): OperationProfile | undefined {
  const { response, list, item } = profile;
  if (!response || named.operation.repeatable) return undefined;
  const ownSchema = resources[getResourceName(named.name)];
  const sourceSchema = resources[getResourceName(source.name)];
  const path = list ? list.at : item;
  const isObject = response.body !== undefined && path !== undefined;
  // A response such as `{ok: true}` is not an object of the resource.
  const body =
    isObject && ownSchema && sourceSchema && !list
      ? updateAtPath(response.body ?? {}, path, () => ownSchema)
      : isObject && ownSchema && list
        ? updateAtPath(response.body ?? {}, path, (at) => ({ ...at, items: ownSchema }))
        : response.body;
  return omitUndefined({ response: omitUndefined({ ...response, body, seen: 0 }), list, item });
}

import { type NamedOperation, operations } from '../../src/operations/index.ts';
import { getResourceName } from '../../src/profile/fields.ts';
import type { OperationProfile, ServiceProfile } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { changeAt } from './resources.ts';

/**
 * What is concluded of operations that could not be called, from one of the same kind: the same effect and the same kind
 * of answer, with the resource's own fields in the place of the other's. Said by `seen: 0`.
 */
export function concludeOthers(
  called: ServiceProfile['operations'],
  resources: Readonly<Record<string, Schema>>,
): ServiceProfile['operations'] {
  const all: Partial<Record<string, OperationProfile>> = { ...called };
  for (const named of operations) {
    if (all[named.name]?.answer) continue;
    const donor = findSimilarOperation(named, called);
    const concluded = donor && conclude(named, donor, resources);
    if (concluded) all[named.name] = { ...all[named.name], ...concluded };
  }
  return all;
}

interface Donor {
  readonly named: NamedOperation;
  readonly called: OperationProfile;
}

/** An operation that was called: of the same effect and answer, best of the same method. */
function findSimilarOperation(
  { operation }: NamedOperation,
  called: ServiceProfile['operations'],
): Donor | undefined {
  const method = (route: string) => route.split(' ')[0];
  const donors = operations.flatMap((one): Donor[] => {
    const known = called[one.name];
    const isAlike =
      one.operation.effect === operation.effect && one.operation.responseKind === operation.responseKind;
    // What the document promises of an answer makes it a kind of its own.
    const isPlain = one.operation.bodyEncoding === undefined && one.operation.repeatable === undefined;
    return known?.answer && known.answer.seen > 0 && isAlike && isPlain
      ? [{ named: one, called: known }]
      : [];
  });
  return donors.find(({ named }) => method(named.operation.route) === method(operation.route)) ?? donors[0];
}

function conclude(
  named: NamedOperation,
  { named: model, called }: Donor,
  resources: Readonly<Record<string, Schema>>,
): OperationProfile | undefined {
  const { answer, list, item } = called;
  if (!answer || named.operation.repeatable) return undefined;
  const own = resources[getResourceName(named.name)];
  const other = resources[getResourceName(model.name)];
  const path = list ? list.at : item;
  const isObject = answer.body !== undefined && path !== undefined;
  // An answer of its own form, such as `{ok: true}`, is no object of the resource.
  const body =
    isObject && own && other && !list
      ? changeAt(answer.body ?? {}, path, () => own)
      : isObject && own && list
        ? changeAt(answer.body ?? {}, path, (at) => ({ ...at, items: own }))
        : answer.body;
  return {
    answer: { ...answer, ...(body === undefined ? {} : { body }), seen: 0 },
    ...(list ? { list: { ...list, query: { ...list.query } } } : {}),
    ...(item ? { item } : {}),
  };
}

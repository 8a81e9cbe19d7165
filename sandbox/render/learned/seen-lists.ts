import { operations } from '../../../src/operations/index.ts';
import type { ListProfile, OperationProfile, ServiceProfile } from '../../../src/profile/service-profile.ts';

/** A learned list with its resource, the last part of its route. */
export interface SeenList {
  readonly name: string;
  readonly called: OperationProfile;
  readonly list: ListProfile;
}

export function seenLists({ operations: serviceProfile }: ServiceProfile): readonly SeenList[] {
  return operations.flatMap(({ name, operation }) => {
    const called = serviceProfile[name];
    const resource = operation.route.split('/').at(-1) ?? '';
    return called?.list ? [{ name: resource, called, list: called.list }] : [];
  });
}

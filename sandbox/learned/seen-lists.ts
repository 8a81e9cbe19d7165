import { operations } from '../../src/operations/index.ts';
import type { LearnedList, LearnedOperation, LearnedProfile } from '../../src/profile/format.ts';

/** A list that was learned, with the name of its resource: the last part of its route. */
export interface SeenList {
  readonly name: string;
  readonly called: LearnedOperation;
  readonly list: LearnedList;
}

export function listsOf({ operations: learned }: LearnedProfile): readonly SeenList[] {
  return operations.flatMap(({ name, operation }) => {
    const called = learned[name];
    const resource = operation.route.split('/').at(-1) ?? '';
    return called?.list ? [{ name: resource, called, list: called.list }] : [];
  });
}

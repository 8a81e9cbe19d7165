import type { PlainInputField } from 'zapier-platform-core';
import type { OperationName } from '../../src/operations/index.ts';
import { forms } from '../learned/forms.ts';
import type { RecordKind } from '../records/record.ts';
import { snakeCase } from './date.ts';
import { additionalFields } from './form.ts';
import { learnedFields } from './learned-fields.ts';

/**
 * What a form offers beyond its own fields: the Additional Fields; those that a profile knows the operation to take, each of
 * its own type; and those that records of the kind `existing` show. `known` are the API names that the form has.
 */
export function moreFields(
  operation: OperationName,
  { existing, known }: { existing?: RecordKind; known: readonly string[] },
): (PlainInputField | ReturnType<typeof learnedFields>)[] {
  const learned = (forms?.inputs[operation] ?? []).filter(({ name }) => !known.includes(snakeCase(name)));
  const names = [...known, ...learned.map(({ name }) => snakeCase(name))];
  return [
    ...additionalFields,
    ...learned.map(({ field }) => field),
    ...(existing ? [learnedFields(existing, learned.length > 0 ? names : known)] : []),
  ];
}

/** Names that the bodies of a form travel under. */
export function namesIn(bodies: readonly object[]): string[] {
  return bodies.flatMap((body) => Object.keys(body));
}

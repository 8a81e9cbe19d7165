/** Which refusals of a send mean that it was done before, by the state that the agreement is in. */
import { expect, test } from 'vitest';
import { confirmsAlreadySent, mayMeanAlreadySent } from '../../../../zapier/creates/already-sent.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../../zapier/platform/client-core.ts';
import { createStub } from '../../../support/create-stub.ts';

const conflict = createStub<ConflictError>(Object.create(ConflictError.prototype));
const invalid = createStub<ValidationError>(Object.create(ValidationError.prototype));

test('a conflict or bad input may say so, and nothing else', () => {
  const absent = createStub<NotFoundError>(Object.create(NotFoundError.prototype));
  expect([conflict, invalid, absent, undefined].map(mayMeanAlreadySent)).toEqual([true, true, false, false]);
});

test.each<[string, object, string | undefined, boolean]>([
  ['sent', {}, undefined, true],
  ['Sent', {}, 'sent', true],
  ['signed', {}, undefined, true],
  // A draft may be pending, and what is wrong its message.
  ['pending', {}, undefined, false],
  ['Pending', {}, 'pending', false],
  ['waiting', {}, 'waiting', false],
  ['in_progress', {}, undefined, false],
  ['pending', {}, 'draft', true],
  ['pending', { sent_at: '2026-11-24T10:00:00Z' }, 'pending', true],
])(
  'bad input is refused of one that is %s and has %j, and was %s before: it is sent (%j)',
  (status, more, before, sent) => {
    expect(confirmsAlreadySent(invalid, { status, ...more }, before)).toBe(sent);
    expect(confirmsAlreadySent(conflict, { status, ...more }, before)).toBe(true);
  },
);

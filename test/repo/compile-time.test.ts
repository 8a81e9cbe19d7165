/** Promises that the compiler checks (`npm run types`); the bodies only keep the values used. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Client } from '../../src/index.ts';
import { defineOperation, Id } from '../../src/operations/operation.ts';

const row = { scope: 'links:write', effect: 'update', responseKind: 'item', title: 'Update link' } as const;

test('an input without the {id} of its route does not compile', () => {
  // @ts-expect-error: `id` is in the route and not in the input.
  const wrong = defineOperation({ ...row, route: 'PATCH /links/{id}', input: z.looseObject({}) });
  const right = defineOperation({ ...row, route: 'PATCH /links/{id}', input: z.looseObject({ id: Id }) });
  expect([wrong.route, right.route]).toEqual(['PATCH /links/{id}', 'PATCH /links/{id}']);
});

test('an undocumented scope does not compile', () => {
  // @ts-expect-error: there is no wildcard scope (§5).
  expect(defineOperation({ ...row, scope: 'links:*', route: 'POST /links', input: z.looseObject({}) }).scope).toBe(
    'links:*',
  );
});

test('a typo in a documented body does not compile; `extra` accepts any name', () => {
  type Create = Parameters<Client['links']['create']>[0];
  // @ts-expect-error: the gate is called `email_required`.
  const wrong: Create = { document_id: 'd', email_requred: true };
  // @ts-expect-error: a gate is on or off.
  const text: Create = { document_id: 'd', email_required: 'yes' };
  const right: Create = { document_id: 7, email_required: true, extra: { email_requred: true } };
  type Finalize = Parameters<Client['documents']['finalizeUpload']>[0];
  // @ts-expect-error: finalize takes `documentId`.
  const version: Finalize = { storageKey: 's', token: 't', document_id: 'd' };
  expect([wrong, text, right, version]).toHaveLength(4);
});

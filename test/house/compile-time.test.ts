/** Claims that the compiler checks (`npm run types`); the bodies only keep the values used. */
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { Handlers } from '../../sandbox/handlers/handler.ts';
import type { Client, Download, Page } from '../../src/index.ts';
import { Id, operation, Unspecified } from '../../src/operations/operation.ts';

const row = {
  scope: 'links:write',
  effect: 'update',
  answers: 'item',
  title: 'Update link',
  output: Unspecified,
} as const;

test("a route's {id} that is missing from the input does not compile", () => {
  // @ts-expect-error: `id` is in the route and not in the input.
  const wrong = operation({ ...row, route: 'PATCH /links/{id}', input: z.looseObject({}) });
  const right = operation({ ...row, route: 'PATCH /links/{id}', input: z.looseObject({ id: Id }) });
  expect([wrong.route, right.route]).toEqual(['PATCH /links/{id}', 'PATCH /links/{id}']);
});

test('a scope that the document does not name does not compile', () => {
  // @ts-expect-error: there is no wildcard scope (§5).
  expect(operation({ ...row, scope: 'links:*', route: 'POST /links', input: Unspecified }).scope).toBe(
    'links:*',
  );
});

test('a sandbox without a handler for one operation does not compile', () => {
  type Incomplete = Omit<Handlers, 'links'> & { links: Omit<Handlers['links'], 'create'> };
  expectTypeOf<Incomplete>().not.toExtend<Handlers>();
});

test('the client has the types of the catalogue', () => {
  type Created = Awaited<ReturnType<Client['links']['create']>>;
  expectTypeOf<Created['url']>().toEqualTypeOf<string>();
  expectTypeOf<Parameters<Client['links']['create']>[0]['document_id']>().toEqualTypeOf<
    string | number | bigint
  >();
  expectTypeOf<Awaited<ReturnType<Client['agreements']['document']>>>().toEqualTypeOf<Download>();
  expectTypeOf<Awaited<ReturnType<Client['rooms']['list']>>>().toExtend<Page<Record<string, unknown>>>();
});

test('a typo in a body that the document states does not compile; under `extra` any name does', () => {
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

test('what the document names of a link and a document is typed in every answer that holds one', () => {
  expectTypeOf<Awaited<ReturnType<Client['links']['update']>>['url']>().toEqualTypeOf<string | undefined>();
  type Listed = Awaited<ReturnType<Client['documents']['list']>>['items'][number];
  expectTypeOf<Listed['id']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Parameters<Client['links']['update']>[0]['email_required']>().toEqualTypeOf<
    boolean | undefined
  >();
});

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
  expectTypeOf<Parameters<Client['links']['create']>[0]['document_id']>().toEqualTypeOf<string>();
  expectTypeOf<Awaited<ReturnType<Client['agreements']['document']>>>().toEqualTypeOf<Download>();
  expectTypeOf<Awaited<ReturnType<Client['rooms']['list']>>>().toExtend<Page<Record<string, unknown>>>();
});

/** What is read from the body of a refusal, how much of it, and what a person is told to do. */
import { describe, expect, test } from 'vitest';
import { findErrorDetails } from '../../../../src/api-errors/details.ts';
import { createApiError } from '../../../../src/api-errors/from-response.ts';
import { ApiError, type NamedOperation } from '../../../../src/index.ts';
import { texts } from '../../../core/texts.ts';
import { createStub } from '../../../support/create-stub.ts';

const nested = (levels: number): unknown => (levels === 0 ? ['deep'] : { errors: nested(levels - 1) });

describe('the details of an error', () => {
  test.each<[string, unknown, readonly object[]]>([
    [
      'that is said twice',
      {
        errors: [
          { field: 'a', message: 'no' },
          { field: 'a', message: ' no ' },
          { field: 'b', message: 'no' },
        ],
      },
      [
        { field: 'a', message: 'no' },
        { field: 'b', message: 'no' },
      ],
    ],
    [
      'that an outer object tells better than an inner one',
      { errors: [{ message: 'outer' }], data: { errors: [{ message: 'inner' }] } },
      [{ field: '', message: 'outer' }],
    ],
    [
      'whose lists stand within an entry that has fields too',
      { errors: [{ path: 'a', errors: ['no'], hint: 'none' }] },
      [{ field: 'a', message: 'no' }],
    ],
    [
      'whose path is made of starts alone',
      { errors: [{ loc: ['body', 'data'], msg: 'no' }] },
      [{ field: 'data', message: 'no' }],
    ],
    [
      'whose path is only its start',
      { errors: [{ path: '/data', message: 'no' }] },
      [{ field: 'data', message: 'no' }],
    ],
    [
      'named like what every object inherits',
      { errors: { constructor: ['no'] } },
      [{ field: 'constructor', message: 'no' }],
    ],
    ['that has no message but an inherited one', { errors: [{}] }, []],
    ['that is deep', nested(3), [{ message: 'deep' }]],
    ['that is too deep', nested(20), []],
    ['behind more than is looked at', { errors: [...Array.from({ length: 3000 }, () => ({})), 'late'] }, []],
  ])('%s are told as they are meant', (_, body, details) => {
    expect(findErrorDetails(body)).toMatchObject(details);
    expect(findErrorDetails(body)).toHaveLength(details.length);
  });
});

const named = (more: object = {}) =>
  createStub<NamedOperation>({
    name: 'links.update',
    group: 'links',
    operation: { route: 'PATCH /links/{id}', scope: 'links:write', ...more },
  });
const advice = (status: number, headers: Record<string, string>, method = 'PATCH', operation = named()) =>
  createApiError({ status, headers, text: '', complete: true }, operation, {
    secrets: [],
    now: Date.UTC(2026, 0, 1),
    method,
  }).advice;

test.each<[string, string, object, string]>([
  ['a read', 'GET', {}, 'Try again later'],
  ['a deletion', 'DELETE', {}, 'Try again later'],
  ['a write that does the same twice', 'POST', { repeatable: true }, 'Try again later'],
  ['any other write', 'POST', {}, texts.listLinksCheckBefore],
])('where the service failed, %s (%s) is told what to do', (_, method, more, said) => {
  expect(advice(500, {}, method, named(more))).toContain(said);
});

test.each([
  ['Thu, 01 Jan 2026 00:00:07 GMT', 'try again in 7 s'],
  ['1', 'try again in 1 s'],
  ['1.2', 'try again in 2 s'],
])('a limit that says %s is waited for as long: who comes back before is refused again', (after, said) => {
  expect(advice(429, { 'retry-after': after })).toContain(said);
});

test('a message quotes so much of the service, and never half a character', () => {
  const said = `${'x'.repeat(239)}\u{1f600} and more`;
  const { message, body } = new ApiError('Try again.', {
    status: 400,
    operation: 'links.get',
    scope: 'links:read',
    body: said,
  });
  expect([message, body]).toEqual([`Try again. The service said: "${'x'.repeat(239)}…"`, said]);
});

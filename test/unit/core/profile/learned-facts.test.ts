/** What a client takes from a profile, and what it passes over: a file may be wrong, and is nobody's word. */

import { describe, expect, test } from 'vitest';
import {
  type Contradiction,
  type ListProfile,
  orderBodies,
  type ResponseShape,
  type Schema,
  type ServiceProfile,
} from '../../../../src/index.ts';
import { getActiveScheme } from '../../../../src/pagination/active-scheme.ts';
import { createActiveProfile } from '../../../../src/profile/active-profile.ts';
import { checkResponse } from '../../../../src/profile/check-response.ts';
import { findTypeMismatches } from '../../../../src/profile/check-schema.ts';
import { checkProfile } from '../../../../src/profile/read-profile.ts';
import { texts } from '../../../core/texts.ts';
import { NOTHING_LEARNED } from '../../../support/form-of.ts';

function learn(operations: ServiceProfile['operations']) {
  const contradictions: Contradiction[] = [];
  const learned = createActiveProfile({ ...NOTHING_LEARNED, operations }, (one) => void contradictions.push(one));
  return { learned, contradictions };
}

const list = (more: Partial<ListProfile> = {}): ListProfile => ({ at: ['data'], size: {}, query: {}, ...more });
const answer = (more: Partial<ResponseShape> = {}): ResponseShape => ({
  status: 200,
  media: 'application/json',
  headers: {},
  seen: 1,
  ...more,
});
const factsOf = (known: ListProfile, body?: Schema) => {
  const { learned } = learn({ 'links.list': { list: known, response: answer(body ? { body } : {}) } });
  return getActiveScheme(learned, 'links.list');
};

describe('of a list', () => {
  test.each<[string, readonly string[], ListProfile['query'], readonly string[]]>([
    ['a plain name', ['page', 'page[number]', '$skip'], {}, ['page', 'page[number]', '$skip']],
    ['the prototype', ['__proto__'], {}, []],
    ['a name that no parameter has', ['a b', 'a&b=c', '', 'x'.repeat(65)], {}, []],
    ['one that narrows or sorts', ['page', 'since'], { page: 'ignored', since: 'narrows' }, ['page']],
  ])('next page parameters %s, or not', (_, params, query, asked) => {
    const facts = factsOf(list({ next: { by: 'page', params: [...params] }, query }));
    expect(facts?.next?.params).toEqual(asked);
  });

  test.each<[object, object]>([
    [
      { param: 'limit', default: 20, max: 100 },
      { param: 'limit', default: 20, max: 100 },
    ],
    [
      { param: 'limit', default: 0, max: 10_000 },
      { param: 'limit', max: 10_000 },
    ],
    [{ param: 'limit', max: 10_001 }, { param: 'limit' }],
    [{ param: '__proto__', max: 100 }, { max: 100 }],
  ])('the size of a page %j is used as %j', (size, used) => {
    expect(factsOf(list({ size }))?.size).toEqual(used);
  });

  const field = (type: Schema['type'], required: readonly string[] = []): Schema => ({
    type: 'object',
    properties: { meta: { type: 'object', properties: { next: type ? { type } : {} }, required: [...required] } },
    required: ['meta'],
  });
  test.each<[string, Schema | undefined, string]>([
    ['nothing', undefined, 'always'],
    ['a place that was in some answers', field('string'), 'sometimes'],
    ['a place that was in each, and never null', field('string', ['next']), 'filled'],
    ['a place that was in each, and null in some', field(['string', 'null'], ['next']), 'always'],
  ])('of %s it is known how often it says how the list goes on', (_, body, says) => {
    const next = { by: 'cursor' as const, params: ['cursor'], at: ['meta', 'next'] };
    expect(factsOf(list({ next }), body)?.presence).toBe(says);
  });
});

describe('a response', () => {
  const received = { status: 200, contentType: 'application/json', hasBody: true };

  test('of an operation that was never observed contradicts nothing', () => {
    const { learned, contradictions } = learn({ 'links.list': { response: answer({ seen: 0 }) } });
    checkResponse(learned, 'links.list', { ...received, status: 203 });
    expect(contradictions).toEqual([]);
  });

  test.each([
    ['application/json', 'application/json; charset=utf-8', []],
    ['application/json', 'application/vnd.docshare.v2+json', []],
    ['application/json', 'text/html', ['text/html']],
    ['application/json', 'not a type', ['no media type']],
  ])('learned as %s and received as %s is reported as %j', (media, contentType, named) => {
    const { learned, contradictions } = learn({ 'links.list': { response: answer({ media }) } });
    checkResponse(learned, 'links.list', { ...received, contentType });
    expect(contradictions.map((one) => one.actual)).toEqual(named);
  });

  test('that contradicts a fact does so once, on one line of a bounded length', () => {
    const { learned, contradictions } = learn({});
    for (const _ of 'ab')
      learned.contradict({
        operation: 'links.list',
        fact: 'facts.x',
        expected: `a\nb\u202e`,
        actual: 'x'.repeat(1000),
      });
    expect(contradictions.map((one) => [one.expected, one.actual.length])).toEqual([['a b ', 200]]);
    expect([learned.isTrusted('facts.x'), learned.isTrusted('facts.y')]).toEqual([false, true]);
  });
});

test.each<[Schema, unknown, readonly string[]]>([
  [{ type: 'integer' }, 1.5, []],
  [{ type: 'number' }, 1, []],
  [{ type: 'integer' }, '1', ['string']],
  // As an id comes that a number would round; one that it would not is a text there too.
  [{ type: 'integer' }, '9007199254740993', []],
  [{ type: 'integer' }, '1234567890123456', ['string']],
  [{ type: 'boolean' }, '9007199254740993', ['string']],
  [{ type: 'string' }, null, []],
  [{ type: 'array', items: { type: 'string' } }, ['a', 1, 2], ['integer']],
])('a value of the form %j differs in %j by %j', (schema, value, types) => {
  expect(findTypeMismatches(schema, value).map(({ actual }) => actual)).toEqual(types);
});

test('a profile is read as it stood when it was first handed in', () => {
  const service = 'https://api.example.com/api/v1';
  const given = { ...NOTHING_LEARNED, service, facts: { naming: 'snake' as const } };
  const taken = checkProfile(given, service);
  Object.assign(given.facts, { naming: 'nonsense' });
  expect(checkProfile(given, service)).toBe(taken);
  expect(taken.facts.naming).toBe('snake');
  expect(() => checkProfile(given, 'https://other.example.com/api/v1')).toThrow(
    'Run `docshare learn` for that service',
  );
});

test.each([
  ['one that is assumed', { size: '{size}', name: '{name}' }, [['name', 'size'], ['fileName']]],
  [texts.oneOfItsOwn, { file: '{name}' }, [['file'], ['fileName'], ['name', 'size']]],
])('a learned body is tried first, and once: %s', (_, uploadStart, tried) => {
  const learned = createActiveProfile({ ...NOTHING_LEARNED, facts: { uploadStart } }, () => undefined);
  const bodies = [{ fileName: 'a' }, { name: 'a', size: 7 }];
  const filling = { name: 'a', type: 'b', size: 7 };
  const order = orderBodies(learned, 'documents.startUpload', { bodies, placeholderValues: filling });
  expect(order.bodies.map((body) => Object.keys(body))).toEqual(tried);
});

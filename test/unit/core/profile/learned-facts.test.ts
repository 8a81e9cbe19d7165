import { describe, expect, test } from 'vitest';
import type { Contradiction, ListProfile, Schema, ServiceProfile } from '../../../../src/index.ts';
import { getActiveScheme } from '../../../../src/pagination/active-scheme.ts';
import { createActiveProfile } from '../../../../src/profile/active-profile.ts';
import { checkResponse } from '../../../../src/profile/check-response.ts';
import { findTypeMismatches } from '../../../../src/profile/check-schema.ts';
import { checkProfile } from '../../../../src/profile/read-profile.ts';
import { NOTHING_LEARNED } from '../../../support/create-profile.ts';
import { answer } from '../../../support/evaluate-question.ts';

function learn(operations: ServiceProfile['operations']) {
  const contradictions: Contradiction[] = [];
  const learned = createActiveProfile({ ...NOTHING_LEARNED, operations }, (one) => void contradictions.push(one));
  return { learned, contradictions };
}

const list = (more: Partial<ListProfile> = {}): ListProfile => ({ at: ['data'], size: {}, query: {}, ...more });
const factsOf = (known: ListProfile, body?: Schema) => {
  const { learned } = learn({ 'links.list': { list: known, response: answer(body ? { body } : {}) } });
  return getActiveScheme(learned, 'links.list');
};

describe('a list', () => {
  test.each<[string, readonly string[], ListProfile['query'], readonly string[]]>([
    ['that are plain names', ['page', 'page[number]', '$skip'], {}, ['page', 'page[number]', '$skip']],
    ['named like the prototype', ['__proto__'], {}, []],
    ['with invalid names', ['a b', 'a&b=c', '', 'x'.repeat(65)], {}, []],
    ['that filter or sort', ['page', 'since'], { page: 'ignored', since: 'narrows' }, ['page']],
  ])('uses only valid next page parameters of those %s', (_, params, query, asked) => {
    expect(factsOf(list({ next: { by: 'page', params: [...params] }, query }))?.next?.params).toEqual(asked);
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
  ])('with the page size %j uses %j', (size, used) => {
    expect(factsOf(list({ size }))?.size).toEqual(used);
  });

  const field = (type: Schema['type'], required: readonly string[] = []): Schema => ({
    type: 'object',
    properties: { meta: { type: 'object', properties: { next: type ? { type } : {} }, required: [...required] } },
    required: ['meta'],
  });
  test.each<[string, Schema | undefined, string]>([
    ['nothing', undefined, 'always'],
    ['a field that some responses had', field('string'), 'sometimes'],
    ['a field that each response had, never null', field('string', ['next']), 'filled'],
    ['a field that each response had, sometimes null', field(['string', 'null'], ['next']), 'always'],
  ])('with %s knows how often that names the next page', (_, body, says) => {
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
  ])('with the media type %s in its profile and %s received is reported as %j', (media, contentType, named) => {
    const { learned, contradictions } = learn({ 'links.list': { response: answer({ media }) } });
    checkResponse(learned, 'links.list', { ...received, contentType });
    expect(contradictions.map((one) => one.actual)).toEqual(named);
  });

  test('contradicts a fact once, in one line of bounded length', () => {
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
  // An ID that a number would round is text; a shorter one must be a number.
  [{ type: 'integer' }, '9007199254740993', []],
  [{ type: 'integer' }, '1234567890123456', ['string']],
  [{ type: 'boolean' }, '9007199254740993', ['string']],
  [{ type: 'string' }, null, []],
  [{ type: 'array', items: { type: 'string' } }, ['a', 1, 2], ['integer']],
])('with the schema %j, %j has the mismatches %j', (schema, value, types) => {
  expect(findTypeMismatches(schema, value).map(({ actual }) => actual)).toEqual(types);
});

test('a profile keeps the content it had when it was first checked', () => {
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

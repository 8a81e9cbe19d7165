/** What counts as a change of a service, and what only depends on the entries of an account or on a clock. */
import { expect, test } from 'vitest';
import { diffProfiles } from '../../../../learn/report/diff-profiles.ts';
import { diffSchemas } from '../../../../learn/report/diff-schemas.ts';
import type { Schema } from '../../../../src/profile/json-schema.ts';
import type { ResponseShape, ServiceProfile } from '../../../../src/profile/service-profile.ts';
import { texts } from '../../../learn/texts.ts';
import { NOTHING_LEARNED } from '../../../support/form-of.ts';
import { answer } from '../../../support/judged.ts';

const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
});
const text: Schema = { type: 'string' };

test.each<[string, Schema, Schema, readonly string[]]>([
  [
    'a field that always was',
    object({ a: text, b: text }, ['a', 'b']),
    object({ a: text }, ['a']),
    ['the field b was removed.'],
  ],
  ['a field that was in some', object({ a: text, b: text }, ['a']), object({ a: text }, ['a']), []],
  ['a field that always is', object({ a: text }), object({ a: text, b: text }, ['b']), ['the field b was added.']],
  ['a null here and there', object({ a: text }), object({ a: { type: ['string', 'null'] } }), []],
  ['nothing but null', object({ a: text }), object({ a: { type: 'null' } }), []],
  ['a fraction', object({ a: { type: 'integer' } }), object({ a: { type: 'number' } }), []],
  [
    'another type',
    object({ a: text }),
    object({ a: { type: 'integer' } }),
    ['the field a is integer now, and was string.'],
  ],
])('%s is a change, or none', (_, old, now, changes) => {
  expect(diffSchemas(old, now)).toEqual(changes);
});

const seen = (header: string): ResponseShape => answer({ headers: { [header]: { type: 'string', 'x-seen': 1 } } });
const download = (ttlSeconds: number) => ({ facts: { download: { by: 'url' as const, status: 200, ttlSeconds } } });
test.each<[string, Partial<ServiceProfile>, Partial<ServiceProfile>, number]>([
  ['a lifetime that is 5 s longer', download(30), download(35), 0],
  ['a lifetime that is 6 s longer', download(30), download(36), 1],
  ['a long lifetime that is a tenth longer', download(600), download(660), 0],
  [
    texts.headerGoesLengthList,
    { operations: { 'links.list': { response: seen('link') } } },
    { operations: { 'links.list': { response: answer() } } },
    0,
  ],
  [
    'any other header',
    { operations: { 'links.list': { response: seen('x-plan') } } },
    { operations: { 'links.list': { response: answer() } } },
    1,
  ],
  [
    'a rejection that was only inferred before',
    { rejections: { noKey: answer({ status: 401, seen: 0 }) } },
    { rejections: { noKey: answer({ status: 403 }) } },
    0,
  ],
])('%s counts as the expected number of changes', (_, before, now, changes) => {
  expect(diffProfiles({ ...NOTHING_LEARNED, ...before }, { ...NOTHING_LEARNED, ...now })).toHaveLength(changes);
});

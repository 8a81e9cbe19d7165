/** Which differences are changes of a service, and which only depend on the account's items or on the time. */
import { expect, test } from 'vitest';
import { inferStringSchema } from '../../../../learn/infer/infer-scalar-schema.ts';
import { removeUserDefinedNames } from '../../../../learn/infer/remove-user-defined-names.ts';
import { renderMembers } from '../../../../learn/openapi/typescript-types.ts';
import { QUESTIONS } from '../../../../learn/questions/index.ts';
import type { EvaluatedQuestion, Report } from '../../../../learn/report/create-report.ts';
import { diffProfiles } from '../../../../learn/report/diff-profiles.ts';
import { diffSchemas } from '../../../../learn/report/diff-schemas.ts';
import { describeOmittedNames } from '../../../../learn/report/omitted-names.ts';
import { renderMarkdown } from '../../../../learn/report/render-markdown.ts';
import type { Schema } from '../../../../src/profile/json-schema.ts';
import type { OperationProfile, ResponseShape, ServiceProfile } from '../../../../src/profile/service-profile.ts';
import { texts } from '../../../learn/texts.ts';
import { NOTHING_LEARNED } from '../../../support/create-profile.ts';
import { createStub } from '../../../support/create-stub.ts';
import { answer } from '../../../support/evaluate-question.ts';

const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
});
const text: Schema = { type: 'string' };

test.each<[string, Schema, Schema, readonly string[]]>([
  [
    'the removal of a required field',
    object({ a: text, b: text }, ['a', 'b']),
    object({ a: text }, ['a']),
    ['the field b was removed.'],
  ],
  ['the removal of an optional field', object({ a: text, b: text }, ['a']), object({ a: text }, ['a']), []],
  ['a field that always is', object({ a: text }), object({ a: text, b: text }, ['b']), ['the field b was added.']],
  ['an occasional null', object({ a: text }), object({ a: { type: ['string', 'null'] } }), []],
  ['a field that is only null', object({ a: text }), object({ a: { type: 'null' } }), []],
  ['a fraction', object({ a: { type: 'integer' } }), object({ a: { type: 'number' } }), []],
  ['a type', object({ a: text }), object({ a: { type: 'integer' } }), ['the field a is integer now, and was string.']],
])('%s is a change or not', (_, old, now, changes) => {
  expect(diffSchemas(old, now)).toEqual(changes);
});

const seen = (header: string): ResponseShape => answer({ headers: { [header]: { type: 'string', 'x-seen': 1 } } });
const inferred = (limit: number) => ({
  operations: {
    'links.list': { response: answer({ seen: 0 }), list: { at: [], size: { default: limit }, query: {} } },
  },
});
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
  ['a list that was only inferred before', inferred(20), inferred(50), 0],
])('%s counts as the expected number of changes', (_, before, now, changes) => {
  expect(diffProfiles({ ...NOTHING_LEARNED, ...before }, { ...NOTHING_LEARNED, ...now })).toHaveLength(changes);
});

test.each([
  ['link_4mZq', { 'x-prefix': 'link_' }],
  ['lnk-4mZq', { 'x-prefix': 'lnk-' }],
  ['zeb_4mZq', {}],
  ['ink_4mZq', {}],
])('the prefix of the ID %s may be the name of a person or a kind of object', (id, prefix) => {
  expect(inferStringSchema(id, 'id')).toEqual({ type: 'string', format: 'prefixed-id', ...prefix });
});

test.each([
  [{ properties: {} }, '  readonly [field: string]: string;\n'],
  [{ properties: { a: { type: 'number' } } }, expect.not.stringContaining('[field')],
])('the type of other fields is named only if no field is known: %j', (schema, members) => {
  expect(renderMembers({ ...schema, additionalProperties: { type: 'string' } })).toEqual(members);
});

/** A list of four items. The first `seen` of them have an unknown field. */
const listOf = (seen: number, name = 'zebsalary') =>
  createStub<OperationProfile>({
    response: {
      seen: 1,
      body: {
        type: 'array',
        items: {
          type: 'object',
          'x-seen': 4,
          required: ['id'],
          properties: { id: { type: 'string', 'x-seen': 4 }, [name]: { type: 'string', 'x-seen': seen } },
        },
      },
    },
    list: { at: [], size: {}, query: {} },
  });

test.each([
  ['at most half of the items have', 2, 'zebsalary', false],
  ['most of them have', 3, 'zebsalary', true],
  ['few of them have, and APIs use', 1, 'updated_at', true],
])('a name that %s may be personal: %i of 4, "%s" is kept: %s', (_, seen, name, stays) => {
  const cleaned = removeUserDefinedNames({ 'documents.list': listOf(seen, name) });
  expect(JSON.stringify(cleaned['documents.list']).includes(name)).toBe(stays);
});

test('text of the service never becomes HTML or a new table cell', () => {
  const [question] = QUESTIONS;
  const script = '<img src=x onerror="alert(1)">';
  const evaluated = createStub<EvaluatedQuestion>({
    question,
    outcome: 'different',
    observation: `It is \`${script}\`, ${script} | a lone \` ${script}.`,
    evidence: [],
  });
  const page = renderMarkdown(
    createStub<Report>({
      profile: {
        service: `https://api.test/${script}`,
        learned: { at: '2026-01-01T00:00:00Z', calls: 1, mode: 'read', names: 'known' },
        scopes: { granted: [script], missing: [script] },
      },
      evaluations: [evaluated],
      counts: { confirmed: 0, different: 1, 'not found': 0, 'not observed': 0 },
      evidence: [{ number: 1, request: script, response: script }],
      unverifiable: [[script, script]],
      omittedNames: [],
      skippedReasons: [script],
      stopReason: script,
    }),
  );
  expect(page.replace(/```text\n[\s\S]*?\n```/g, '').replace(/`[^`\n]*`/g, '')).not.toContain('<img');
  expect(page).toContain(`It is \`${script}\`, &lt;img src=x onerror="alert(1)"> \\| a lone \\\` &lt;img`);
});

test.each([
  [1, texts.n1NameLeftOut],
  [2, texts.n2NamesLeftOut],
])('the sentence about %j omitted names is singular or plural', (count, words) => {
  const { learned } = createStub<ServiceProfile>({ learned: { names: 'known' } });
  expect(describeOmittedNames([{ group: 'documents', count }], learned)).toBe(words);
});

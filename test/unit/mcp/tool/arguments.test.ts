import type { ServerContext } from '@modelcontextprotocol/server';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { flag, Limit, mergeFields, object, parseArguments, text, textList } from '../../../../mcp/tool/arguments.ts';
import { serializeCanonicalCall } from '../../../../mcp/tool/canonical-call.ts';
import { describeArgument } from '../../../../mcp/tool/describe-argument.ts';
import { describeMismatch, getNonNullTypes } from '../../../../mcp/tool/describe-mismatch.ts';
import { createProgressReporter } from '../../../../mcp/tool/progress-reporter.ts';
import { getListToolName, type Tool } from '../../../../mcp/tool/tool.ts';
import { uploadByTicket } from '../../../../mcp/tools/upload-document.ts';
import { texts } from '../../../mcp/texts.ts';
import { createStub } from '../../../support/create-stub.ts';

const schema = z.strictObject({
  id: text(''),
  note: text('').optional(),
  limit: Limit.optional(),
  check: flag('').optional(),
  fields: object('').optional(),
  events: textList('').optional(),
});
const parsed = (given: object) => parseArguments(schema, { id: 'x', ...given });

test.each<[string, object, object]>([
  ['null for an empty argument', { note: null }, {}],
  ['a number as text', { limit: ' 1000 ' }, { limit: 1000 }],
  ['true as text', { check: 'true' }, { check: true }],
  ['false as text', { check: ' false ' }, { check: false }],
  ['an object as text', { fields: '{"a":1}' }, { fields: { a: 1 } }],
  ['an ID that a number would round', { fields: '{"a":9007199254740993}' }, { fields: { a: '9007199254740993' } }],
  ['a list as text', { events: ' ["a"]' }, { events: ['a'] }],
  ['a text that looks like an object', { note: '{"a":1}' }, { note: '{"a":1}' }],
  ['a text of digits', { note: '20' }, { note: '20' }],
])('%s is accepted', (_, given, meant) => {
  expect(parsed(given)).toEqual({ id: 'x', ...meant });
});

test.each<[string, object, RegExp]>([
  ['a number with too many digits', { limit: '9'.repeat(16) }, /^limit: /],
  ['a limit above 1000', { limit: 1001 }, /^limit: must be a whole number from 1 to 1000\.$/],
  ['a limit with a fraction', { limit: 1.5 }, /^limit: /],
  ['a word instead of true', { check: 'yes' }, /^check: /],
  ['a truncated object', { fields: '{"a":1' }, /^fields: /],
  ['a list instead of an object', { fields: '[1]' }, /^fields: /],
  ['an unknown name', { limt: 3 }, /^Unknown argument "limt"; did you mean "limit"\?.* into "fields"\.$/],
  ['an inherited name', JSON.parse('{"__proto__":1}'), /^Unknown argument "__proto__"/],
])('%s is rejected by name', (_, given, says) => {
  expect(() => parsed(given)).toThrow(says);
});

test('missing arguments are named, even if the arguments are not an object', () => {
  for (const raw of [undefined, null, [], 'x', {}])
    expect(() => parseArguments(schema, raw)).toThrow(/^id is missing\.$/);
});

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
test('an object of 32 levels is accepted, and a deeper one is rejected early', () => {
  expect(parsed({ fields: nested(32) })).toMatchObject({ id: 'x' });
  expect(() => parsed({ fields: nested(33) })).toThrow(texts.fieldsMustNestedDeeper);
});

test.each<[object, object]>([
  [{ id: 'x' }, { id: 'x' }],
  [
    { id: 'x', fields: { a: 1 } },
    { id: 'x', a: 1 },
  ],
  [{ id: undefined, fields: { id: 'y' } }, { id: undefined }],
  [{ fields: { extra: { a: 1 } } }, { extra: { a: 1 } }],
  [{ fields: { extra: 7 } }, { extra: { extra: 7 } }],
])('%j is sent as %j', (args, sent) => {
  expect(mergeFields({ ...args })).toEqual(sent);
});

test('a field that is set twice is rejected, because one value would be lost', () => {
  const args = { email_required: true, fields: { email_required: false } };
  expect(() => mergeFields(args)).toThrow(/^fields\.email_required: use only the argument/);
});

const tool = createStub<Tool>({ operations: ['contacts.update'] });
test.each<[string, object, object, boolean]>([
  ['with empty fields', { id: 'x' }, { id: 'x', fields: {} }, true],
  ['with the field under extra', { fields: { a: 1 } }, { fields: { extra: { a: 1 } } }, true],
  ['with two notations of an empty value', { fields: { a: null } }, { fields: { a: { b: '' } } }, true],
  ['with a list in another order', { fields: { a: [1, 2] } }, { fields: { a: [2, 1] } }, false],
  ['with an empty list item at another position', { fields: { a: [null, 1] } }, { fields: { a: [1, null] } }, false],
  ['that clears another field', { id: 'x', fields: { a: null } }, { id: 'x', fields: { b: null } }, false],
  ['with another value', { fields: { a: 1 } }, { fields: { a: 2 } }, false],
  ['with arguments in another order', { name: 'a', id: 'x' }, { id: 'x', name: 'a' }, true],
  ['with spaces around a text', { id: 'x' }, { id: ' x ' }, true],
  ['with full-width letters', { id: 'x1' }, { id: 'ｘ１' }, true],
  ['with a composed or decomposed letter', { name: 'é' }, { name: 'e\u0301' }, true],
  ['with a number as text', { id: 7 }, { id: '7' }, true],
  ['of another object', { id: 'x' }, { id: 'y' }, false],
])('a call %s counts as the same call: %4$s', (_, one, other, isSame) => {
  expect(serializeCanonicalCall(tool, { ...one }) === serializeCanonicalCall(tool, { ...other })).toBe(isSame);
});

test('an upload of a file from the chat counts as the same call at its next signed URL', () => {
  const serialize = (sig: string) => {
    const file = { file_id: 'file_1', download_url: `https://files.example/get?sig=${sig}` };
    return [{ file }, { files: [file] }].map((args) => serializeCanonicalCall(uploadByTicket as never, args));
  };
  expect(serialize('a')).toEqual(serialize('b'));
});

/** A reporter, and the progress that its host received. */
function openProgress() {
  vi.useFakeTimers();
  const reported: { progress: number; message: string }[] = [];
  const notify = async ({ params }: { params: { progress: number; message: string } }) => void reported.push(params);
  const { signal } = new AbortController();
  const mcp = createStub<ServerContext>({ mcpReq: { _meta: { progressToken: 1 }, signal, notify } });
  return { progress: createProgressReporter(mcp), reported };
}

test('progress only increases, and a finished call reports no more waiting', () => {
  const { progress, reported } = openProgress();
  const values = () => reported.map((one) => one.progress);
  progress.step(10, 100, '');
  vi.advanceTimersByTime(1000);
  progress.step(4, 100, '');
  progress.step(10, 100, '');
  expect(values()).toEqual([10]);
  progress.wait(createStub({ waitMs: 60_000 }));
  vi.advanceTimersByTime(5000);
  expect(values()).toHaveLength(3);
  expect(values()).toEqual([...new Set(values())].toSorted((one, other) => one - other));
  progress.done();
  vi.advanceTimersByTime(60_000);
  expect(values()).toHaveLength(3);
});

test('a countdown stops when the call continues', () => {
  const { progress, reported } = openProgress();
  progress.wait(createStub({ waitMs: 60_000 }));
  progress.step(10, 100, 'sent');
  vi.advanceTimersByTime(60_000);
  expect(reported.map(({ message }) => message)).toEqual([texts.waiting60SRate]);
});

describe('a value', () => {
  test.each([
    [{ type: 'string' }, 7, 'a string, not a number'],
    [{ type: ['string', 'boolean'] }, [], 'a string or true or false, not a list'],
    [{ type: 'integer', format: 'epoch-ms' }, 'soon', 'a whole number (milliseconds since 1970), not a string'],
    [{ type: 'integer' }, 1.5, undefined],
    [{ type: 'string' }, null, undefined],
    [{}, 7, undefined],
    [{ type: 'string', format: 'date' }, 'soon', 'a date such as 2026-12-31'],
    [{ type: 'string', format: 'date-time' }, 'soon', texts.dateTimeSuch2026],
    [{ type: 'string', format: 'date' }, ' 2026-12-31', undefined],
    [{ type: 'string', format: 'date' }, '', undefined],
    [{ type: 'string', format: 'uuid' }, 'soon', undefined],
  ] as const)('with the schema %j, %j gets the message: %s', (schema, value, message) => {
    expect(describeMismatch(schema as never, value)).toBe(message);
  });
  test('may have the types of its schema, without null', () => {
    expect([
      getNonNullTypes({}),
      getNonNullTypes({ type: 'null' }),
      getNonNullTypes({ type: ['string', 'null'] }),
    ]).toEqual([[], [], ['string']]);
  });
});

test('a tool has a list tool if its group has one', () => {
  const listToolOf = (operation: string) => getListToolName(createStub<Tool>({ operations: [operation] }));
  expect([listToolOf('links.create'), listToolOf('billing.usage')]).toEqual(['list_links', undefined]);
});

test('a list of small objects is described by the fields that a caller may set', () => {
  const schema = { items: { properties: { email: {}, name: {}, created_at: {}, 'two words': {} } } };
  const learned = { names: [{ name: 'people', knownBy: 'observed', schema }] };
  expect(describeArgument(createStub(learned), { maxTokens: 50, exclude: [] })).toContain('people: [{email, name}]');
});

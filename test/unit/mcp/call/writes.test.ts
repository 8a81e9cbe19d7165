import { expect, test } from 'vitest';
import type { ShutdownSignals } from '../../../../mcp/call/shutdown-signals.ts';
import { warnIgnoredFields } from '../../../../mcp/call/warn-ignored-fields.ts';
import { trackWrites } from '../../../../mcp/call/write-tracker.ts';
import type { Tool } from '../../../../mcp/tool/tool.ts';
import { texts } from '../../../mcp/texts.ts';
import { createStub } from '../../../support/create-stub.ts';

const CASES: readonly [
  words: string,
  asked: readonly [method: 'GET' | 'POST', operation: string, status?: number][],
  RegExp,
][] = [
  ['no request', [], /^The call was cancelled\. Nothing was done\.$/],
  ['a read', [['GET', 'documents.get']], /Nothing was done\.$/],
  [
    'the start of an upload',
    [['POST', 'documents.startUpload', 201]],
    /^The call was cancelled during an upload: parts of the file may have been stored, but no document was created\.$/,
  ],
  [
    'a write',
    [['POST', 'contacts.create']],
    /^The call was cancelled after the request was sent, so its outcome is unknown/,
  ],
  [
    'a write after the start of an upload',
    [
      ['POST', 'documents.startUpload', 201],
      ['POST', 'documents.finalizeUpload'],
    ],
    /its outcome is unknown/,
  ],
  ['a rejected write', [['POST', 'contacts.create', 422]], /Nothing was done\.$/],
  ['a write with a timeout of the service', [['POST', 'contacts.create', 408]], /its outcome is unknown/],
];

test.each(CASES)('a call cancelled after %s', async (_, asked, words) => {
  const control = new AbortController();
  const watch = trackWrites({ signal: control.signal });
  const act = async () => {
    for (const [method, operation, status] of asked) {
      watch.options.onRequest?.(createStub({ method, operation }));
      if (status !== undefined) watch.options.onResponse?.(createStub({ method, operation, status }));
    }
    control.abort();
    throw control.signal.reason;
  };
  await expect(watch.explainAbort(act)).rejects.toThrow(words);
  watch.dispose();
});

type Happening = 'GET' | 'POST' | 'wait' | 'caller' | 'released' | number | keyof Omit<ShutdownSignals, 'start'>;

test.each<[string, readonly Happening[], boolean]>([
  ['a read continues when the shutdown starts', ['GET', 'started'], false],
  ['a read ends at its deadline', ['GET', 'started', 'readDeadline'], true],
  ['a waiting read ends when the shutdown starts', ['GET', 429, 'wait', 'started'], true],
  ['a read that starts to wait later ends too', ['GET', 'started', 429, 'wait'], true],
  ['a read that has waited and was sent again continues', ['GET', 429, 'wait', 'GET', 'started'], false],
  ['a write continues at the deadline of reads', ['POST', 'started', 'readDeadline'], false],
  ['a write ends at its own deadline', ['POST', 'started', 'readDeadline', 'writeDeadline'], true],
  ['a write that may have run continues to wait', ['POST', 500, 'wait', 'started'], false],
  ['a rejected write stops waiting', ['POST', 429, 'wait', 'started'], true],
  ['a call after the deadline of reads does not start', ['readDeadline'], true],
  ['a call whose caller has aborted does not start', ['caller'], true],
  ['a finished call ignores the shutdown', ['released', 'started', 'readDeadline', 'writeDeadline'], false],
])('%s', (_, happenings, isOver) => {
  // A first event happens before trackWrites is called.
  const [first] = happenings;
  const controls = {
    started: new AbortController(),
    readDeadline: new AbortController(),
    writeDeadline: new AbortController(),
  };
  const caller = new AbortController();
  const end = createStub<ShutdownSignals>({
    started: controls.started.signal,
    readDeadline: controls.readDeadline.signal,
    writeDeadline: controls.writeDeadline.signal,
  });
  if (first === 'readDeadline') controls.readDeadline.abort();
  if (first === 'caller') caller.abort();
  const watch = trackWrites({ signal: caller.signal, shutdown: end });
  for (const what of happenings) {
    if (what === 'GET' || what === 'POST')
      watch.options.onRequest?.(createStub({ method: what, operation: 'contacts.create' }));
    else if (what === 'wait') watch.options.onWait?.(createStub({}));
    else if (what === 'released') watch.dispose();
    else if (typeof what === 'number') watch.options.onResponse?.(createStub({ status: what }));
    else if (what !== 'caller') controls[what].abort();
  }
  expect(watch.signal.aborted).toBe(isOver);
  watch.dispose();
});

const tool = createStub<Tool>({ operations: ['links.update'] });
const saidOf = (fields: unknown, data: object) =>
  warnIgnoredFields({ data: { ...data } }, { tool, args: { fields } }).data['unconfirmed_fields'];

test.each<[string, unknown, object]>([
  ['under its own name', 'a', { note: 'a' }],
  ['under its name in another spelling', 'a', { 'No-Te': 'a' }],
  ['in another case, with spaces', ' A ', { note: 'a' }],
  ['as a number instead of a text', '7', { note: 7 }],
  ['four levels down', 'a', { one: { two: [{ note: 'a' }] } }],
  ['inside an object', 'a', { note: { id: 'n1', text: 'a' } }],
  ['as a list in another shape', ['a'], { note: { count: 1 } }],
  ['as the length of a list', ['a'], { note: 1 }],
  ['as the same day with a time', '2026-12-31', { note: '2026-12-31T18:00:00Z' }],
  ['as seconds', '2026-12-31T18:00:00Z', { note: 1_798_740_000 }],
  ['as milliseconds', '2026-12-31T18:00:00Z', { note: 1_798_740_000_000 }],
  ['if null removed it', null, {}],
  ['if null emptied it', null, { note: [] }],
])('a field is confirmed %s', (_, value, data) => {
  expect(saidOf({ note: value }, data)).toBeUndefined();
});

test.each<[string, unknown, object]>([
  ['that is missing', 'a', {}],
  ['that is returned empty', 'a', { note: null }],
  ['that null did not remove', null, { Note: 'a' }],
  ['with another value', 'a', { note: 'b' }],
  ['with another day', '2026-12-31', { note: '2027-01-02T00:00:00Z' }],
  ['that is a text although a list was sent', ['a'], { note: 'a' }],
  ['five levels down', 'a', { one: { two: { three: { four: { note: 'a' } } } } }],
])('a field %s is reported as ignored', (_, value, data) => {
  expect(saidOf({ note: value }, data)).toBe(texts.servicesResponseDoesContainThese);
});

test('ten fields are named and the others counted, unusual names are quoted, and the sentence is trusted', () => {
  const fields = Object.fromEntries(['a b', ...'cdefghijklm'].map((name) => [name, 1]));
  const answer = warnIgnoredFields({ data: {}, trustedFields: ['next'] }, { tool, args: { fields } });
  expect(answer.data['unconfirmed_fields']).toContain('"a b", c, d, e, f, g, h, i, j, k and 2 more.');
  expect(answer.trustedFields).toEqual(['next', 'unconfirmed_fields']);
});

test('a group without a list gets no advice to list it', () => {
  const billing = createStub<Tool>({ operations: ['billing.usage'] });
  const { data } = warnIgnoredFields({ data: {} }, { tool: billing, args: { fields: { note: 1 } } });
  expect(data['unconfirmed_fields']).toMatch(/It may have ignored them\.$/);
});

test('no field is reported if the response has no object, which its note says', () => {
  const result = { data: { note: 'empty' }, trustedFields: ['note'] };
  expect(warnIgnoredFields(result, { tool, args: { fields: { a: 1 } } })).toBe(result);
});

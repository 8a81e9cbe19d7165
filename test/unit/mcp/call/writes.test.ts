/** What a call that ended before its time says of what it left at the service. */

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
  ['nothing was asked for', [], /^The call was cancelled\. Nothing was done\.$/],
  ['a read', [['GET', 'documents.get']], /Nothing was done\.$/],
  [
    'the beginning of an upload',
    [['POST', 'documents.startUpload', 201]],
    /^The call was cancelled during an upload: parts of the file may have been stored, but no document was created\.$/,
  ],
  ['a beginning that was refused', [['POST', 'documents.startUpload', 403]], /Nothing was done\.$/],
  [
    'a write',
    [['POST', 'contacts.create']],
    /^The call was cancelled after the request was sent, so its outcome is unknown/,
  ],
  [
    'a write behind a beginning',
    [
      ['POST', 'documents.startUpload', 201],
      ['POST', 'documents.finalizeUpload'],
    ],
    /its outcome is unknown/,
  ],
  ['a write that was refused', [['POST', 'contacts.create', 422]], /Nothing was done\.$/],
  ['a write that timed out there', [['POST', 'contacts.create', 408]], /its outcome is unknown/],
];

test.each(CASES)('%s', async (_, asked, words) => {
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
  ['a read goes on when the end begins', ['GET', 'started'], false],
  ['a read ends when its time is over', ['GET', 'started', 'readDeadline'], true],
  ['a read that waits ends with the beginning', ['GET', 429, 'wait', 'started'], true],
  ['a read that begins to wait then ends too', ['GET', 'started', 429, 'wait'], true],
  ['a read that has waited and was sent again goes on', ['GET', 429, 'wait', 'GET', 'started'], false],
  ['a write goes on when the time of reads is over', ['POST', 'started', 'readDeadline'], false],
  ['a write ends when its own time is over', ['POST', 'started', 'readDeadline', 'writeDeadline'], true],
  [texts.writeMayHappenedGoes, ['POST', 500, 'wait', 'started'], false],
  ['a write that was refused waits no longer', ['POST', 429, 'wait', 'started'], true],
  ['a call that comes when the time of reads is over does not begin', ['readDeadline'], true],
  ['a call whose caller has gone does not begin', ['caller'], true],
  ['a call that has ended hears of no end any more', ['released', 'started', 'readDeadline', 'writeDeadline'], false],
])('%s', (_, happenings, isOver) => {
  // What comes first of all comes before the watch.
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
  [texts.underItsOwnName, 'a', { note: 'a' }],
  ['under the name in another spelling', 'a', { 'No-Te': 'a' }],
  ['in other capitals, with blanks', ' A ', { note: 'a' }],
  ['as a number for its text', '7', { note: 7 }],
  ['four levels down', 'a', { one: { two: [{ note: 'a' }] } }],
  ['as an object that holds it', 'a', { note: { id: 'n1', text: 'a' } }],
  ['as a list in a shape of the service’s own', ['a'], { note: { count: 1 } }],
  ['as the count of a list', ['a'], { note: 1 }],
  ['as the same day with its time', '2026-12-31', { note: '2026-12-31T18:00:00Z' }],
  ['as seconds', '2026-12-31T18:00:00Z', { note: 1_798_740_000 }],
  ['as milliseconds', '2026-12-31T18:00:00Z', { note: 1_798_740_000_000 }],
  ['where null took it away', null, {}],
  ['where it was left undefined', undefined, {}],
])('a field is shown %s', (_, value, data) => {
  expect(saidOf({ note: value }, data)).toBeUndefined();
});

test.each<[string, unknown, object]>([
  ['that is missing', 'a', {}],
  ['that came back empty', 'a', { note: null }],
  ['of another value', 'a', { note: 'b' }],
  ['of another day', '2026-12-31', { note: '2027-01-02T00:00:00Z' }],
  ['that is a text where a list was sent', ['a'], { note: 'a' }],
  ['five levels down', 'a', { one: { two: { three: { four: { note: 'a' } } } } }],
])('a field %s is named', (_, value, data) => {
  expect(saidOf({ note: value }, data)).toBe(texts.servicesResponseDoesContainThese);
});

test('ten fields are named and the others counted, odd names inside marks, and the sentence is no stranger’s', () => {
  const fields = Object.fromEntries(['a b', ...'cdefghijklm'].map((name) => [name, 1]));
  const answer = warnIgnoredFields({ data: {}, trustedFields: ['next'] }, { tool, args: { fields } });
  expect(answer.data['unconfirmed_fields']).toContain('"a b", c, d, e, f, g, h, i, j, k and 2 more.');
  expect(answer.trustedFields).toEqual(['next', 'unconfirmed_fields']);
});

test('a group without a list is not told to be looked at', () => {
  const billing = createStub<Tool>({ operations: ['billing.usage'] });
  const { data } = warnIgnoredFields({ data: {} }, { tool: billing, args: { fields: { note: 1 } } });
  expect(data['unconfirmed_fields']).toMatch(/It may have ignored them\.$/);
});

test('nothing is named if the response held no object, which its note says', () => {
  const result = { data: { note: 'empty' }, trustedFields: ['note'] };
  expect(warnIgnoredFields(result, { tool, args: { fields: { a: 1 } } })).toBe(result);
});

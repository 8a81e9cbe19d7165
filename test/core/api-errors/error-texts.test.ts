import { expect, test, vi } from 'vitest';
import { ApiError, type Client } from '../../../src/index.ts';
import { createReplyingClient, type Reply } from '../../support/replying-client.ts';
import { texts } from '../texts.ts';

async function reject(reply: Reply, call: (client: Client) => Promise<unknown>) {
  const error = await call(createReplyingClient([{ status: 400, ...reply }]).client).catch((one: unknown) => one);
  if (!(error instanceof ApiError)) throw error;
  return error;
}
const update = (client: Client) => client.links.update({ id: 'l' });
const nested = (levels: number): unknown => (levels === 0 ? ['deep'] : { errors: nested(levels - 1) });

test.each<[string, unknown, readonly object[]]>([
  [
    'are given once each',
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
    'of an outer object precede those of an inner one',
    { errors: [{ message: 'outer' }], data: { errors: [{ message: 'inner' }] } },
    [{ message: 'outer' }],
  ],
  [
    'may be a list inside an entry that has other fields',
    { errors: [{ path: 'a', errors: ['no'], hint: 'none' }] },
    [{ field: 'a', message: 'no' }],
  ],
  [
    'keep only the last part of a prefixed path',
    { errors: [{ loc: ['body', 'data'], msg: 'no' }] },
    [{ field: 'data', message: 'no' }],
  ],
  ['may have an inherited name', { errors: { constructor: ['no'] } }, [{ field: 'constructor', message: 'no' }]],
  ['require a message', { errors: [{}] }, []],
  ['may be nested', nested(3), [{ message: 'deep' }]],
  ['are ignored twenty levels deep', nested(20), []],
  ['are searched up to a limit', { errors: [...Array.from({ length: 3000 }, () => ({})), 'late'] }, []],
])('the details of an error %s', async (_, body, details) => {
  expect((await reject({ body }, update)).details).toMatchObject(details);
});

test.each([
  ['<Error><Code>NoRoom</Code><Message>It&#39;s full</Message></Error>', "NoRoom It's full"],
  ['<p>&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; &AMP;</p>', '<b> & "c" \'d\' &'],
  ['<p>a&nbsp;b &unknown; &#xyz; & &#</p>', 'a&nbsp;b &unknown; &#xyz; & &#'],
  ['<p>bell&#7;, none&#x110000; none&#9999999;</p>', 'bell , none none'],
  ['<script>evil()</script>said<style>p{}</style>', 'said'],
  ['<p>a&#x9b;31m b&#x202E;c &#xD800; d&#127;</p>', 'a 31m b c d'],
  ['<p>cut</p> <off', 'cut'],
])('the message of the page %j is %j', async (body, message) => {
  expect((await reject({ body, headers: { 'content-type': 'text/html' } }, update)).details).toEqual([{ message }]);
});

test.each<[string, (client: Client) => Promise<unknown>, string]>([
  ['a read', (client) => client.links.list(), 'Try again later'],
  ['a deletion', (client) => client.links.delete({ id: 'l' }), 'Try again later'],
  ['a write that may be repeated', (client) => client.documents.startUpload({}), 'Try again later'],
  ['another write', (client) => client.links.create({}), texts.listLinksCheckBefore],
])('the error of %s that fails in the service says what to do', async (_, call, advice) => {
  expect((await reject({ status: 500 }, async (client) => call(client))).advice).toContain(advice);
});

test.each([
  ['Thu, 01 Jan 2026 00:00:07 GMT', 'try again in 7 s'],
  ['1.2', 'try again in 2 s'],
])('after a 429 with the Retry-After header %j, the advice is to %s', async (after, advice) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
  expect((await reject({ status: 429, headers: { 'retry-after': after } }, update)).advice).toContain(advice);
});

test('a message quotes at most 240 characters of the service and never splits a character', () => {
  const said = `${'x'.repeat(239)}\u{1f600} and more`;
  const { message, body } = new ApiError('Try again.', {
    status: 400,
    operation: 'links.get',
    scope: 'links:read',
    body: said,
  });
  expect([message, body]).toEqual([`Try again. The service said: "${'x'.repeat(239)}…"`, said]);
});

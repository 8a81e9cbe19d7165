/** Send Agreement and Wait: its registration and request, when it waits, and what continues or ends a run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { getOperation, outcomeOf, serveList, type ZapAnswer, type ZapCall, zapStep } from '../../support/zap-step.ts';

const CALLBACK = 'https://hooks.test/callback';
const inputData = { agreement: 'agr_1', signer_emails: ['ada@example.com'], message: 'Please sign' };
const REGISTER = 'POST /webhooks';
const SEND = 'POST /agreements/agr_1/send';
const REMOVE = 'DELETE /webhooks/wh_1';

/** A service that registers, sends and lists; `respond` can handle a request first. */
function serve(respond: (call: ZapCall) => ZapAnswer = () => undefined) {
  const step = zapStep((call) => {
    const answer = respond(call);
    if (answer) return answer;
    if (call.path === '/webhooks') return { status: 201, json: { id: 'wh_1', secret: 'whsec_shh' } };
    if (call.path === '/agreements/agr_1/send') return { json: { id: 'agr_1', name: 'NDA', status: 'sent' } };
    return call.method === 'DELETE' ? { status: 204 } : undefined;
  });
  Object.assign(step.z, { generateCallbackUrl: () => CALLBACK });
  return { ...step, perform: (bundle: object = {}) => step.act('send_and_wait', inputData, bundle) };
}

test('the step registers before it sends, and returns what it waits for without a secret', async () => {
  const { perform, routes, bodyOf } = serve();
  const shown = await perform();
  expect(routes().filter((route) => route.startsWith('POST'))).toEqual([REGISTER, SEND]);
  expect(bodyOf(REGISTER)).toMatchObject({
    url: CALLBACK,
    events: expect.arrayContaining(['envelope.signed', 'envelope.declined']),
  });
  expect(JSON.stringify(bodyOf(SEND))).toMatch(/ada@example\.com.*Please sign/);
  expect(shown).toMatchObject({
    id: 'agr_1',
    name: 'NDA',
    status: 'sent',
    signed_document: expect.stringContaining('agr_1'),
    waiting: { agreement_id: 'agr_1', webhook_id: 'wh_1' },
  });
  expect(JSON.stringify(shown)).not.toMatch(/whsec_shh|hooks\.test/);
});

test.each([
  [422, SEND],
  [503, REMOVE],
])('if the service rejects the other events with a status of %d, it continues with %s', async (status, next) => {
  const { perform, routes } = serve(({ path, body }) => {
    const { events = [] } = (path === '/webhooks' && (body as { events?: string[] } | undefined)) || {};
    if (events.length > 1) return { status: 422, json: { message: 'unknown event' } };
    return events.length === 0 || events[0] === 'envelope.signed' ? undefined : { status };
  });
  await perform().catch(() => undefined);
  expect(routes().filter((route) => route === SEND || route === REMOVE)).toEqual([next]);
});

test('a registration that the service makes, but does not confirm, is removed', async () => {
  const { perform, routes } = serve(({ method, path }) => {
    if (path === '/webhooks')
      return { ...(method === 'POST' && { status: 500 }), json: [{ id: 'wh_1', url: CALLBACK }] };
  });
  await expect(perform()).rejects.toThrow();
  expect(routes().slice(-2)).toEqual(['GET /webhooks', REMOVE]);
});

test('the step stops and removes its registration if the sent agreement lacks a signer of the form', async () => {
  const json = { id: 'agr_1', status: 'sent', recipients: ['bob@example.com'] };
  const { perform, routes } = serve(({ path }) => (path === '/agreements/agr_1/send' ? { json } : undefined));
  expect(await outcomeOf(perform())).toContain('HaltedError: It was sent, but');
  expect(routes()).toContain(REMOVE);
});

test('runs that start at the same time remember the registration of each', async () => {
  const { perform, cache, z } = serve();
  const { get } = z.cache;
  // The run that holds the turn ends it before another one has read whose it is.
  z.cache.get = async (key: string) => {
    if (key.endsWith('-writer')) await sleep(20);
    const stored = await get(key);
    await sleep(5);
    return stored;
  };
  await Promise.all(Array.from({ length: 8 }, () => perform()));
  expect(cache.get('waiting-registrations')).toHaveLength(8);
});

test("the editor's test sends and registers nothing", async () => {
  const { perform, routes } = serve();
  expect(await perform({ meta: { isLoadingSample: true } })).toMatchObject({ waiting: { agreement_id: 'agr_1' } });
  expect(routes()).toEqual([SEND]);
});

test.each<[string, RegExp | string]>([
  ['draft', 'waits'],
  ['completed', 'goes on'],
  ['declined', /^HaltedError: .*was declined/],
  ['', /^Error: This agreement was not found/],
])('the step reads the draft that a person is to send: with the state "%s" it %s', async (status, expected) => {
  const data = status === '' ? [] : [{ id: 'agr_1', status }];
  const { act, routes } = serve(({ path }) => (path === '/agreements' ? { json: { data } } : undefined));
  const outcome = await outcomeOf(act('send_and_wait', { agreement: 'agr_1', ask_first: true }));
  if (typeof expected !== 'string') expect(outcome).toMatch(expected);
  else expect(outcome).toMatchObject({ id: 'agr_1', status });
  expect(routes().includes(REGISTER)).toBe(expected === 'waits');
});

describe('if the send is rejected', () => {
  const reject = (status: number) => (call: ZapCall) =>
    call.path.endsWith('/send') ? { status, json: { message: 'refused' } } : undefined;

  test.each<[number, object, boolean]>([
    [409, { status: 'Sent' }, true],
    [409, { status: 'draft' }, false],
    [409, { status: 'Not sent' }, false],
    [409, { id: 'agr_2', status: 'sent' }, false],
    [422, { status: 'sent' }, true],
    // Its event is in the past.
    [422, { status: 'signed' }, false],
    // A draft may have one of these states too, and the rejection may be about the message.
    [422, { status: 'pending' }, false],
    [422, { status: 'pending', sent_at: '2026-11-24T10:00:00Z' }, true],
    [403, { status: 'sent' }, false],
    [500, { status: 'sent' }, false],
  ])('with %i and the agreement is listed as %j, the step waits: %s', async (status, record, waits) => {
    const json = { data: [{ id: 'agr_1', ...record }] };
    const { perform, count } = serve((call) => (call.path === '/agreements' ? { json } : reject(status)(call)));
    expect(typeof (await outcomeOf(perform())) === 'object').toBe(waits);
    expect(count(REMOVE)).toBe(waits ? 0 : 1);
  });

  test.each([
    ['send_and_wait', inputData],
    ['send_for_signature', { template: 't1', signers: [{ signer_email: 'ada@example.com' }] }],
  ])('%s looks through a long list for the agreement, over several runs', async (action, input) => {
    const sent = { id: 'agr_1', status: 'sent' };
    const list = [...Array.from({ length: 60 }, (_, at) => ({ id: `agr_0${at}`, status: 'signed' })), sent];
    const withhold = (call: ZapCall) => {
      const draft = { id: 'agr_1', status: 'draft', recipients: [{ email: 'ada@example.com' }] };
      return call.method === 'GET' ? undefined : (reject(409)(call) ?? { json: draft });
    };
    const { act, z } = serveList(() => list, { pageSize: 1, withhold });
    Object.assign(z, { generateCallbackUrl: () => CALLBACK });
    expect(await outcomeOf(act(action, input))).toMatch(/^ThrottledError: .*50 were searched/);
    const authData = { apiKey: `key_of_another_minute_${action}`, baseUrl: 'https://api.test/api/v1' };
    expect(await act(action, input, { authData })).toMatchObject(sent);
  });

  test('its error is reported even if the registration cannot be removed', async () => {
    const { perform } = serve((call) => (call.method === 'DELETE' ? { status: 403 } : reject(422)(call)));
    expect(await outcomeOf(perform())).toContain('refused');
  });
});

describe('a waiting run', () => {
  const resume = async (
    record: object,
    { kept = { waiting: { agreement_id: 'agr_1', webhook_id: 'wh_1' } }, status = 200, json: other }: Resumed = {},
  ) => {
    const json = other ?? { data: [{ id: 'other', status: 'signed' }, ...(record ? [record] : [])] };
    const { run, count } = serve(({ path }) => (path === '/agreements' ? { status, json } : undefined));
    const { performResume } = getOperation('creates', 'send_and_wait');
    const outcome = await outcomeOf(run(performResume, { inputData, outputData: kept } as object));
    return [outcome, count(REMOVE)];
  };
  interface Resumed {
    readonly kept?: object | null;
    readonly status?: number;
    readonly json?: unknown;
  }

  test.each([
    ['signed', { status: 'signed' }],
    ["signed in the service's own words", { status: 'Fully Signed' }],
    ['in a foreign language with every signature', { status: 'Unterzeichnet', signers: [{ signed_at: '2026-01-01' }] }],
    ['without a status and with every signature', { recipients: [{ email: 'a@a.test', signed_at: '2026-01-01' }] }],
  ])('continues with an agreement that is %s, and removes its registration', async (_, record) => {
    expect(await resume({ id: 'agr_1', name: 'NDA', ...record })).toEqual([
      expect.objectContaining({ id: 'agr_1', name: 'NDA' }),
      1,
    ]);
  });

  test.each([
    ['sent', { status: 'sent' }],
    ['in a foreign language', { status: 'In Prüfung' }],
    // Nothing proves that this agreement was signed.
    ['without a status', { name: 'NDA' }],
    ['without a status, but with a signing time', { signed_at: '2026-01-01T00:00:00Z' }],
  ])('still waits for an agreement that is %s', async (_, record) => {
    expect(await resume({ id: 'agr_1', ...record })).toEqual([expect.stringMatching(/^ThrottledError: .*15 min/), 0]);
  });

  test.each([
    ['expired', 'has expired'],
    ['Declined', 'was declined'],
    ['Signature Refused', 'has the status "signature refused"'],
    ['delivery-failed', 'has the status "delivery failed"'],
  ])('ends if the agreement is %s, and says so', async (status, words) => {
    const [error, removed] = await resume({ id: 'agr_1', status });
    expect(error).toMatch(new RegExp(`^HaltedError: The agreement ${words}`));
    expect(removed).toBe(1);
  });

  test('ends if the agreement was deleted, and does not continue if it cannot be read', async () => {
    expect(await resume({})).toEqual([expect.stringMatching(/^HaltedError: .*was deleted/), 1]);
    expect(await resume({}, { status: 403 })).toEqual([expect.any(String), 0]);
    for (const answer of [{ status: 502 }, { json: '<html>Maintenance</html>' }])
      expect(await resume({}, answer)).toEqual([expect.stringMatching(/^ThrottledError: .*15 min/), 0]);
  });

  test.each<[string, object, { pages: number; requests: number }]>([
    ['a second agreement', { data: { agreement_id: 'other' } }, { pages: 60, requests: 60 }],
    ['a test message', { type: 'ping' }, { pages: 60, requests: 60 }],
    ['the first of its own signatures', { data: { agreement_id: 'agr_1' } }, { pages: 20, requests: 40 }],
    // Each run looks at once, and then all together.
    ['an event of no agreement', { id: 'evt_1' }, { pages: 20, requests: 59 }],
  ])('that %s has resumed shares one reading of a long list with the others', async (_, event, { pages, requests }) => {
    const { run, count, cache } = serve(({ path, query }) => {
      const page = Number(query['cursor'] ?? pages);
      const data = [{ id: `agr_${page}`, status: 'sent' }];
      return path === '/agreements' ? { json: { data, next_cursor: page > 1 ? `${page - 1}` : null } } : undefined;
    });
    const cleanedRequest = { type: 'envelope.signed', ...event };
    for (const agreement_id of ['agr_1', 'agr_2', 'agr_1', 'agr_2', 'agr_1', 'agr_2']) {
      const bundle: object = { inputData, outputData: { waiting: { agreement_id } }, cleanedRequest };
      const resumed = run(getOperation('creates', 'send_and_wait')['performResume'], bundle);
      expect(await outcomeOf(resumed)).toMatch(/^ThrottledError/);
      // Forgotten before the next check.
      for (const key of cache.keys()) if (key.startsWith('found-')) cache.delete(key);
    }
    expect(count('GET /agreements')).toBe(requests);
  });

  test.each([[null], [{}]])('that stored %j reads the agreement from its own field', async (kept) => {
    expect(await resume({ id: 'agr_1', status: 'signed' }, { kept })).toMatchObject([{ id: 'agr_1' }, 0]);
  });
});

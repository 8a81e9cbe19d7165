/** Deliveries of instant triggers: each event runs the Zap once, and a forged delivery never does. */
import { describe, expect, test } from 'vitest';
import { signEvent } from '../../../src/index.ts';
import { type Item, outcomeOf, type ZapAnswer, type ZapStep, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

const SECRET = 'whsec_c2VjcmV0LWtleS1vZi1iYXNlNjQ=';
const LINK = { id: 'l', name: 'Deck', url: 'https://a.test/l', document_id: 'd' };
const VISIT = { id: 'v', email: 'ann@a.test', link_id: 'l' };
/** Every field that the trigger returns, so that a signed delivery needs no request. */
const VIEW = {
  link_id: 'l',
  link_name: 'Deck',
  link_url: 'https://a.test/l',
  document_id: 'd',
  document_name: 'Deck.pdf',
  visit_id: 'v',
  visitor_email: 'ann@a.test',
  viewed_at: '2026-11-01T10:00:00Z',
};

const KNOWN: Record<string, ZapAnswer> = { '/links': { json: [LINK] }, '/analytics/visits/v': { json: VISIT } };
const UNKNOWN: Record<string, ZapAnswer> = { '/links': { json: [] } };
const HIDDEN: Record<string, ZapAnswer> = { '/links': { status: 403 }, '/analytics/visits/v': { status: 403 } };
const serve = (answers = KNOWN) => zapStep(({ path }) => answers[path]);

interface Delivery {
  readonly data?: Item;
  readonly id?: string;
  readonly secret?: string;
  /** How long ago it was signed. */
  readonly hoursAgo?: number;
  readonly input?: Item;
  readonly type?: string | undefined;
  readonly subscription?: object;
  /** Sent instead of the event. */
  readonly body?: string;
}

/** A delivery as the platform passes it on, signed if it has a secret. */
function deliver(
  step: ZapStep,
  { data = VIEW, id = 'evt_1', secret, hoursAgo = 0, input = {}, ...rest }: Delivery = {},
) {
  const type = 'type' in rest ? rest.type : 'link.viewed';
  const { body = JSON.stringify({ id, type, data }), subscription = { id: 's', url: 'u' } } = rest;
  const headers =
    secret === undefined
      ? {}
      : signEvent(body, { secret, id, time: new Date(Date.now() - hoursAgo * 3_600_000) }).headers;
  return step.trigger('link_viewed', {
    inputData: input,
    rawRequest: { content: body, headers },
    subscribeData: { ...subscription, secret: SECRET },
  });
}
const SIGNED = { secret: SECRET };
const log = (reason: string) => `A message ${reason} and was ignored.`;
const NO_SIGNATURE = log(texts.cameWithoutDocsharesSeal);
const NO_RECORD = log(texts.aboutRecordDocshareDoes);

test('a signed delivery with all data runs once, without a request', async () => {
  const step = serve();
  expect(await deliver(step, SIGNED)).toMatchObject([
    { id: 'evt_1', link_id: 'l', verified: true, check: texts.eventCameDocshareSeal },
  ]);
  expect(await deliver(step, SIGNED)).toEqual([]);
  expect([step.calls, step.logs]).toEqual([[], ['A message had arrived before and was ignored.']]);
});

test("an event without the name of its document gets it like the trigger's test, with one request in ten minutes", async () => {
  const step = serve({ '/documents/d': { json: { id: 'd', name: 'Deck.pdf' } } });
  const { document_name, ...data } = VIEW;
  for (const id of ['evt_1', 'evt_2'])
    expect(await deliver(step, { ...SIGNED, data, id })).toMatchObject([{ document_name }]);
  expect(step.calls).toHaveLength(1);
});

test.each<[string, Record<string, ZapAnswer>, Delivery, Item]>([
  [
    'without a signature is verified with the service, whose data it gets',
    KNOWN,
    { data: { ...VIEW, visitor_email: 'forged@a.test', document_id: 'other' } },
    { visitor_email: 'ann@a.test', document_id: 'd', verified: true, check: texts.theRecordWasFoundIn },
  ],
  [
    'without a signature runs as unverified if the record cannot be read',
    HIDDEN,
    {},
    { verified: false, check: expect.stringContaining(texts.andTheRecordCouldNot) },
  ],
  [
    'with a signature is verified even if the record cannot be read',
    HIDDEN,
    { ...SIGNED, data: { link_id: 'l', visit_id: 'v' } },
    { verified: true, check: texts.eventCameDocshareSeal },
  ],
  ['that Zapier held for a weekend runs', KNOWN, { ...SIGNED, hoursAgo: 65 }, { id: 'evt_1', verified: true }],
  [
    'with a signature but without a document gets that of its link',
    KNOWN,
    { ...SIGNED, data: { ...VIEW, document_id: null } },
    { document_id: 'd', verified: true },
  ],
  ['without a kind has the subscribed kind', KNOWN, { ...SIGNED, type: undefined }, { id: 'evt_1' }],
])('a delivery %s', async (_, answers, delivery, event) => {
  const step = serve(answers);
  expect(await deliver(step, delivery)).toEqual([expect.objectContaining(event)]);
  expect(step.logs).toEqual([]);
});

/** With these, a service tests the URL. */
const PINGS = ['null', '"hi"', '{"type":"ping"}', '{"event":"Test","data":{"id":"w"}}'];
test.each<[string, Delivery, string | undefined]>([
  ['with a bad signature', { secret: 'whsec_b3RoZXI=' }, texts.messageCameWrongExpired],
  ['older than the memory of delivered events', { ...SIGNED, hoursAgo: 24 * 8 }, texts.messageCameWrongExpired],
  ['of another kind', { ...SIGNED, type: 'link.opened' }, 'An event of the type link.opened was ignored.'],
  ['that is not JSON', { body: '{"id":' }, log(`could not be read (${texts.theDeliveredEventIsNot})`)],
  ...PINGS.map((body): [string, Delivery, string] => [`of ${body}`, { body }, 'A message ']),
  ['of no events', { body: '[]' }, undefined],
])('a delivery %s does not run', async (_, delivery, line) => {
  const step = serve();
  expect(await deliver(step, delivery)).toEqual([]);
  expect(step.logs).toEqual(line === undefined ? [] : [expect.stringContaining(line)]);
});

test('a delivery without a signature does not run if its record is missing', async () => {
  const step = serve(UNKNOWN);
  expect(await deliver(step)).toEqual([]);
  expect(step.logs).toEqual([NO_RECORD]);
});

test('after a signed delivery an unsigned one is a forgery, also if the signed one was denied', async () => {
  for (const answers of [KNOWN, UNKNOWN]) {
    const step = serve(answers);
    const data = { link_id: 'l', visit_id: 'v' };
    await deliver(step, { data, id: 'evt_0' });
    await deliver(step, { ...SIGNED, data });
    step.logs.length = 0;
    expect(await deliver(step, { id: 'evt_2' })).toEqual([]);
    expect(step.logs).toEqual([NO_SIGNATURE]);
    await deliver(step, { id: 'evt_3', subscription: { id: 'other', url: 'u' } });
    expect(step.logs.filter((line) => line === NO_SIGNATURE)).toHaveLength(1);
  }
});

test.each([
  [
    { id: 's', url: 'u' },
    { id: 's', url: 'v' },
  ],
  [{ url: 'u' }, { url: 'v' }],
  [{ id: 's' }, { id: 't' }],
])('an event runs once for each of the subscriptions %j and %j', async (one, other) => {
  const step = serve();
  for (const subscription of [one, other]) {
    expect(await deliver(step, { ...SIGNED, subscription })).toHaveLength(1);
    expect(await deliver(step, { ...SIGNED, subscription })).toEqual([]);
  }
});

test('an event that arrives again after the registration of its URL was renewed does not run again', async () => {
  const step = serve();
  expect(await deliver(step, { ...SIGNED, subscription: { id: 's', url: 'u' } })).toHaveLength(1);
  expect(await deliver(step, { ...SIGNED, subscription: { id: 'renewed', url: 'u' } })).toEqual([]);
});

test.each([
  ['an ID', VIEW, SIGNED.secret, 604_800],
  ['only a time', VIEW, undefined, 604_800],
  ['neither an ID nor a time', { link_id: 'l', visitor_email: 'ann@a.test' }, undefined, 600],
])('an event with %s is remembered as long as a repeat of it is no new event', async (_, data, secret, ttl) => {
  const step = serve();
  const seconds: Item = {};
  step.z.cache.set = async (...[key, , ttl]: [string, ...unknown[]]) => {
    seconds[key.split('-')[0] ?? ''] = ttl;
    return true;
  };
  await deliver(step, secret ? { data, secret } : { body: JSON.stringify({ type: 'link.viewed', data }) });
  expect(seconds).toEqual({ event: ttl, ...(secret && { signs: 3_024_000 }) });
});

describe('if the cache fails', () => {
  const down = () => Promise.reject(new Error('down'));
  test('a signed event still runs, and an unsigned one is delivered again later', async () => {
    const step = serve();
    Object.assign(step.z.cache, { get: down, set: down });
    expect(await deliver(step, SIGNED)).toHaveLength(1);
    expect(await outcomeOf(deliver(step))).toMatch(new RegExp(`^ThrottledError: .*${texts.zapierTriesAgainMinute}`));
    expect(step.calls).toEqual([]);
  });
  test('for one write whose result is lost, the event still runs once', async () => {
    const step = serve();
    const { set } = step.z.cache;
    let lost = 1;
    step.z.cache.set = async (...args: Parameters<typeof set>) => {
      const result = await set(...args);
      if (String(args[0]).startsWith('event') && lost-- > 0) throw new Error('lost');
      return result;
    };
    expect([await deliver(step, SIGNED), await deliver(step, SIGNED)].map((events) => events.length)).toEqual([1, 0]);
  });
});

test.each<[string, Record<string, ZapAnswer>, Delivery, number, number]>([
  ['that matches runs', KNOWN, { ...SIGNED, input: { link: 'l', document: 'd' } }, 1, 0],
  ['that is empty runs', KNOWN, { ...SIGNED, input: { link: '', document: undefined } }, 1, 0],
  ['of another link does not run and costs no request', KNOWN, { ...SIGNED, input: { link: 'm' } }, 0, 0],
  ['of the record is looked up', KNOWN, { ...SIGNED, data: { link_id: 'l' }, input: { document: 'd' } }, 1, 1],
  ['that the record excludes does not run', KNOWN, { data: { link_id: 'l' }, input: { document: 'other' } }, 0, 1],
  ['that a hidden record cannot answer runs', HIDDEN, { data: { link_id: 'l' }, input: { document: 'd' } }, 1, 1],
  [
    'that the record cannot answer does not run',
    { '/links': { json: [{ id: 'l', url: 'u' }] } },
    { data: { link_id: 'l' }, input: { document: 'd' } },
    0,
    1,
  ],
])('a filter %s', async (_, answers, delivery, runs, requests) => {
  const step = serve(answers);
  expect(await deliver(step, delivery)).toHaveLength(runs);
  expect(step.calls.length > 0).toBe(requests > 0);
  if (runs === 0) expect(step.logs).toEqual([texts.messageDidMatchFilters]);
});

test('events of one delivery share the first page of a list; an outage delays them', async () => {
  const step = serve();
  const body = JSON.stringify(
    [1, 2].map((at) => ({ id: `evt_${at}`, type: 'link.viewed', data: { link_id: 'l', visit_id: 'v' } })),
  );
  expect(await deliver(step, { body })).toHaveLength(2);
  expect(step.count('GET /links')).toBe(1);
  const failing = zapStep(({ path }) => (/agreements$|links$/.test(path) ? { status: 502 } : undefined));
  const send = (key: string, event: object) =>
    outcomeOf(failing.trigger(key, { rawRequest: { content: JSON.stringify(event), headers: {} } }));
  const signature = { type: 'envelope.signed', data: { agreement_id: 'a' } };
  expect(await send('envelope_signed', signature)).toMatch(/^ThrottledError: .* 15 min/);
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const view = (hours: number) => ({ type: 'link.viewed', created_at: at(hours), data: { link_id: 'l' } });
  expect(await send('link_viewed', view(1))).toMatch(/^ThrottledError: .* 15 min/);
  expect(await send('link_viewed', view(3))).toMatchObject([{ link_id: 'l', verified: false }]);
});

test('a batch of two events runs the Zap twice, delivered again never', async () => {
  const step = serve();
  const body = JSON.stringify(['evt_1', 'evt_2'].map((id) => ({ id, type: 'link.viewed', data: VIEW })));
  expect((await deliver(step, { ...SIGNED, body })).map(({ id }) => id)).toEqual(['evt_1', 'evt_2']);
  expect(await deliver(step, { ...SIGNED, body })).toEqual([]);
});

test("a delivery without its original bytes is parsed from the platform's form", async () => {
  const event = { id: 'evt_1', type: 'link.viewed', data: VIEW };
  const found = await serve().trigger('link_viewed', {
    inputData: {},
    cleanedRequest: { ...event, querystring: { a: 1 } },
    subscribeData: { id: 's' },
  });
  expect(found.map(({ raw }) => raw)).toEqual([event]);
});

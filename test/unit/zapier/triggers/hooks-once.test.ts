/** A Zap runs once for each event, and a forged delivery runs none. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Client, ServiceEvent } from '../../../../src/index.ts';
import type { JsonObject } from '../../../../src/records/fields.ts';
import { signEvent } from '../../../../src/webhooks/sign-event.ts';
import { createEventDedupe, createSignatureHistory } from '../../../../zapier/triggers/dedupe.ts';
import { receiveEvents } from '../../../../zapier/triggers/receive-events.ts';
import type { EventVerification, FlatEvent, WebhookTrigger } from '../../../../zapier/triggers/webhook-trigger.ts';
import { platformWith } from '../../../support/zapier-z.ts';
import { texts } from '../../../zapier/texts.ts';

let cache = new Map<string, unknown>();
let failing = false;
let logs: string[] = [];
let asked: FlatEvent[] = [];
/** What the service was asked with, beside the event. */
let askedBy: object[] = [];
let keptSeconds: Record<string, number> = {};
beforeEach(() => {
  cache = new Map();
  failing = false;
  logs = [];
  asked = [];
  askedBy = [];
  keptSeconds = {};
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => void vi.useRealTimers());
/** What comes of it once the cache was asked as often as it is worth. */
async function inTime<Result>(end: Promise<Result>): Promise<Result> {
  end.catch(() => undefined);
  await vi.runAllTimersAsync();
  return end;
}
const tried = <Result>(act: () => Result) =>
  failing ? Promise.reject(new Error('the cache is down')) : Promise.resolve(act());
const parts = {
  errors: { ThrottledError: class extends Error {} },
  hash: (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex'),
  console: { log: (line: string) => logs.push(line) },
  cache: {
    get: (key: string) => tried(() => cache.get(key) ?? null),
    set: (key: string, value: unknown, ttl: number, _scope: string[], nx?: boolean) =>
      tried(() => {
        if (nx && cache.has(key)) return false;
        keptSeconds[key.split('-')[0] ?? ''] = ttl;
        cache.set(key, value);
        return true;
      }),
    delete: (key: string) => tried(() => cache.delete(key)),
  },
};
const z = platformWith(parts);

describe('an event', () => {
  const once = (event = 'e', subscription = 's') => createEventDedupe(z, { subscription, event, hasId: true });
  test('is claimed by one', async () => {
    expect(await once().isDuplicate()).toBe(false);
    expect([await once().tryAcquire(), await once().tryAcquire()]).toEqual([true, false]);
    expect(await once().isDuplicate()).toBe(true);
    expect(await once('f').tryAcquire()).toBe(true);
    expect(await once('e', 't').tryAcquire()).toBe(true);
  });
  test('goes through where the cache fails', async () => {
    failing = true;
    expect([
      await inTime(once().isDuplicate()),
      await inTime(once().tryAcquire()),
      await inTime(once().tryAcquire()),
    ]).toEqual([false, true, true]);
  });
  test('goes through where a claim is refused, and nothing is there', async () => {
    const odd = platformWith({ ...parts, cache: { ...parts.cache, set: async () => false } });
    expect(await createEventDedupe(odd, { subscription: 's', event: 'e', hasId: true }).tryAcquire()).toBe(true);
  });
});

test('that a subscription signs is known of it alone, with its own secret', async () => {
  const signing = (id: string, secret = 'x') => createSignatureHistory(z, { id, secret });
  expect(await signing('a').hasSignedDelivery()).toBe(false);
  await signing('a').recordSignedDelivery();
  expect([
    await signing('a').hasSignedDelivery(),
    await signing('b').hasSignedDelivery(),
    await signing('a', 'y').hasSignedDelivery(),
  ]).toEqual([true, false, false]);
  failing = true;
  await expect(inTime(signing('a').hasSignedDelivery())).rejects.toThrow('the cache is down');
  await expect(inTime(signing('b').recordSignedDelivery())).resolves.toBeNull();
});

const SECRET = 'whsec_c2VjcmV0LWtleS1vZi1iYXNlNjQ=';
const kindWith = (check: Partial<EventVerification> = {}, isComplete = true): WebhookTrigger => ({
  key: 'link_viewed',
  noun: 'View',
  label: 'Link Viewed',
  description: 'A link was viewed.',
  inputFields: [],
  outputFields: [],
  sample: { id: 'e' },
  listPastEvents: async () => [],
  event: 'link.viewed',
  filters: {
    link: (wanted: unknown, event: FlatEvent) => (event['link_id'] == null ? 'unknown' : event['link_id'] === wanted),
  },
  flatten: (event: ServiceEvent) => ({ id: event.id, ...(event.data as JsonObject), raw: event.raw }) as FlatEvent,
  isComplete: () => isComplete,
  verify: async (_client: Client, event: FlatEvent, step: object) => {
    asked.push(event);
    askedBy.push(step);
    return { outcome: 'confirmed', event, isRecordRead: true, ...check };
  },
});

interface Delivery {
  readonly data?: JsonObject;
  readonly id?: string;
  readonly secret?: string | undefined;
  readonly input?: JsonObject;
  readonly type?: string | undefined;
  readonly subscription?: { readonly id?: string; readonly url?: string };
  /** In place of what the rest makes. */
  readonly body?: string;
}

/** A delivery as the platform hands it over; signed where it has a secret. */
async function deliver(
  kind: WebhookTrigger,
  { data = { link_id: 'l' }, id = 'e', secret, input = {}, subscription = { id: 's', url: 'u' }, ...rest }: Delivery,
) {
  const type = 'type' in rest ? rest.type : 'link.viewed';
  const { body = JSON.stringify({ id, type, data }) } = rest;
  const headers = secret === undefined ? {} : signEvent(body, { secret, id }).headers;
  const step = {
    z,
    input,
    bundle: { rawRequest: { content: body, headers }, subscribeData: { ...subscription, secret: SECRET } },
  };
  return receiveEvents(kind, {} as never, step as never);
}

test('a signed delivery that says all runs once, and nothing is looked up', async () => {
  const runs = [await deliver(kindWith(), { secret: SECRET }), await deliver(kindWith(), { secret: SECRET })];
  expect(runs).toEqual([
    [expect.objectContaining({ id: 'e', link_id: 'l', verified: true, check: texts.eventCameDocshareSeal })],
    [],
  ]);
  expect(asked).toEqual([]);
  expect(logs).toEqual(['A message had arrived before and was ignored.']);
});

test('a wrong signature runs nothing, whatever it says, and asks nobody', async () => {
  expect(await deliver(kindWith(), { secret: 'whsec_b3RoZXI=' })).toEqual([]);
  expect(asked).toEqual([]);
  expect(logs).toEqual([texts.messageCameWrongExpired]);
});

test('an unsigned delivery is looked up, and what the service says wins over what it claims', async () => {
  const event = { id: 'e', link_id: 'true' } as FlatEvent;
  const [run] = await deliver(kindWith({ event }), { data: { link_id: 'claimed' } });
  expect(run).toMatchObject({ link_id: 'true', verified: true, check: texts.theRecordWasFoundIn });
  expect(asked).toHaveLength(1);
});

test('an unsigned delivery that the service denies runs nothing', async () => {
  expect(await deliver(kindWith({ outcome: 'denied' }), {})).toEqual([]);
  expect(logs).toEqual([texts.messageAboutRecordDocshare]);
});

test('an unsigned delivery that can not be looked up runs, and says so', async () => {
  const [run] = await deliver(kindWith({ outcome: 'open' }), {});
  expect(run).toMatchObject({ verified: false, check: expect.stringContaining(texts.andTheRecordCouldNot) });
  const [signed] = await deliver(kindWith({ outcome: 'open' }, false), { id: 'f', secret: SECRET });
  expect(signed).toMatchObject({ verified: true, check: texts.eventCameDocshareSeal });
});

test('once a subscription signs, an unsigned delivery is a forgery', async () => {
  await deliver(kindWith(), { secret: SECRET });
  expect(await deliver(kindWith(), { id: 'f' })).toEqual([]);
  expect(logs).toEqual(['A message had no webhook signature and was ignored.']);
});

test('while the cache can not say whether deliveries are signed, an unsigned one comes again later', async () => {
  failing = true;
  await expect(inTime(deliver(kindWith(), {}))).rejects.toThrow(texts.zapierTriesAgainMinute);
  expect(asked).toEqual([]);
});

test('another kind of event runs nothing, and one of no kind is of the kind that was subscribed to', async () => {
  expect(await deliver(kindWith(), { secret: SECRET, type: 'envelope.signed' })).toEqual([]);
  expect(asked).toEqual([]);
  expect(logs).toEqual(['A message was a envelope.signed event and was ignored.']);
  expect(await deliver(kindWith(), { secret: SECRET, type: undefined })).toHaveLength(1);
});

test.each([
  ['ids', { id: 's', url: 'u' }, { id: 't', url: 'u' }],
  ['addresses, where the service gave no ids', { url: 'u' }, { url: 'v' }],
  ['an id and an address', { id: 's', url: 'u' }, { url: 'u' }],
])('one event runs once for each of two subscriptions, told apart by %s', async (_, one, other) => {
  for (const subscription of [one, other]) {
    expect(await deliver(kindWith(), { secret: SECRET, subscription })).toHaveLength(1);
    expect(await deliver(kindWith(), { secret: SECRET, subscription })).toEqual([]);
  }
});

test('an event of a subscription without a name runs once', async () => {
  expect(await deliver(kindWith(), { secret: SECRET, subscription: {} })).toHaveLength(1);
  expect(await deliver(kindWith(), { secret: SECRET, subscription: { id: '', url: '' } })).toEqual([]);
});

test('an event is remembered for three days, and that a subscription signs for thirty', async () => {
  await deliver(kindWith(), { secret: SECRET });
  expect(keptSeconds).toEqual({ event: 259_200, signs: 2_592_000 });
});

test('the look-up knows the step, and whether the delivery was signed', async () => {
  await deliver(kindWith({}, false), {});
  await deliver(kindWith({}, false), { id: 'f', secret: SECRET });
  expect(askedBy).toMatchObject([
    { z, input: {}, signed: false },
    { z, input: {}, signed: true },
  ]);
});

test('a denied delivery tells that its subscription signs where it was signed, and else nothing', async () => {
  const denied = kindWith({ outcome: 'denied' }, false);
  await deliver(denied, {});
  await deliver(denied, { id: 'f' });
  await deliver(denied, { id: 'g', secret: SECRET });
  await deliver(denied, { id: 'h' });
  const says = (reason: string) => `A message ${reason} and was ignored.`;
  const unknown = says(texts.aboutRecordDocshareDoes);
  expect(logs).toEqual([unknown, unknown, unknown, says(texts.cameWithoutDocsharesSeal)]);
});

test.each([
  ['{"id":', texts.theDeliveredEventIsNot],
  ['{}', texts.itContainsNoEvent],
])('%j can not be read, runs nothing, and says why', async (body, reason) => {
  expect(await deliver(kindWith(), { body })).toEqual([]);
  expect(logs).toEqual([`A message could not be read (${reason}) and was ignored.`]);
});

describe('a filter', () => {
  const input = { link: 'l' };
  test('that excludes what is delivered, or what was looked up, runs nothing', async () => {
    expect(await deliver(kindWith(), { input, data: { link_id: 'm' }, secret: SECRET })).toEqual([]);
    const event = { id: 'f', link_id: 'm' } as FlatEvent;
    expect(await deliver(kindWith({ event }), { input, data: {}, id: 'f' })).toEqual([]);
    expect(asked).toHaveLength(1);
    const excluded = texts.messageDidMatchFilters;
    expect(logs).toEqual([excluded, excluded]);
  });
  test('whose value nothing tells keeps the event where the record could not be read, and not where it was', async () => {
    const event = (id: string) => ({ id }) as FlatEvent;
    expect(
      await deliver(kindWith({ event: event('e'), isRecordRead: false, outcome: 'open' }), { input, data: {} }),
    ).toHaveLength(1);
    expect(await deliver(kindWith({ event: event('f') }), { input, data: {}, id: 'f' })).toEqual([]);
  });
  test('whose value only the record tells is looked up, signed or not', async () => {
    const event = { id: 'e', link_id: 'l' } as FlatEvent;
    expect(await deliver(kindWith({ event }), { input, data: {}, secret: SECRET })).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });
  test('that is empty asks for nothing', async () => {
    expect(await deliver(kindWith(), { input: { link: '' }, data: { link_id: 'm' }, secret: SECRET })).toHaveLength(1);
  });
});

import { describe, expect, test } from 'vitest';
import { type EventHeaders, parseEvent, parseEvents, signEvent, verifyEvent } from '../../../src/index.ts';
import { texts } from '../texts.ts';

const TIME = '2026-11-21T10:00:00.000Z';
const link = { id: 'lnk_1', url: 'https://d.example/l/1' };
const viewed = { type: 'link.viewed' };
const event = { id: 'evt_1', ...viewed };

test.each<[string, unknown, Record<string, string>, Record<string, unknown>]>([
  ['type and data', { ...event, created_at: TIME, data: link }, {}, { id: 'evt_1', data: link, time: TIME }],
  ['event and payload', { event: 'link.viewed', event_id: 7, payload: link }, {}, { id: '7', data: link }],
  ['a Unix time', { ...event, timestamp: 1795255200, data: link }, {}, { time: TIME }],
  ['camel case', { eventId: 'e9', eventType: 'LinkViewed', data: link }, {}, { id: 'e9', data: link }],
  ['an object one level down', { ...event, data: { object: link, previous_attributes: {} } }, {}, { data: link }],
  ['an object alone', { ...event, data: { object: link } }, {}, { data: link }],
  ['a string as object', { ...event, data: { object: 'link' } }, {}, { data: { object: 'link' } }],
  ['a string as data beside a resource', { ...event, data: 'x', resource: link }, {}, { data: link }],
  ['object and others', { ...event, data: { object: link, objects: 1 } }, {}, { data: { object: link, objects: 1 } }],
  ['no data', { ...event, link }, {}, { data: { ...event, link } }],
  ['data of another kind', { ...event, data: { type: 'envelope.signed' } }, {}, { data: { type: 'envelope.signed' } }],
  ['an event object', { event: { id: 'e2', ...viewed, data: link } }, {}, { id: 'e2', data: link }],
  ['an event object with an ID outside', { id: 'b', event: { id: 'e2', ...viewed, data: link } }, {}, { id: 'e2' }],
  [
    'everything under data',
    { data: { id: 'e3', event_type: 'link.viewed', occurred_at: TIME, payload: link } },
    {},
    { id: 'e3', data: link, time: TIME },
  ],
  ['the first field with a kind', { data: { x: 1 }, payload: { ...viewed, link } }, {}, { data: { ...viewed, link } }],
  ['an ID beside data', { id: 'evt_4', created_at: TIME, data: { ...viewed, link } }, {}, { id: 'evt_4', time: TIME }],
  [
    'a namespace and a version',
    { specversion: '1.0', id: 'e5', type: 'com.docshare.link.viewed.v1', data: link },
    {},
    { id: 'e5' },
  ],
  ['resource and action', { id: 'evt_7', resource: 'link', action: 'viewed', link }, {}, { id: 'evt_7' }],
  [
    'kind and ID in headers',
    { link },
    { 'X-Webhook-Event': 'link.viewed', 'X-Webhook-Delivery': 'd1' },
    { deliveryId: 'd1', data: { link } },
  ],
  ['a header beside a file name', { name: 'deck.pdf', link }, { HTTP_X_EVENT_TYPE: 'link.viewed' }, {}],
  ['a name', { name: 'Link viewed' }, {}, {}],
  ['a type before a header', { name: 'a.pdf', ...viewed }, { 'x-event-type': 'other.kind' }, {}],
  [
    'headers of a proxy',
    { link },
    { 'Http-X-Event-Type': 'LINK_VIEWED', 'Http-Svix-Id': 'msg_1', 'Http-Svix-Signature': 'v1,AA==' },
    { id: 'msg_1', deliveryId: 'msg_1' },
  ],
  ['a batch of one', [{ id: 'e8', ...viewed, data: link }], {}, { id: 'e8', data: link }],
  ['bytes with a byte order mark', `\uFEFF${JSON.stringify(event)}`, {}, {}],
])('an event as %s is read', (_, body, headers, expected) => {
  const raw = typeof body === 'string' ? Buffer.from(body) : JSON.stringify(body);
  expect(parseEvent(raw, headers)).toMatchObject({ kind: 'link.viewed', signature: 'unchecked', ...expected });
});

describe('an ID', () => {
  const HASH = /^sha256-[0-9a-f]{64}$/;
  test.each<[object, string | RegExp]>([
    [{ uuid: 'u', ...viewed, data: link }, 'u'],
    [event, 'evt_1'],
    [{ id: 'lnk_1', uuid: 'u', event_id: 'e', ...viewed }, 'e'],
    // The ID of a flat event may be that of its link.
    [{ id: 'lnk_1', ...viewed }, HASH],
    [viewed, HASH],
  ])('of %j is %s', (body, id) => {
    expect(parseEvent(JSON.stringify(body)).id).toEqual(typeof id === 'string' ? id : expect.stringMatching(id));
  });
  test('of an event without one depends on its content, not on unsigned headers', () => {
    const read = (at: number, delivery = 'd1') =>
      parseEvent(JSON.stringify({ ...viewed, id: 'lnk_1', viewed_at: at }), { 'x-webhook-delivery': delivery }).id;
    expect([read(1) === read(1, 'd2'), read(1) === read(2)]).toEqual([true, false]);
  });
  test.each(['standard', 'svix', 'timed', 'plain', 'hex', 'base64'] as const)(
    'is the one that the scheme %s signs, or the one in the body',
    (scheme) => {
      const { body, headers } = signEvent(event, { secret: 's', scheme, id: 'msg_1' });
      const signsId = scheme === 'standard' || scheme === 'svix';
      const given = signsId ? headers : { ...headers, 'x-event-id': 'replayed' };
      expect(parseEvent(body, given, 's')).toMatchObject(
        signsId ? { id: 'msg_1', deliveryId: 'msg_1' } : { id: 'evt_1', deliveryId: 'replayed', signature: 'valid' },
      );
    },
  );
  test('in an unsigned header makes a delivery invalid', () => {
    const { body, headers } = signEvent(event, { secret: 's', scheme: 'plain' });
    const added = { 'webhook-id': 'forged', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AA==' };
    expect(parseEvent(body, { ...headers, ...added }, 's').signature).toBe('invalid');
  });
  test('that a number would round is exact', () => {
    const ids = ['900719925474099200', '900719925474099201'];
    const read = (id: string) => {
      const { body, headers } = signEvent(`{"id":${id},"type":"link.viewed","data":{"link_id":${id}}}`, {
        secret: 's',
        scheme: 'hex',
      });
      const { id: own, data } = verifyEvent(body, headers, 's');
      return [own, data];
    };
    expect(ids.map(read)).toEqual(ids.map((id) => [id, { link_id: id }]));
  });
});

describe('a batch', () => {
  test.each<[unknown, number]>([
    [[viewed, 7], 2],
    [{ id: 'b', events: [viewed, viewed] }, 2],
    [{ data: [{ data: viewed }, {}] }, 2],
    // Lists that are not batches.
    [{ data: [{ name: 'deck.pdf' }, {}] }, 1],
    [{ data: [...Array(100).fill({}), viewed] }, 1],
    [{ ...viewed, data: [viewed, viewed] }, 1],
    [null, 1],
    [[], 0],
  ])('is read from %j: %i events', (body, count) => {
    expect(parseEvents(JSON.stringify(body))).toHaveLength(count);
  });
  test('gives each event a stable ID, and is rejected if one event is expected', () => {
    const events = [
      { ...viewed, data: link },
      { id: 'e2', type: 'envelope.signed', data: {} },
    ];
    for (const body of [events, { events }, { data: events }]) {
      const read = parseEvents(JSON.stringify(body), { 'webhook-id': 'msg_1', 'webhook-signature': 'v1,' });
      expect(read.map(({ id, kind }) => [id, kind])).toEqual([
        ['msg_1.0', 'link.viewed'],
        ['e2', 'envelope.signed'],
      ]);
    }
    const ids = parseEvents(JSON.stringify([viewed, viewed])).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(parseEvents(JSON.stringify([viewed, viewed])).map(({ id }) => id)).toEqual(ids);
    const { body, headers } = signEvent([event, event], { secret: 's' });
    expect(() => verifyEvent(body, headers, 's')).toThrow(/contains 2 events\. Parse it with verifyEvents\.$/);
    expect(() => parseEvent('[]')).toThrow(/contains 0 events\. Parse it with parseEvents\.$/);
  });
  test('has at most 10,000 events', () => {
    expect(parseEvents(`[${'{},'.repeat(9999)}{}]`)).toHaveLength(10_000);
    expect(() => parseEvents(`[${'{},'.repeat(10_000)}{}]`)).toThrow('contains 10001 events');
  });
});

describe('headers', () => {
  const read = (headers: unknown) => parseEvent('{}', headers as EventHeaders).deliveryId;
  const ID = 'X-Delivery-Id';
  test.each<[string, unknown, string | undefined]>([
    ['an object', { [ID]: 'a' }, 'a'],
    ['pairs', [[ID, 'a']], 'a'],
    ['a Map', new Map([[ID, 7]]), '7'],
    ['Headers', new Headers({ [ID]: 'a' }), 'a'],
    ["Node's raw headers", [ID, 'a'], 'a'],
    ['environment names', { HTTP_X_DELIVERY_ID: 'a' }, 'a'],
    ['names of a proxy', { 'Http-X-Delivery-Id': 'a' }, 'a'],
    ['another name', { 'x-http-delivery-id': 'a' }, undefined],
    ['an empty value before another header', { 'webhook-id': '', [ID]: 'd' }, 'd'],
    ['an empty value', { 'webhook-id': '' }, undefined],
    ['several values', { [ID]: ['b', 'c', 7] }, 'b, c, 7'],
    ['a repeated header', [[ID, 'b'] as const, [ID.toLowerCase(), 'c'] as const], 'b, c'],
  ])('as %s are read', (_, headers, id) => {
    expect(read(headers)).toBe(id);
  });
  test.each([
    [null, texts.orPairsOfNameAnd],
    ['x-id: a', texts.orPairsOfNameAnd],
    [['a', 'b', 'c'], texts.headersMustContainPairs],
    [new Set([{ 0: 'a', 1: 'b', length: 2 }]), texts.headersMustContainPairs],
    [[7, 8], texts.headersMustContainPairs],
  ])('as %o are rejected', (headers, message) => {
    expect(() => read(headers)).toThrow(message);
  });
});

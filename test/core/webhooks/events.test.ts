import { expect, test } from 'vitest';
import { InputError, parseEvent, parseEvents } from '../../../src/index.ts';
import { texts } from '../texts.ts';

const TIME = '2026-11-21T10:00:00.000Z';
const link = { id: 'lnk_1', url: 'https://d.example/l/1' };

test.each<[string, unknown, Record<string, string>, Record<string, unknown>]>([
  [
    'type and data',
    { id: 'evt_1', type: 'link.viewed', created_at: TIME, data: link },
    {},
    { id: 'evt_1', data: link, time: TIME },
  ],
  ['event and payload', { event: 'link.viewed', event_id: 7, payload: link }, {}, { id: '7', data: link }],
  [
    'a Unix time',
    { id: 'e', type: 'link.viewed', timestamp: 1795255200, data: link },
    {},
    { time: '2026-11-21T10:00:00.000Z' },
  ],
  ['camel case', { eventId: 'e9', eventType: 'LinkViewed', data: link }, {}, { id: 'e9', data: link }],
  ['snake case', { id: 'e1', event_type: 'link_viewed', data: link }, {}, { id: 'e1' }],
  ['words', { id: 'e1', type: 'Link viewed', data: link }, {}, { id: 'e1' }],
  [
    'an object one level down',
    { id: 'e1', type: 'link.viewed', data: { object: link, previous_attributes: {} } },
    {},
    { data: link },
  ],
  [
    'an object among others',
    { id: 'e1', type: 'link.viewed', data: { object: link, visitor: {} } },
    {},
    { data: { object: link, visitor: {} } },
  ],
  ['an event object', { event: { id: 'e2', type: 'link.viewed', data: link } }, {}, { id: 'e2', data: link }],
  [
    'all under data',
    { data: { id: 'e3', event_type: 'link.viewed', occurred_at: TIME, payload: link } },
    {},
    { id: 'e3', data: link, time: TIME },
  ],
  ['an id beside data', { id: 'evt_4', data: { type: 'link.viewed', link } }, {}, { id: 'evt_4' }],
  [
    'a name space and a version',
    { specversion: '1.0', id: 'e5', type: 'com.docshare.link.viewed.v1', data: link },
    {},
    { id: 'e5' },
  ],
  ['a wrapper of a wrapper', { id: 'e6', type: 'webhook.event', event: 'link.viewed', data: link }, {}, { id: 'e6' }],
  ['subject and action', { id: 'evt_7', resource: 'link', action: 'viewed', link }, {}, { id: 'evt_7' }],
  [
    'kind and id in headers',
    { link },
    { 'X-Webhook-Event': 'link.viewed', 'X-Webhook-Delivery': 'd1' },
    { deliveryId: 'd1', data: { link } },
  ],
  ['a header beside a file name', { name: 'deck.pdf', link }, { HTTP_X_EVENT_TYPE: 'link.viewed' }, {}],
  [
    'headers of a proxy',
    { link },
    { 'Http-X-Event-Type': 'LINK_VIEWED', 'Http-Svix-Id': 'msg_1', 'Http-Svix-Signature': 'v1,AA==' },
    { id: 'msg_1', deliveryId: 'msg_1' },
  ],
  ['a batch of one', [{ id: 'e8', type: 'link.viewed', data: link }], {}, { id: 'e8', data: link }],
  ['bytes with a byte order mark', `\uFEFF${JSON.stringify({ id: 'e1', type: 'link.viewed' })}`, {}, {}],
])('an event as %s is read', (_, body, headers, expected) => {
  const raw = typeof body === 'string' ? Buffer.from(body) : JSON.stringify(body);
  expect(parseEvent(raw, headers)).toMatchObject({ kind: 'link.viewed', signature: 'unchecked', ...expected });
});

test('a flat event is not named by the id of its link: two views of one link stay two events', () => {
  const first = parseEvent(JSON.stringify({ type: 'link.viewed', id: 'lnk_1', viewed_at: 1 }));
  const second = parseEvent(JSON.stringify({ type: 'link.viewed', id: 'lnk_1', viewed_at: 2 }));
  const again = parseEvent(JSON.stringify({ type: 'link.viewed', id: 'lnk_1', viewed_at: 1 }));
  expect(first.id).toMatch(/^sha256-[0-9a-f]{64}$/);
  expect(second.id).not.toBe(first.id);
  expect(again.id).toBe(first.id);
});

test('a flat event with an id of its own kind keeps it', () => {
  expect(parseEvent('{"id":"evt_1","type":"envelope.signed"}')).toMatchObject({ id: 'evt_1', kind: 'envelope.signed' });
});

test('a batch gives each event its own stable id and is refused where one event is asked for', () => {
  const events = [
    { type: 'link.viewed', data: link },
    { id: 'e2', type: 'envelope.signed', data: {} },
  ];
  for (const body of [events, { events }, { data: events }]) {
    const read = parseEvents(JSON.stringify(body), { 'webhook-id': 'msg_1', 'webhook-signature': 'v1,' });
    expect(read.map(({ id, kind }) => [id, kind])).toEqual([
      ['msg_1.0', 'link.viewed'],
      ['e2', 'envelope.signed'],
    ]);
    expect(() => parseEvent(JSON.stringify(body))).toThrow(InputError);
  }
  expect(() => parseEvent('[]')).toThrow(/0 events/);
});

test.each(['null', '7', '"text"', 'true', '{}'])('the JSON %s is an event without a kind', (body) => {
  expect(parseEvent(body)).toMatchObject({ kind: undefined, time: undefined });
});

test('a body that is not JSON is refused without an echo of it', () => {
  expect(() => parseEvent('secret=hunter2')).toThrow(new InputError(texts.theDeliveredEventIsNot));
});

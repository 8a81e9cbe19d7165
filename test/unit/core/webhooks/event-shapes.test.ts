/** Where a delivery holds its events, and an event its kind, id, time and data. */
import { expect, test } from 'vitest';
import { getBatch, getEventData, getEventId, unwrapEnvelope } from '../../../../src/webhooks/event-shape.ts';

const TIME = '2026-11-21T10:00:00.000Z';
const viewed = { type: 'link.viewed' };
const link = { id: 'lnk_1', url: 'https://d.example/l/1' };

test.each<[string, unknown, unknown]>([
  ['a list is one', [viewed, 7], [viewed, 7]],
  ['an empty list is one', [], []],
  ['a list under events', { id: 'b', events: [viewed] }, [viewed]],
  ['a list under data', { data: [{ data: viewed }] }, [{ data: viewed }]],
  ['of which one is an event', { items: [{}, viewed] }, [{}, viewed]],
  ['a list that is no first field', { events: 'x', deliveries: [viewed] }, [viewed]],
  ['no list of other things', { data: [{ name: 'deck.pdf' }] }, undefined],
  ['no list that begins with a hundred other things', { data: [...Array(100).fill({}), viewed] }, undefined],
  ['no list of an event', { ...viewed, data: [viewed] }, undefined],
  ['no object', { data: viewed }, undefined],
  ['no text', 'link.viewed', undefined],
  ['not nothing', null, undefined],
])('a batch: %s', (_, raw, batch) => {
  expect(getBatch(raw)).toEqual(batch);
});

test.each<[string, unknown, unknown]>([
  ['the body itself', { id: 'e', ...viewed, data: link }, { id: 'e', ...viewed, data: link }],
  [
    'the body that has a kind, whatever its data has',
    { ...viewed, data: { type: 'envelope.signed' } },
    { ...viewed, data: { type: 'envelope.signed' } },
  ],
  [
    'under event, over what stands beside it',
    { id: 'b', n: 1, event: { id: 'e' } },
    { id: 'e', n: 1, event: { id: 'e' } },
  ],
  ['under data', { data: { ...viewed, link } }, { ...viewed, link }],
  ['under the first field that has a kind', { data: { x: 1 }, payload: viewed }, viewed],
  [
    'with the id and time that stand outside, and nothing else',
    { id: 'evt_1', created_at: TIME, tries: 2, data: { id: 'lnk_1', ...viewed } },
    { id: 'evt_1', created_at: TIME, ...viewed },
  ],
  ['the body where nothing has a kind', { data: link }, { data: link }],
  ['a text as it is', 'ping', 'ping'],
])('the envelope: %s', (_, body, envelope) => {
  expect(unwrapEnvelope(body)).toEqual(envelope);
});

test.each<[string, unknown, unknown]>([
  ['under data', { ...viewed, data: link }, link],
  ['under payload', { ...viewed, payload: link }, link],
  ['not a text under data', { data: 'x', resource: link }, link],
  ['one level down', { data: { object: link } }, link],
  ['beside what changed', { data: { object: link, previous_attributes: {} } }, link],
  ['beside what changed, in camel case', { data: { Object: link, previousAttributes: {} } }, link],
  ['not beside others', { data: { object: link, visitor: 1 } }, { object: link, visitor: 1 }],
  ['not beside a longer name', { data: { object: link, objects: 1 } }, { object: link, objects: 1 }],
  ['not beside a name that ends so', { data: { object: link, an_object: 1 } }, { object: link, an_object: 1 }],
  ['no text one level down', { data: { object: 'link' } }, { object: 'link' }],
  ['the whole event', { ...viewed, link }, { ...viewed, link }],
  ['a text', 'ping', { value: 'ping' }],
  ['nothing', null, { value: null }],
])('the data: %s', (_, envelope, data) => {
  expect(getEventData(envelope)).toEqual(data);
});

test.each<[string, object, string | undefined]>([
  ['its own', { id: 'x', ...viewed, data: link }, 'x'],
  ['under another name', { uuid: 'u', ...viewed, data: link }, 'u'],
  ['of a flat event, where it says so', { id: 'evt_1', ...viewed }, 'evt_1'],
  ['of a flat delivery', { id: 'DLV-1', ...viewed }, 'DLV-1'],
  ['not of the link', { id: 'lnk_1', ...viewed }, undefined],
  ['not of the link, however it is called', { uuid: 'u', ...viewed }, undefined],
  ['not of what only holds the word', { id: 'prevt_1', ...viewed }, undefined],
  ['the one that says more', { id: 'lnk_1', uuid: 'u', event_id: 'e', ...viewed }, 'e'],
  ['none', viewed, undefined],
])('the id: %s', (_, envelope, id) => {
  expect(getEventId(envelope, getEventData(envelope))).toBe(id);
});

/** What polling triggers and drop-downs make of lists in the shapes that services give. */
import { describe, expect, test } from 'vitest';
import { fieldsFromRecords } from '../../../../zapier/fields/fields-from-records.ts';
import { toInvoice } from '../../../../zapier/records/invoice.ts';
import { contact, link } from '../../../../zapier/records/kinds.ts';
import { isNewestFirst } from '../../../../zapier/records/read-list.ts';
import {
  extractOutputs,
  outputFieldsFor,
  toFlatRecord,
  toWriteResult,
} from '../../../../zapier/records/record-kind.ts';
import { fetchPermissionMatrix, getRoomParts, toRoomPart } from '../../../../zapier/records/room-parts.ts';
import { getVisitIds, visitField } from '../../../../zapier/records/visit-choices.ts';
import { toVisitor } from '../../../../zapier/records/visitor.ts';
import { agreementStatusChanged } from '../../../../zapier/triggers/agreement-status-changed.ts';
import { defineDropdownTrigger } from '../../../../zapier/triggers/define-list-trigger.ts';

const linkList = defineDropdownTrigger(link);

import { newInvoice } from '../../../../zapier/triggers/new-invoice.ts';
import { updatedContact } from '../../../../zapier/triggers/updated-contact.ts';
import { type ZapAnswer, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

type Item = Record<string, unknown>;
const perform = ({ operation }: { operation: unknown }) => (operation as { perform: unknown }).perform;
const lists = (path: string, json: unknown) =>
  zapStep((call): ZapAnswer => (call.path === path ? { json } : undefined));

describe('an output', () => {
  const read = (type: 'string' | 'datetime' | 'integer' | 'number' | 'boolean', a: unknown) =>
    extractOutputs([{ key: 'x', label: 'X', type, from: ['a', 'b'] }], { a })['x'];
  test.each([
    ['string', 7, '7'],
    ['string', true, true],
    ['string', '', null],
    ['string', { a: 1 }, null],
    ['datetime', '2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['datetime', 'soon', null],
    ['datetime', true, null],
    ['integer', '3.6', 4],
    ['number', '3.6', 3.6],
    ['number', 'many', null],
    ['number', false, null],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['boolean', 'yes', null],
    ['boolean', false, false],
    ['boolean', 1, null],
  ] as const)('of the type %s is %j as %j', (type, value, shown) => {
    expect(read(type, value)).toBe(shown);
  });
  test('is the first that any name and any source has', () => {
    const outputs = [{ key: 'x', label: 'X', from: ['a', 'b'] }];
    expect(extractOutputs(outputs, { b: 2 }, { a: 1 })).toEqual({ x: '2' });
    expect(extractOutputs(outputs, undefined, { a: 1 })).toEqual({ x: '1' });
  });
});

describe('a record', () => {
  test('without an id is told apart by what it holds, and one that was made has none', () => {
    const one = toFlatRecord(link, { url: 'https://a.test/1' });
    expect(one.id).toMatch(/^sha256-[0-9a-f]{32}$/);
    expect(toFlatRecord(link, { url: 'https://a.test/2' }).id).not.toBe(one.id);
    expect(toWriteResult(link, { url: 'u' }, { id: undefined })).toMatchObject({ id: null });
    expect(toWriteResult(link, {}, { id: 'lnk_1', name: 'n' })).toMatchObject({ id: 'lnk_1', name: 'n', raw: {} });
  });
  test('of each kind has labels', () => {
    expect(outputFieldsFor(contact)[0]).toEqual({ key: 'id', label: 'Contact ID', type: 'string', primary: true });
  });
  test.each<[Item, Item]>([
    [
      { id: 'inv_1', amount: 3 },
      { id: 'inv_1', amount: 3 },
    ],
    [
      { number: 'N-1', amount_cents: 1234 },
      { id: 'N-1', amount: 12.34 },
    ],
    [{ issued_at: '2026-01-01' }, { id: '2026-01-01T00:00:00.000Z', amount: null }],
  ])('of an invoice %j', (item, shown) => {
    expect(toInvoice(item)).toMatchObject(shown);
  });
  test.each<[Item, string, string | null]>([
    [{ id: 'vtr_1', visit_ids: ['v1', 'v2'] }, 'vtr_1', 'v2'],
    [{ email: 'ann@a.test' }, 'ann@a.test', null],
    [{ visits: [{ id: 'v1' }, {}] }, 'v1', 'v1'],
    [{ last_seen_at: '2026-01-01T00:00:00Z' }, 'lnk_1-2026-01-01T00:00:00.000Z', null],
  ])('of the visitor %j is known as %s', (item, id, visit) => {
    expect(toVisitor(item, 'lnk_1')).toMatchObject({ id, link_id: 'lnk_1', last_visit_id: visit });
  });
  test.each<[Item, string[]]>([
    [{ visit_ids: ['a', 7] }, ['a', '7']],
    [{ visits: [], visit_id: 'b' }, ['b']],
    [{ visits: 12, visit_id: 3 }, ['3']],
    [{ visit_id: '', id: 'own' }, ['own']],
    [{}, []],
  ])('of a visitor names its visits: %j', (item, ids) => {
    expect(getVisitIds(item)).toEqual(ids);
  });
});

test('a form offers what records have, but what the service sets, ids and parts of a name', async () => {
  const item = { id: 'l1', created_at: '2026-01-01', owner_id: 'u1', first_name: 'A', color: 'red', tags: [] };
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`own_${at}`, at]));
  const keysOf = async (record: Item) => {
    const fields = await lists('/links', [record]).run<Item[]>(fieldsFromRecords(link, ['note']));
    return fields.map(({ key }) => key);
  };
  expect(await keysOf({ ...item, note: 'x' })).toEqual(['learned__color']);
  expect(await keysOf(many)).toHaveLength(20);
});

test.each<[readonly (string | undefined)[], boolean]>([
  [['2026-01-02', '2026-01-01'], true],
  [['2026-01-02', '2026-01-02', '2026-01-01'], true],
  [['2026-01-01', '2026-01-02'], false],
  // All at once, or one alone, are in any order.
  [['2026-01-01', '2026-01-01'], false],
  [['2026-01-01'], false],
  [['2026-01-02', undefined, '2026-01-01'], false],
  [[], false],
])('times %j begin with the newest: %s', (times, isSo) => {
  const items = times.map((at) => ({ at }));
  expect(isNewestFirst(items, ({ at }) => at as string | undefined)).toBe(isSo);
});

describe('a drop-down', () => {
  const choices = (visitField as { choices: { perform: unknown } }).choices.perform;
  test('of visits names who and when, of the chosen link or of the newest two', async () => {
    const step = zapStep(({ path }): ZapAnswer => {
      if (path === '/links')
        return {
          json: [
            { id: 'l1', created_at: '2026-01-01T00:00:00Z' },
            { id: 'l2', created_at: '2026-01-03T00:00:00Z' },
            { id: 'l3', created_at: '2026-01-02T00:00:00Z' },
          ],
        };
      if (path === '/analytics/links/l2/visitors')
        return { json: [{ email: 'ann@a.test', visit_ids: ['v1', 'v2'], viewed_at: '2026-02-01T10:20:30Z' }] };
      return path === '/analytics/links/l3/visitors' ? { json: [{ id: 'v3' }] } : undefined;
    });
    expect(await step.run(choices)).toEqual({
      results: [
        { id: 'v1', label: 'ann@a.test, visit 1 of 2 (last seen 2026-02-01 10:20)' },
        { id: 'v2', label: 'ann@a.test, visit 2 of 2 (last seen 2026-02-01 10:20)' },
        { id: 'v3', label: 'Unknown visitor' },
      ],
      paging_token: null,
    });
    expect(await step.run(choices, { inputData: { link: 'l3' } })).toMatchObject({ results: [{ id: 'v3' }] });
    await expect(step.run(choices, { inputData: { link: 'l9' } })).rejects.toThrow();
  });
  test('tells equal names apart by state and date, and leaves out what has no id', async () => {
    const step = lists('/links', [
      { id: 'a', name: 'Deck', status: 'active', created_at: '2026-01-02T03:04:05Z' },
      { id: 'b', name: 'Deck' },
      { id: 'c', url: 'https://a.test/c' },
      { name: 'nobody' },
    ]);
    expect(await step.run(perform(linkList))).toEqual([
      { id: 'a', name: 'Deck (active, 2026-01-02 03:04)' },
      { id: 'b', name: 'Deck (b)' },
      { id: 'c', name: 'https://a.test/c' },
    ]);
  });
  test('turns its pages by the platform’s numbers, also where the cursor was lost, and ends', async () => {
    const serve = () =>
      zapStep(({ query }): ZapAnswer => {
        const at = Number(query['cursor'] ?? 0);
        return { json: { data: [{ id: `l${at}` }], ...(at < 2 ? { next_cursor: `${at + 1}` } : {}) } };
      });
    const page = (step: ReturnType<typeof serve>, number: number) =>
      step.run<Item[]>(perform(linkList), { meta: { page: number } as never });
    const step = serve();
    expect(await page(step, 0)).toMatchObject([{ id: 'l0' }]);
    expect(await page(step, 1)).toMatchObject([{ id: 'l1' }]);
    expect(step.calls).toHaveLength(2);
    expect(await page(step, 2)).toMatchObject([{ id: 'l2' }]);
    expect(await page(step, 3)).toEqual([]);
    expect(await page(serve(), 2)).toMatchObject([{ id: 'l2' }]);
    expect(await page(serve(), 5)).toEqual([]);
  });
});

describe('a room', () => {
  test.each<[Item, number]>([
    [{ folders: [{ id: 'f' }, 'x'] }, 1],
    [{ folders: { data: [{ id: 'f' }] } }, 1],
    [{ folders: 'none' }, 0],
    [{}, 0],
  ])('%j shows its folders', (record, count) => {
    expect(getRoomParts(record, 'folders')).toHaveLength(count);
  });
  const matrix = (json: unknown) => {
    const step = lists('/rooms', json);
    return step.run<Item[]>(async (z: never, bundle: { authData: Record<string, string> }) => {
      const { createZapClient } = await import('../../../../zapier/platform/with-client.ts');
      return fetchPermissionMatrix({ client: createZapClient(z, bundle.authData), z }, 'room_1');
    });
  };
  test.each<[unknown, Item[]]>([
    [{ id: 'room_1', permissions: [{ group: 'g' }] }, [{ group: 'g' }]],
    [{ id: 'room_1', permissions: { entries: [{ group: 'g' }] } }, [{ group: 'g' }]],
    [{ id: 'room_1', permissions: { id: 'm', updated_at: 'x' } }, []],
  ])('%j has a matrix that is read', async (room, entries) => {
    expect(await matrix([room])).toEqual(entries);
  });
  test.each<[unknown[], string]>([
    [[], texts.thisRoomWasNotFound],
    [[{ id: 'room_1' }], texts.currentPermissionsRoomCannot],
    [[{ id: 'room_1', permissions: ['g'] }], texts.currentPermissionsRoomCannot],
    [[{ id: 'room_1', permissions: { g1: 'view' } }], texts.currentPermissionsRoomCannot],
  ])('%j has none that could be replaced unseen', async (rooms, message) => {
    await expect(matrix(rooms)).rejects.toThrow(message);
  });
  test('shows a part by the answer, else by the form', () => {
    const known = { part: 'folder', room: 'room_1', name: 'Legal' };
    expect(toRoomPart({}, known)).toEqual({ id: null, name: 'Legal', room_id: 'room_1', raw: {} });
    expect(toRoomPart({ id: 'f', name: 'Own' }, { ...known, name: undefined })).toMatchObject({ id: 'f', name: 'Own' });
    expect(toRoomPart({}, { ...known, name: undefined })).toMatchObject({ name: null });
  });
});

describe('a poll', () => {
  test('of invoices gives each once, newest first', async () => {
    const step = lists('/billing/invoices', [
      { id: 'i1', issued_at: '2026-01-01' },
      { id: 'i2', issued_at: '2026-02-01' },
      { id: 'i1', issued_at: '2026-01-01' },
      { number: 'undated' },
    ]);
    const found = await step.run<Item[]>(perform(newInvoice));
    expect(found.map(({ id }) => id)).toEqual(['i2', 'i1', 'undated']);
  });
  test('of contacts tells a change by its time, else by what the contact holds', async () => {
    const items: Item[] = [
      { id: 'c1', email: 'a@a.test', updated_at: '2026-01-02T00:00:00Z' },
      { id: 'c2', email: 'b@a.test', created_at: '2026-01-03T00:00:00Z' },
      { id: 'c3', email: 'c@a.test' },
    ];
    const ids = async () => {
      const found = await lists('/contacts', items).run<Item[]>(perform(updatedContact));
      return found.map(({ id, contact_id }) => [contact_id, id]);
    };
    const [second, first, third] = await ids();
    expect([first, second?.[0], third?.[0]]).toEqual([['c1', 'c1-2026-01-02T00:00:00.000Z'], 'c2', 'c3']);
    items[2] = { ...items[2], email: 'new@a.test' };
    expect((await ids())[2]?.[1]).not.toBe(third?.[1]);
  });
  test('of contacts gives those first that changed last', async () => {
    const items = ['2026-01-02', '2026-01-03'].map((day, at) => ({
      id: `c${at}`,
      email: `${at}@a.test`,
      created_at: `2025-01-0${2 - at}T00:00:00Z`,
      updated_at: `${day}T00:00:00Z`,
    }));
    const found = await lists('/contacts', items).run<Item[]>(perform(updatedContact));
    expect(found.map(({ contact_id }) => contact_id)).toEqual(['c1', 'c0']);
  });
  test('of states knows one in each of its spellings, dated by its last change', async () => {
    const items = ['Out for Signature', 'out-for-signature', 'out_for_signature'].map((status, at) => ({
      id: `a${at}`,
      status,
      signed_at: '2026-01-09T00:00:00Z',
      updated_at: `2026-01-0${3 - at}T00:00:00Z`,
    }));
    const found = await lists('/agreements', items).run<Item[]>(perform(agreementStatusChanged));
    expect(found.map(({ id, changed_at }) => [id, changed_at])).toEqual(
      [0, 1, 2].map((at) => [`a${at}-out_for_signature`, `2026-01-0${3 - at}T00:00:00.000Z`]),
    );
  });
  test('of states gives those that were asked for, each record and state once', async () => {
    const items = [
      { id: 'a1', name: 'A', status: 'Out for Signature', updated_at: '2026-01-02T00:00:00Z' },
      { id: 'a2', name: 'B', status: 'signed', signed_at: '2026-01-03T00:00:00Z' },
      { id: 'a3', name: 'C' },
    ];
    const run = (change?: unknown) =>
      lists('/agreements', items).run<Item[]>(perform(agreementStatusChanged), { inputData: { change } as never });
    expect((await run()).map(({ id, change, changed_at }) => [id, change, changed_at])).toEqual([
      ['a2-signed', 'Signed', '2026-01-03T00:00:00.000Z'],
      ['a1-out_for_signature', 'Out for signature', '2026-01-02T00:00:00.000Z'],
    ]);
    expect((await run('')).length).toBe(2);
    expect((await run(' Completed ')).map(({ id }) => id)).toEqual(['a2-signed']);
    await expect(run('eaten')).rejects.toThrow(texts.eatenListFieldChange);
  });
});

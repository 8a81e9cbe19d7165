/** A list that changes while it is read: a record on two pages is one record, and an empty page is not the end. */
import { beforeEach, expect, test } from 'vitest';
import { closeAfterTest } from '../support/cleanup.ts';
import { openLoopback } from '../support/mcp-loopback.ts';
import { type Fields, type Platform, startPlatform } from '../support/zapier-lambda.ts';

let pages: Fields[][];
let zap: Platform;
beforeEach(async () => {
  const service = await closeAfterTest(
    openLoopback(({ query, method }) => {
      if (method !== 'GET') return { json: pages.flat()[0] };
      const at = Number(query.get('cursor') ?? 0);
      return { json: { data: pages[at] ?? [], next_cursor: at + 1 < pages.length ? String(at + 1) : null } };
    }),
  );
  zap = await closeAfterTest(startPlatform({ apiKey: 'key', baseUrl: service.url }));
});

const entry = (id: string, day: string): Fields => ({
  id,
  name: `Acme ${id}`,
  email: `${id}@x.example`,
  status: 'signed',
  created_at: `2026-11-${day}T10:00:00Z`,
});
const [B, A] = [entry('b', '20'), entry('a', '19')];

test.each(['new_room', 'new_contact', 'updated_contact', 'agreement_status_changed', 'new_invoice', 'room_list'])(
  'a record that moved to the next page is reported once by %s',
  async (trigger) => {
    pages = [
      [B, A],
      [A, entry('0', '18')],
    ];
    const records = await zap.trigger(trigger);
    expect(records.length).toBeGreaterThan(1);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    pages = [[B, B]];
    await zap.trigger(trigger, { meta: { isLoadingSample: true } });
  },
);

test('a record on two pages is found once by its name or address', async () => {
  pages = [
    [B, A],
    [A, entry('0', '18')],
  ];
  const found = await zap.find('find_room', { name: 'Acme a' });
  expect(found.map(({ id }) => id)).toEqual(['a']);
  const contact = { email: 'a@x.example', name: 'Acme b' };
  expect(await zap.act('create_or_update_contact', contact)).toMatchObject({ is_new: false });
});

test('an empty first page is not the end if there is a next page', async () => {
  pages = [[], [], [A]];
  expect(await zap.find('find_room', { name: 'Acme a' })).toMatchObject([{ id: 'a' }]);
  pages = Array.from({ length: 60 }, () => []);
  const error = await zap.runError('searches.find_room.operation.perform', { inputData: { name: 'Acme a' } });
  expect(error).toMatchObject({ name: 'ThrottledError' });
  expect(await zap.find('find_room', { name: 'Acme a' })).toEqual([]);
});

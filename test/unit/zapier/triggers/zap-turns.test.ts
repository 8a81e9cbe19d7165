/** Where a look at a long list goes on, and when it begins anew: nothing new is lost, and a fault is no reason to read all of it. */
import { describe, expect, test } from 'vitest';
import { room as roomKind } from '../../../../zapier/records/kinds.ts';
import { defineNewRecordTrigger } from '../../../../zapier/triggers/define-list-trigger.ts';
import { type ZapAnswer, type ZapCall, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

const newRoom = defineNewRecordTrigger(roomKind, 'Triggers when a room is created.');

type Item = Readonly<Record<string, unknown>>;
const perform = ({ operation }: { operation: unknown }) => (operation as { perform: unknown }).perform;
/** The first 450 are of long ago, all others are yet to come: new to a Zap that is on. */
const room = (at: number) => ({
  id: `r${at}`,
  created_at: new Date(Date.UTC(at < 450 ? 2020 : 2999, 0, 1) + at * 60_000).toISOString(),
});
const rooms = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => room(from + index));
const OLD = rooms(0, 450);

/** A list of 100 a page that goes on by a cursor; `refuse` may answer in its place. */
function serve() {
  let items: readonly Item[] = OLD;
  let refuse: (call: ZapCall) => ZapAnswer = () => undefined;
  const step = zapStep((call) => {
    const at = Number(call.query['cursor'] ?? 0);
    const more = at + 100 < items.length ? { next_cursor: String(at + 100) } : {};
    return refuse(call) ?? { json: { data: items.slice(at, at + 100), ...more } };
  });
  return {
    async look() {
      step.calls.length = 0;
      const found = await step.run<Item[]>(perform(newRoom), { meta: { zap: { id: '1' } } as never });
      return found.map(({ id }) => id);
    },
    become(next: readonly Item[], refusing: typeof refuse = () => undefined) {
      items = next;
      refuse = refusing;
    },
    cursors: () => step.calls.map(({ query }) => query['cursor'] ?? 'first'),
  };
}

describe('a long list that ends with the newest', () => {
  test('is read from its last known page on, and gives what was added there', async () => {
    const { look, become, cursors } = serve();
    expect(await look()).toEqual([]);
    become([...OLD, room(450), room(451)]);
    expect(await look()).toEqual(['r451', 'r450']);
    expect(cursors()).toEqual(['400']);
    become([...OLD, ...rooms(450, 520)]);
    expect(await look()).toHaveLength(70);
    become([...OLD, ...rooms(450, 521)]);
    expect(await look()).toContain('r520');
    expect(cursors()).toEqual(['500']);
  });

  test('is read anew where that page no longer has what ended it', async () => {
    const { look, become, cursors } = serve();
    await look();
    become([...OLD.slice(0, 405), room(450)]);
    expect(await look()).toContain('r450');
    expect(cursors()[0]).toBe('400');
    expect(cursors()).toContain('first');
  });

  test.each([
    [404, true],
    [409, true],
    [422, true],
    [403, false],
  ])('and answers %i for that page is read anew: %s', async (status, isAnew) => {
    const { look, become, cursors } = serve();
    await look();
    become([...OLD, room(450)], ({ query }) => (query['cursor'] === '400' ? { status, json: {} } : undefined));
    await look().catch(() => undefined);
    expect(cursors().includes('first')).toBe(isAnew);
  });
});

test.each(['100', '300'])('a list that is refused from %s on is not told as if it ended there', async (from) => {
  const { look, become } = serve();
  become(OLD, ({ query }) => (query['cursor'] === from ? { status: 403, json: {} } : undefined));
  await expect(look()).rejects.toThrow(texts.apiKeyLacksPermissionRooms);
  become([...OLD, room(450)]);
  expect(await look()).toContain('r450');
});

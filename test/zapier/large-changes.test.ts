/** Status changes in long lists: each is reported within a few polls, with few requests and without an error. */
import { expect, test } from 'vitest';
import { type Fields, openZapOnService } from '../support/zapier-lambda.ts';

interface Style {
  readonly count: number;
  readonly size: number;
  readonly newestFirst: boolean;
  readonly supports?: 'sort' | 'filter';
  readonly undated?: boolean;
  /** Cursors hold an ID instead of a position. */
  readonly byId?: boolean;
  /** The service shows no more than so many records. */
  readonly end?: number;
}

const START = Date.parse('2026-01-01T00:00:00Z');
let style: Style;
let records: Fields[];
let keys = 0;

const { service, zap } = await openZapOnService(({ query }) => {
  const since = query.get('updated_since');
  const cursor = query.get('cursor');
  let list: readonly Fields[] = records;
  if (style.newestFirst) list = list.toReversed();
  if (style.supports === 'sort' && query.get('sort') === '-updated_at')
    list = list.toSorted((a, b) => (String(b['updated_at']) > String(a['updated_at']) ? 1 : -1));
  if (style.supports === 'filter' && since !== null) list = list.filter((one) => String(one['updated_at']) >= since);
  const from = style.byId ? list.findIndex(({ id }) => id === cursor) + 1 : Number(cursor);
  const to = from + Math.min(style.size, Number(query.get('limit') ?? style.size));
  const next_cursor = to < (style.end ?? list.length) ? String(style.byId ? list[to - 1]?.['id'] : to) : null;
  return { json: { data: list.slice(from, to), next_cursor, total: list.length } };
});

function fill(chosen: Style): void {
  style = chosen;
  zap.cache.clear();
  records = Array.from({ length: chosen.count }, (_, index) => {
    const at = new Date(START + index * 1000).toISOString();
    const times = chosen.undated ? {} : { created_at: at, updated_at: at };
    return {
      id: `r${index}`,
      name: `N ${index}`,
      email: `${index}@x.example`,
      status: index % 10 === 0 ? 'sent' : 'signed',
      ...times,
    };
  });
}

const bundle = () => ({ authData: { apiKey: `key-${++keys}`, baseUrl: service.url } });
async function poll(trigger: string, meta: Fields = {}): Promise<{ ids: unknown[]; requests: number }> {
  service.requests.length = 0;
  const items = await zap.trigger(trigger, { ...bundle(), meta });
  const ids = items.map((item) => item['contact_id'] ?? item['agreement_id'] ?? item['proposal_id']);
  return { ids, requests: service.requests.length };
}

const TRIGGERS = ['agreement_status_changed', 'updated_contact', 'proposal_status_changed', 'proposal_accepted'];
/** If the service can sort or filter, half of the triggers meet a long list with small pages, the others with large ones. */
const triggersFor = ({ count, size, supports }: Style) =>
  count > 1000 && supports ? TRIGGERS.filter((_, at) => at % 2 === Number(size > 25)) : TRIGGERS;
const ORDERS = [
  { size: 25, newestFirst: true },
  { size: 25, newestFirst: false },
  { size: 100, newestFirst: true },
  { size: 100, newestFirst: false },
];
const LONG_MS = 200_000;

async function expectReported(trigger: string, maxPolls: number): Promise<void> {
  const known = new Set((await poll(trigger)).ids);
  await poll(trigger);
  const changed = records[Math.floor(style.count / 20) * 10] ?? {};
  Object.assign(changed, { status: 'accepted', updated_at: new Date().toISOString() });
  const reported: unknown[] = [];
  for (let polls = 0; polls < maxPolls && !reported.includes(changed['id']); polls++) {
    const { ids, requests } = await poll(trigger);
    expect(requests).toBeLessThanOrEqual(15);
    reported.push(...ids.filter((id) => !known.has(id) || id === changed['id']));
  }
  expect(reported).toEqual([changed['id']]);
}

test.each(
  (['sort', 'filter'] as const).flatMap((supports) =>
    ORDERS.map((order, index) => ({ ...order, count: index % 2 === 0 ? 1000 : 20_001, supports })),
  ),
)(
  'a service with $count records, $size per page, newest first: $newestFirst, that can $supports, reports a change within 3 polls',
  async (chosen) => {
    for (const trigger of triggersFor(chosen)) {
      fill(chosen);
      await expectReported(trigger, 3);
    }
  },
  LONG_MS,
);

test.each([
  ...ORDERS.map((order) => ({ ...order, count: 1000 })).slice(1),
  { size: 100, newestFirst: true, count: 20_001 },
])(
  'with $count records, $size per page, newest first: $newestFirst, a service without sort and filter reports a change within a tenth as many polls as pages',
  async (chosen) => {
    for (const trigger of triggersFor(chosen)) {
      fill(chosen);
      await expectReported(trigger, Math.ceil(chosen.count / chosen.size / 10) + 1);
    }
  },
  LONG_MS,
);

test.each(['sort', 'filter'] as const)(
  'a service that can %s reports each of 350 changes',
  async (supports) => {
    fill({ count: 3000, size: 100, newestFirst: true, supports });
    await poll('updated_contact');
    const changed = Array.from({ length: 350 }, (_, index) => records[(index * 701) % 2400] ?? {});
    for (const [index, record] of changed.entries()) record['updated_at'] = new Date(Date.now() + index).toISOString();
    const reported: unknown[] = [];
    for (let polls = 0; polls < 6; polls++) {
      const { ids, requests } = await poll('updated_contact');
      expect(requests).toBeLessThanOrEqual(15);
      reported.push(...ids);
    }
    expect(changed.filter(({ id }) => !reported.includes(id))).toEqual([]);
  },
  LONG_MS,
);

test.each(['sort', 'filter'] as const)(
  'a service that can %s shows all statuses to the first poll, so that a later edit reports none of them',
  async (supports) => {
    fill({ count: 1000, size: 100, newestFirst: true, supports });
    Object.assign(records[500] ?? {}, { updated_at: new Date().toISOString() });
    expect((await poll('agreement_status_changed')).ids).toHaveLength(1000);
  },
);

test('a list that grows during a scan is read to its end without an error, but one that the service cuts is not', async () => {
  fill({ count: 3000, size: 25, newestFirst: true, byId: true });
  const pollOften = async () => {
    for (let polls = 0; polls < 30; polls++) {
      records.push({ ...records[0], id: `n${records.length}` });
      await poll('agreement_status_changed');
    }
  };
  await expect(pollOften()).resolves.toBeUndefined();
  style = { ...style, end: 2000 };
  await expect(pollOften()).rejects.toThrow('incomplete_list');
});

test('a Zap cannot be turned on for too many records without times', async () => {
  fill({ count: 20_001, size: 100, newestFirst: true, undated: true });
  const error = await zap.runError('triggers.updated_contact.operation.perform', bundle());
  expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('20001 entries') });
});

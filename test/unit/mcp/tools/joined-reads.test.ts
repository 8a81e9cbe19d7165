/** Tools that join several reads: what is told of the part that could not be read, and what ends the whole. */
import { describe, expect, test, vi } from 'vitest';
import type { Tool, ToolContext } from '../../../../mcp/tool/tool.ts';
import { describeObject } from '../../../../mcp/tools/describe-object.ts';
import { tools } from '../../../../mcp/tools/index.ts';
import { readDocument } from '../../../../mcp/tools/object-preview.ts';
import { isEarlierExpiry } from '../../../../mcp/tools/risky-fields.ts';
import { AuthenticationError, NotFoundError, PermissionError, ServerError } from '../../../../src/errors.ts';
import type { JsonObject } from '../../../../src/records/fields.ts';
import { texts } from '../../../mcp/texts.ts';
import { standIn } from '../../../support/stand-in.ts';

const toolOf = (name: string) => tools.find((tool) => tool.name === name) as Tool;
const about = { status: 400, operation: 'links.list', scope: 'links:read', body: '' } as const;
const failing = (error: Error) => () => Promise.reject(error);
const BROKEN = new ServerError('No.', about);
const behaviorCache = { get: () => undefined, set: () => undefined };

function contextOf(client: object, more: object = {}): ToolContext {
  return standIn<ToolContext>({
    client: { expectedWaitMs: () => 0, ...client },
    ...{ options: {}, progress: { step: () => undefined }, keyStatus: { behaviorCache } },
    ...more,
  });
}

describe('a report', () => {
  const person = (id: string, more: object = {}) => ({ id, email: `${id}@a.example`, ...more });
  async function reported(analytics: object, args: JsonObject = {}) {
    const client = {
      analytics: {
        ...{ link: async () => ({ views: 2 }), visitors: async () => ({ items: [], complete: true }) },
        visit: async ({ id }: { id: string }) => ({ id, seconds: 5 }),
        ...analytics,
      },
    };
    return (await toolOf('report_link').handler(contextOf(client), { id: 'l1', ...args })).data;
  }
  const visitors = (items: readonly object[], more: object = {}) => ({
    visitors: async () => ({ items, complete: true, ...more }),
  });

  test.each<[string, object, RegExp]>([
    ['the totals failed', { link: failing(BROKEN) }, /^the totals could not be read \(service_failed\)\.$/],
    ['the visitors failed', { visitors: failing(BROKEN) }, /^the visitors could not be read/],
    [texts.thereAreMoreVisitors, visitors([], { cursor: {} }), /there are more visitors/],
    [
      'the service does not give all visitors',
      visitors([], { complete: false }),
      new RegExp(`^${texts.serviceDidReturnAll}$`),
    ],
    [
      'visitors name no visits',
      { ...visitors([person('p')]), visit: failing(new NotFoundError('No.', about)) },
      /the service returned no visit IDs/,
    ],
    [
      'a visit failed',
      { ...visitors([person('p', { visit_ids: ['v1'] })]), visit: failing(BROKEN) },
      /^1 of 1 visits were not read \(service_failed\)\.$/,
    ],
    [
      'visitors are too many for an answer',
      visitors(Array.from({ length: 400 }, (_, at) => person(`p${at}`, { company: 'x'.repeat(200), visits: 0 }))),
      /\d+ visitors did not fit/,
    ],
  ])('says that %s', async (_, analytics, partial) => {
    expect((await reported(analytics))['partial']).toMatch(partial);
  });

  test.each([
    ['no key', new AuthenticationError('No.', about), 1],
    ['no link', new NotFoundError('No.', about), 1],
    ['no service', BROKEN, 2],
  ])('of %s is none', async (_, error, questions) => {
    const ask = vi.fn(failing(error));
    await expect(reported({ link: ask, visitors: ask })).rejects.toBe(error);
    expect(ask).toHaveBeenCalledTimes(questions);
  });

  test('counts no visits for their ids, and takes the ids from where they stand', async () => {
    const items = [
      person('a', { visits: 3, last_visit_id: 'v1' }),
      person('b', { visits: [{ id: 'v2' }, 'v3'] }),
      person('c', { visits: 'v4' }),
      person('d', { visits: '2', visit_id: '77' }),
    ];
    const data = await reported(visitors(items));
    expect(data['partial']).toBeUndefined();
    const found = (data['visitors'] as JsonObject[]).map(({ visits }) => visits);
    expect(found).toEqual([['v1'], ['v2', 'v3'], ['v4'], ['77']].map((ids) => ids.map((id) => ({ id, seconds: 5 }))));
  });

  test('reads as many visits as were asked for, and none once one has failed', async () => {
    const items = [person('a', { visit_ids: Array.from({ length: 30 }, (_, at) => `v${at}`) })];
    expect((await reported(visitors(items), { visits: 7 }))['partial']).toBe('23 of 30 visits were not read.');
    const visit = vi.fn(failing(BROKEN));
    await reported({ ...visitors(items), visit });
    // As many as are under way at once.
    expect(visit).toHaveBeenCalledTimes(4);
  });
});

describe('find', () => {
  const readableGroups = ['documents', 'links', 'rooms'];
  const list =
    (names: readonly string[], more: object = {}) =>
    async () => ({ items: names.map((name) => ({ id: name, name })), ...{ complete: true, ...more } });
  const found = async (lists: Readonly<Record<string, object>>, options: object = {}) => {
    const client = Object.fromEntries(readableGroups.map((group) => [group, { list: lists[group] ?? list([]) }]));
    return toolOf('find').handler(contextOf(client, { mode: { readableGroups }, options }), { text: 'deck' });
  };

  test('goes on where one group fails, and names it with why', async () => {
    const missing = new PermissionError('No.', { ...about, status: 403 });
    const { data } = await found({
      documents: list(['a deck', 'deck']),
      links: failing(BROKEN),
      rooms: failing(missing),
    });
    expect(data).toMatchObject({
      items: [{ id: 'deck' }, { id: 'a deck' }],
      searched: { documents: 2 },
      skipped: { links: 'service_failed', rooms: texts.keyLacksScopeLinks },
    });
  });

  test('fails where every group does, and where its caller has gone', async () => {
    const lists = Object.fromEntries(readableGroups.map((group) => [group, failing(BROKEN)]));
    await expect(found(lists)).rejects.toBe(BROKEN);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(found({ links: failing(BROKEN) }, { signal })).rejects.toBe(BROKEN);
  });

  test('says how far a group was read that then failed', async () => {
    const pages = vi.fn(async (_: object, { cursor }: { cursor?: object }) => {
      if (cursor) throw BROKEN;
      return { items: [{ id: 'deck', name: 'deck' }], complete: true, cursor: {} };
    });
    const { data } = await found({ links: pages });
    expect(data).toMatchObject({
      items: [{ group: 'links', id: 'deck' }],
      searched: { links: '1 read, there are more' },
      skipped: { links: 'after 1: service_failed' },
      next: texts.someGroupsReadCompletely,
    });
  });
});

describe('what an act is about', () => {
  async function* listed(items: readonly object[]) {
    yield* items;
  }
  const look = (items: readonly object[], id: string) =>
    describeObject(contextOf({ links: { list: () => listed(items) } }), 'links', id).then(({ about }) => about);
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `l${at}` }));

  test.each([
    [499, texts.noLinkWithThisId],
    [500, texts.linkIdFoundAmong],
  ])('is told to be unknown where %i links are others', async (count, note) => {
    expect(await look(many(count), 'none')).toEqual({ note });
  });

  test('is whole, or says that it was cut', async () => {
    const item = { id: 'l1', notes: Array.from({ length: 30 }, (_, at) => `note ${at}`), owner: null };
    expect(await look([item], 'l1')).toEqual({ id: 'l1', notes: item.notes });
    const long = { id: 'l1', text: 'words of a long note '.repeat(2000) };
    expect(await look([long], 'l1')).toMatchObject({ id: 'l1', note: texts.longValuesShortenedPreview });
  });

  test('is left out where the service fails, but a call that was cancelled ends', async () => {
    const client = { links: { list: failing(BROKEN) }, documents: { get: failing(BROKEN) } };
    const broken = { links: { list: () => ({ [Symbol.asyncIterator]: () => ({ next: failing(BROKEN) }) }) } };
    expect((await describeObject(contextOf(broken), 'links', 'l1')).about).toBeUndefined();
    expect(await readDocument(contextOf(client), 'd1')).toBeUndefined();
    const reason = new Error('cancelled');
    const options = { signal: AbortSignal.abort(reason) };
    await expect(describeObject(contextOf(broken, { options }), 'links', 'l1')).rejects.toBe(reason);
    await expect(readDocument(contextOf(client, { options }), 'd1')).rejects.toBe(reason);
  });
});

test('a link whose end comes nearer is changed unasked, and not where anything else changes with it', async () => {
  async function* list() {
    yield { id: 'l1', expires_at: '2030-06-01T00:00:00Z', expiry: '2030-06-01T00:00:00Z' };
  }
  const change = (fields: JsonObject) =>
    toolOf('update_link').confirmation?.({ id: 'l1', fields }, contextOf({ links: { list } }));
  const nearer = { expires_at: '2030-05-01T00:00:00Z' };
  expect(await change(nearer)).toBeUndefined();
  for (const more of [{ password: null }, { expiry: '2031-01-01T00:00:00Z' }, { email_required: false }])
    expect(await change({ ...nearer, ...more })).toMatchObject({ effect: expect.stringContaining('l1') });
});

test.each([
  ['2030-06-01T00:00:00Z', '2030-06-01T00:00:00Z', true],
  ['2030-06-01T00:00:01Z', '2030-06-01T00:00:00Z', false],
  ['2030-06-01T01:00:00+02:00', '2030-05-31T23:00:00Z', true],
  // A day ends 12 hours later at one end of the earth, and begins 14 hours earlier at the other.
  ['2030-05-29', '2030-06-01', true],
  ['2030-05-30', '2030-06-01', false],
  ['2030-05-31', '2030-06-01T11:59:59Z', false],
  ['2030-05-31', '2030-06-01T12:00:00Z', true],
  ['2030-05-31T12:00', '2030-06-01T00:00:00Z', true],
  ['2030-05-31T12:01', '2030-06-01T00:00:00Z', false],
  ['2030-05-31T10:00:00Z', '2030-06-01', true],
  ['2030-05-31T10:00:01Z', '2030-06-01', false],
  ['2030-02-30T00:00', 'soon', false],
])('an end at %s is no later than one at %s for anybody: %s', (wanted, standing, is) => {
  expect(isEarlierExpiry('expires_at', wanted, { expires_at: standing })).toBe(is);
});

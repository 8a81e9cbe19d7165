/** Nothing is said to be missing, or to be there, that was not looked for to the end: a Zap would make it once more. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { fetchSignedDocument } from '../../../../zapier/hydrators/signed-document.ts';
import { createZapClient } from '../../../../zapier/platform/with-client.ts';
import { createRecordDeduplicator } from '../../../../zapier/records/create-once.ts';
import { room } from '../../../../zapier/records/kinds.ts';
import { getLinkAnalytics } from '../../../../zapier/searches/analytics-reports.ts';
import { findContact, findRoom } from '../../../../zapier/searches/find-records.ts';
import { listLinkVisitors } from '../../../../zapier/searches/list-link-visitors.ts';
import { type ZapAnswer, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

type Item = Record<string, unknown>;
const perform = ({ operation }: { operation: unknown }) => (operation as { perform: unknown }).perform;

test('a filter that works for names is not trusted for email addresses', async () => {
  const contacts = ['Ann', 'Bob'].map((name) => ({ id: name, name, email: `${name.toLowerCase()}@a.test` }));
  const step = zapStep(({ query }): ZapAnswer => {
    const { q, cursor } = query;
    if (q !== undefined)
      return { json: { data: contacts.filter(({ name }) => name.toUpperCase() === q.toUpperCase()) } };
    return { json: cursor ? { data: contacts.slice(1) } : { data: contacts.slice(0, 1), next_cursor: 'n' } };
  });
  const find = (query: string) => step.run<Item[]>(perform(findContact), { inputData: { query } });
  expect(await find('Nobody')).toEqual([]);
  expect(await find('bob@a.test')).toMatchObject([{ id: 'Bob' }]);
});

test('a case-sensitive filter is not trusted when it finds nothing', async () => {
  const contacts = ['Ann', 'Bob'].map((name) => ({ id: name, name }));
  const step = zapStep(({ query }): ZapAnswer => {
    const { q, cursor } = query;
    if (q !== undefined) return { json: { data: contacts.filter(({ name }) => name === q) } };
    return { json: cursor ? { data: contacts.slice(1) } : { data: contacts.slice(0, 1), next_cursor: 'n' } };
  });
  expect(await step.run<Item[]>(perform(findContact), { inputData: { query: 'bob' } })).toMatchObject([{ id: 'Bob' }]);
});

test('a room that stands on two pages is one, and does not stop the step', async () => {
  const step = zapStep(({ query }): ZapAnswer => {
    const data = [{ id: 'r1', name: 'Deal' }];
    return { json: query['cursor'] ? { data: [...data, { id: 'r2' }] } : { data, next_cursor: 'n' } };
  });
  expect(await step.run<Item[]>(perform(findRoom), { inputData: { name: 'deal' } })).toMatchObject([{ id: 'r1' }]);
});

test('figures and the pages beside them are found one level down too', async () => {
  const step = zapStep(() => ({ json: { link_id: 'l1', stats: { views: 3, pages: [{ page: 1, views: 2 }] } } }));
  expect(await step.run<Item[]>(perform(getLinkAnalytics), { inputData: { link: 'l1' } })).toMatchObject([
    { id: 'l1', views: 3, pages: [{ page: 1, views: 2 }] },
  ]);
});

describe('what another run made a moment ago', () => {
  const known = async (rooms: readonly Item[], isMissed = true) => {
    const step = zapStep(() => ({ json: { data: rooms } }));
    return step.run<Item | undefined>(async (z: never, { authData }: { authData: Record<string, string> }) => {
      const once = createRecordDeduplicator(z, { kind: room, text: 'Deal' });
      if (isMissed) await once.recordMiss();
      await once.recordCreated({ id: 'r1', name: 'Deal' }, { name: 'Deal' });
      return createRecordDeduplicator(z, { kind: room, text: ' DEAL' }).findRecentlyCreated(
        createZapClient(z, authData),
      );
    });
  };
  test.each<[string, readonly Item[], boolean, Item | undefined]>([
    ['is given in place of a second', [{ id: 'r1' }], true, { id: 'r1', name: 'Deal' }],
    ['and was deleted since is made anew', [{ id: 'r2' }], true, undefined],
    ['without looking for it first is made as often as it is asked for', [{ id: 'r1' }], false, undefined],
  ])('%s', async (_, rooms, isMissed, record) => {
    expect(await known(rooms, isMissed)).toEqual(record);
  });
});

describe('of a list of visitors that does not end within a step', () => {
  /** One a page: `ann` on the first, others behind. */
  const visitors = (dayOf: (page: number) => number) =>
    zapStep(({ query }) => {
      const page = Number(query['cursor'] ?? 0);
      const last_seen_at = new Date(dayOf(page) * 86_400_000).toISOString();
      const email = page === 0 ? 'ann@a.test' : `v${page}@a.test`;
      return { json: { data: [{ id: `v${page}`, email, last_seen_at }], next_cursor: String(page + 1) } };
    });
  const list = (step: ReturnType<typeof zapStep>, email?: string) =>
    step.run<Item[]>(perform(listLinkVisitors), { inputData: { link: 'l1', email } });
  test('those who came last are given where it begins with them', async () => {
    expect(
      await list(
        visitors((page) => 20_000 - page),
        'Ann@a.test',
      ),
    ).toMatchObject([{ id: 'v0' }]);
  });
  test.each<[string, (page: number) => number, string | undefined]>([
    ['nobody where it begins with others', (page) => 10_000 + page, undefined],
    ['nobody where an address was not met so far', (page) => 20_000 - page, 'bob@a.test'],
  ])('%s', async (_, dayOf, email) => {
    await expect(list(visitors(dayOf), email)).rejects.toThrow(texts.moreVisitorsThanOne);
  });
});

test('a signed document that is larger than Zapier carries is refused by its size, and given up', async () => {
  const bytes = Readable.from([Buffer.from('%PDF-1.7'), Buffer.from('…')]);
  const headers = { 'content-type': 'application/pdf', 'content-length': '100000001' };
  const step = zapStep(({ path }) =>
    path === '/agreements/a1/document' ? { json: { url: 'https://files.test/a1.pdf' } } : { bytes, headers },
  );
  await expect(step.run(fetchSignedDocument, { inputData: { agreement_id: 'a1' } })).rejects.toThrow(
    'The signed document is 101 MB',
  );
  expect(bytes.destroyed).toBe(true);
});

/** What the learner removes, in which order, and what it leaves alone; and what it asks for again. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createSession } from '../../../../learn/probes/session.ts';
import { createJournal, readStaleJournals } from '../../../../learn/write/journal.ts';
import { removeAll } from '../../../../learn/write/remove.ts';
import type { Client } from '../../../../src/index.ts';
import type { RequestOptions } from '../../../../src/request/client-context.ts';
import { createStub } from '../../../support/create-stub.ts';

const MARKER = 'docshare-learn-0123456789ab';

/** A service of which everything can be removed, with these links. */
function service(links: readonly object[] = []) {
  const removed: string[] = [];
  const client = createStub<Client>({
    request: async ({ path }: { path: string }) => void removed.push(path),
    links: { list: () => ({ collect: async () => links }) },
  });
  return { client, removed };
}

test('what was made last goes first: a link shows a document that goes after it', async () => {
  const { client, removed } = service();
  const remainingPaths = ['/documents/d1', '/links/l1', '/links/l2'];
  expect(await removeAll(client, { remainingPaths, unverifiedLists: [], preexisting: [], marker: MARKER })).toEqual({
    unremoved: [],
    listsWithoutMatch: [],
  });
  expect(removed).toEqual(remainingPaths.toReversed());
});

test('of a list in doubt goes what bears the name, and not what was there before, whatever name it bears by now', async () => {
  const links = [
    { id: 'mine', name: MARKER },
    { id: 'spared', name: `${MARKER} b` },
    { id: 'theirs', name: 'Deck' },
  ];
  const { client, removed } = service(links);
  await removeAll(client, {
    remainingPaths: [],
    unverifiedLists: ['/links'],
    preexisting: ['/links/spared'],
    marker: MARKER,
  });
  expect(removed).toEqual(['/links/mine']);
});

describe('a journal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'learn-removes-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const writer = { service: 'https://api.test/api/v1', apiKey: 'key' };
  const journal = createJournal(folder, { ...writer, marker: MARKER });
  const of = async (pid: number, reader = writer) => {
    await journal.write({ remainingPaths: ['/links/l1'], unverifiedLists: [], preexisting: [] });
    const entry = JSON.parse(readFileSync(journal.path, 'utf8'));
    writeFileSync(journal.path, JSON.stringify({ ...entry, pid }));
    return (await readStaleJournals(folder, reader)).map(({ remainingPaths, unverifiedLists }) => ({
      remainingPaths,
      unverifiedLists,
    }));
  };
  const ENDED = 2 ** 30;
  test.each<[string, number, typeof writer, object[]]>([
    ['of a process that ended is taken over', ENDED, writer, [{ remainingPaths: ['/links/l1'], unverifiedLists: [] }]],
    ['of a living one is its own affair: it is still at work', process.ppid, writer, []],
    ['of another service is none of this one', ENDED, { ...writer, service: 'https://b.test/api/v1' }, []],
    [
      'that another key has sealed names no object',
      ENDED,
      { ...writer, apiKey: 'other' },
      [{ remainingPaths: [], unverifiedLists: ['/links'] }],
    ],
  ])('%s', async (_, pid, reader, found) => {
    expect(await of(pid, reader)).toEqual(found);
  });

  test('whose list of what was there before somebody has changed names no object', async () => {
    await journal.write({ remainingPaths: ['/links/l1'], unverifiedLists: [], preexisting: ['/links/l2'] });
    const entry = JSON.parse(readFileSync(journal.path, 'utf8'));
    writeFileSync(journal.path, JSON.stringify({ ...entry, pid: ENDED, preexisting: [] }));
    expect(await readStaleJournals(folder, writer)).toMatchObject([
      { remainingPaths: [], unverifiedLists: ['/links'] },
    ]);
  });
});

test.each<[string, object, Partial<RequestOptions>]>([
  ['what makes something is sent once', { method: 'POST' }, { retries: 0 }],
  ['what changes something too', { method: 'PATCH' }, { retries: 0 }],
  ['what removes what was made is insisted on', { method: 'DELETE', isCleanup: true }, { retries: 2 }],
])('%s, and is never cut by a stop', async (_, call, expected) => {
  const stop = new AbortController();
  const given: RequestOptions[] = [];
  const session = createSession({
    client: createStub<Client>({
      request: async (_: object, options: RequestOptions) => {
        given.push(options);
        stop.abort();
      },
    }),
    recorder: createStub({
      takeExchanges: () => [{ url: new URL('https://api.test/links'), status: 204, headers: {}, text: '' }],
    }),
    signal: stop.signal,
    onProgress: () => undefined,
  });
  const asked = { path: '/links', route: '/links', topic: 'writes', ...call };
  expect(await session.sendRequest(createStub(asked))).toMatchObject({ status: 204, ok: true });
  expect(given).toEqual([expect.objectContaining(expected)]);
  expect(given[0]?.signal).toBeUndefined();
});

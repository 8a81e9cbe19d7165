/** An agreement's file at an address of this server: as what it comes to a browser. */

import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Accounts } from '../../../../mcp/account/account.ts';
import { createDownloadRoutes } from '../../../../mcp/hosted/file-transfer/download-routes.ts';
import { createDownloadTickets, type DownloadTickets } from '../../../../mcp/hosted/file-transfer/download-tickets.ts';
import { createStub } from '../../../support/create-stub.ts';
import { createMemoryState } from '../../../support/mcp-parts.ts';

const PDF = '%PDF-1.7 signed';

/** The answer to a program that asks for a file of this name. */
async function fetched(name: string, start = PDF) {
  const found = { grant: 'g', apiKey: 'k', id: 'a1', name };
  const downloads = createStub<DownloadTickets>({
    find: async () => found,
    consume: async () => true,
    release: async () => undefined,
  });
  async function* bytes() {
    yield Buffer.from(start);
  }
  const download = { open: async () => ({ bytes: bytes(), sizeBytes: start.length }) };
  const client = { agreements: { document: async () => download } };
  const accounts = createStub<Accounts>({ get: () => ({ client: async () => client }) });
  const isEnded = async () => false;
  const pages = createDownloadRoutes({
    downloadTickets: downloads,
    accounts,
    publicUrl: 'https://mcp.test',
    isRevoked: isEnded,
  });
  return new Hono().route('/download', pages).request('https://mcp.test/download/token', {}, {});
}

test.each([
  ['a.pdf', PDF, 'application/pdf'],
  // These can hold programs, which would run as this server's own pages.
  ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'application/octet-stream'],
  ['a.xhtml', 'words', 'application/octet-stream'],
  ['a', 'words', 'application/octet-stream'],
])('%s comes as a file to be kept, of a type that no browser runs', async (name, start, type) => {
  const { status, headers } = await fetched(name, start);
  expect([status, headers.get('content-type')]).toEqual([200, type]);
  expect(headers.get('content-disposition')).toMatch(/^attachment;/);
  expect(headers.get('cache-control')).toContain('no-store');
});

test('an address gives one download within ten minutes, and is good again where nothing was sent', async () => {
  let now = 0;
  const state = createMemoryState({ now: () => now });
  const downloads = createDownloadTickets({ state: async () => state, getUrl: (token) => token, now: () => now });
  const door = downloads.forOwner({ grant: 'g', apiKey: 'key_of_a_person' });
  const { url: token, secondsLeft } = await door.download({ id: 'a1', name: 'nda.pdf' });
  expect(secondsLeft).toBe(600);
  const standing = { grant: 'g', apiKey: 'key_of_a_person', id: 'a1', name: 'nda.pdf' };
  expect(await downloads.find(token)).toEqual(standing);
  expect([await downloads.consume(token), await downloads.consume(token)]).toEqual([true, false]);
  expect(await downloads.find(token)).toBeUndefined();
  await downloads.release(token);
  expect(await downloads.find(token)).toEqual(standing);
  now = 10 * 60_000;
  expect(await downloads.find(token)).toBeUndefined();
  expect(await downloads.find('x'.repeat(43))).toBeUndefined();
});

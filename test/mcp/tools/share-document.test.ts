/** `share_document` creates a gated link from a file in one call, and names the document if the link fails. */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../sandbox/index.ts';
import { createFolder } from '../../support/mcp-every-tool.ts';
import { type Host, openHost } from '../../support/mcp-host.ts';

const folder = createFolder();
let sandbox: Sandbox;
let host: Host;
beforeAll(async () => {
  writeFileSync(join(folder.path, 'deck.pdf'), '%PDF-1.4 deck');
  sandbox = await createSandbox({ data: 'empty' });
  const env = { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url };
  host = await openHost({ env, args: ['--files', folder.path] });
});
beforeEach(() => sandbox.log.clear());
afterEach(() => sandbox.faults.clear());
afterAll(async () => {
  await host.close();
  await sandbox.close();
  folder.remove();
});

const linkBodies = () =>
  sandbox.log.entries().flatMap(({ operation, body }) => (operation === 'links.create' ? [body] : []));

/** Returns the files of the folder that this process has open. */
const heldFiles = () =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder.path) ? [path] : [];
    } catch {
      return [];
    }
  });

describe('share_document', () => {
  test('creates a gated link from a file in one call', async () => {
    const { data } = await host.call('share_document', { path: 'deck.pdf' });
    expect(data).toMatchObject({
      done: true,
      url: expect.stringMatching(/^http/),
      document_id: expect.any(String),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(linkBodies()).toEqual([{ document_id: data['document_id'], email_required: true }]);
  });

  test('an open link needs an approval, and nothing is uploaded before', async () => {
    const { data } = await host.call('share_document', { path: 'deck.pdf', email_required: false });
    expect(data).toMatchObject({ done: false, confirm_token: expect.any(String) });
    expect(sandbox.log.entries()).toEqual([]);
  });

  test.each([
    ['was rejected', { status: 422 }, { code: 'partly_done', cause: { code: 'invalid_input' } }],
    ['has an unknown outcome', { when: 'after', cut: 'drop' }, { code: 'unknown_outcome' }],
    [
      'got an invalid response',
      { when: 'after', headers: { 'content-type': 'text/html' }, body: '<!doctype html>' },
      { code: 'unknown_outcome' },
    ],
  ] as const)('if the link %s, the document is named and its file is closed', async (why, fault, expected) => {
    const path = `${why.replaceAll(' ', '-')}.pdf`;
    writeFileSync(join(folder.path, path), '%PDF-1.4 deck');
    sandbox.faults.add({ operation: 'links.create', ...fault } as never);
    const { error } = await host.call('share_document', { path });
    expect(error).toMatchObject({ ...expected, document_id: expect.any(String) });
    expect(error['message']).toContain(String(error['document_id']));
    expect(heldFiles()).toEqual([]);
  });

  test('requires exactly one source', async () => {
    const url = 'https://example.com/deck.pdf';
    for (const args of [{}, { path: 'deck.pdf', document_id: 'd' }, { path: 'deck.pdf', url }])
      expect((await host.call('share_document', args)).error).toMatchObject({ code: 'invalid_arguments' });
  });

  test('a URL is fetched as upload_document does: no private address, and an approval for an open link', async () => {
    const url = `${sandbox.url}/documents`;
    const { error } = await host.call('share_document', { url });
    const { error: same } = await host.call('upload_document', { url });
    expect(error).toEqual(same);
    // No approval is requested for a URL that would be rejected.
    const open = { email_required: false };
    expect((await host.call('share_document', { url, ...open })).error).toEqual(same);
    const fetched = 'https://files.example.com/deck.pdf';
    const { data } = await host.call('share_document', { url: fetched, ...open });
    expect(data).toMatchObject({ done: false, preview: expect.stringContaining(JSON.stringify(fetched)) });
    expect(sandbox.log.entries()).toEqual([]);
  });
});

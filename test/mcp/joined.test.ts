import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import type { OperationName } from '../../src/index.ts';
import { createFolder } from '../support/mcp-every-tool.ts';
import { type Host, type Json, openHost } from '../support/mcp-host.ts';

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

describe('share_document', () => {
  test('makes a gated link from a file in one call', async () => {
    const { data } = await host.call('share_document', { path: 'deck.pdf' });
    expect(data).toMatchObject({
      done: true,
      url: expect.stringMatching(/^http/),
      document_id: expect.any(String),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(linkBodies()).toEqual([{ document_id: data['document_id'], email_required: true }]);
  });

  test('an open link needs a word, and nothing is uploaded before', async () => {
    const { data } = await host.call('share_document', { path: 'deck.pdf', email_required: false });
    expect(data).toMatchObject({ done: false, confirm_token: expect.any(String) });
    expect(sandbox.log.entries()).toEqual([]);
  });

  test('a link that fails after the upload names the document, so that it is not uploaded twice', async () => {
    sandbox.faults.add({ operation: 'links.create', status: 422 });
    const { error } = await host.call('share_document', { path: 'deck.pdf' });
    expect(error).toMatchObject({ code: 'partly_done', document_id: expect.any(String) });
    expect(error['message']).toContain(String(error['document_id']));
    expect(error['cause']).toMatchObject({ code: 'invalid_input' });
  });

  test('one source, not none and not two', async () => {
    const url = 'https://example.com/deck.pdf';
    for (const args of [{}, { path: 'deck.pdf', document_id: 'd' }, { path: 'deck.pdf', url }])
      expect((await host.call('share_document', args)).error).toMatchObject({ code: 'invalid_arguments' });
  });

  test('a url is loaded as upload_document loads it: no private address, and a word for an open link', async () => {
    const url = `${sandbox.url}/documents`;
    const { error } = await host.call('share_document', { url });
    const { error: same } = await host.call('upload_document', { url });
    expect(error).toEqual(same);
    // Nobody is asked about a URL that would be rejected.
    const open = { email_required: false };
    expect((await host.call('share_document', { url, ...open })).error).toEqual(same);
    const fetched = 'https://files.example.com/deck.pdf';
    const { data } = await host.call('share_document', { url: fetched, ...open });
    expect(data).toMatchObject({ done: false, preview: expect.stringContaining(JSON.stringify(fetched)) });
    expect(sandbox.log.entries()).toEqual([]);
  });
});

describe('report_link', () => {
  test('joins totals, visitors and their visits', async () => {
    const { data: link } = await host.call('share_document', { path: 'deck.pdf' });
    const id = String(link['id']);
    await sandbox.visit(id, { email: 'ada@example.com', pages: [5] });
    await sandbox.visit(id, { email: 'ada@example.com', pages: [7] });
    await sandbox.visit(id, { email: 'bob@example.com', pages: [2] });
    const { data } = await host.call('report_link', { id });
    expect(data['totals']).toMatchObject({ views: 3 });
    const visitors = data['visitors'] as { email: string; visits: Json[] }[];
    expect(Object.fromEntries(visitors.map(({ email, visits }) => [email, visits.length]))).toEqual({
      'ada@example.com': 2,
      'bob@example.com': 1,
    });
    expect(data['partial']).toBeUndefined();
    expect(data['untrusted']).toContain('visitors.email');

    const { data: short } = await host.call('report_link', { id, visits: 1 });
    expect(short['partial']).toContain('2 of 3 visits were not read');
  });

  test('keeps what it has when a part fails, and says which part and why', async () => {
    const { data: link } = await host.call('share_document', { path: 'deck.pdf' });
    const id = String(link['id']);
    await sandbox.visit(id, { email: 'ada@example.com', pages: [5] });
    await sandbox.visit(id, { email: 'bob@example.com', pages: [2] });
    const failing = async (operation: OperationName, status: number) => {
      sandbox.faults.clear();
      sandbox.faults.add({ operation, status, times: 99 });
      return host.call('report_link', { id });
    };
    const { data: noTotals } = await failing('analytics.link', 403);
    expect(noTotals['totals']).toBeUndefined();
    expect(noTotals['visitors']).toHaveLength(2);
    expect(noTotals['partial']).toContain('the totals could not be read (permission_denied)');

    const { data: noVisitors } = await failing('analytics.visitors', 422);
    expect(noVisitors).toMatchObject({ totals: { views: 2 } });
    expect(noVisitors['visitors']).toBeUndefined();
    expect(noVisitors['partial']).toContain('the visitors could not be read (invalid_input)');

    const { data: noVisits } = await failing('analytics.visit', 403);
    expect(noVisits).toMatchObject({ totals: { views: 2 }, visitors: [{}, {}] });
    expect(noVisits['partial']).toContain('2 of 2 visits were not read (permission_denied)');

    sandbox.faults.clear();
    for (const operation of ['analytics.link', 'analytics.visitors'] as const)
      sandbox.faults.add({ operation, status: 403, times: 99 });
    expect((await host.call('report_link', { id })).error).toMatchObject({ code: 'permission_denied' });
  });

  test('an unknown link says where ids come from', async () => {
    const { error } = await host.call('report_link', { id: 'none' });
    expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('list_links') });
  });
});

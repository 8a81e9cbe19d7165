import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { createUploadTickets } from '../../../mcp/hosted/file-transfer/upload-tickets.ts';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { openRemote } from '../../support/hosted-host.ts';
import { openReplica } from '../../support/hosted-replica.ts';
import { createMemoryState } from '../../support/mcp-parts.ts';

const ended = new Set<string>();
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const key = sandbox.key();
const state = createMemoryState();
const grants = { mine: { grant: 'mine', key, browser: '' }, leaving: { grant: 'leaving', key, browser: '' } };
const shared = { baseUrl: sandbox.url, state, grants, ended, limits: { total: 8, perGrant: 2 } };
const replica = await closeAfterAll(openReplica(shared));
const impatient = await closeAfterAll(
  openReplica({ ...shared, uploadTimeouts: { idleTimeoutMs: 300, totalTimeoutMs: 1000 } }),
);
const host = await closeAfterAll(openRemote({ kind: 'sdk 1.x', url: replica.mcp, token: 'mine' }));
beforeEach(async () => {
  sandbox.log.clear();
  // URLs whose file failed stay open, and would leave later tests none.
  for (let index = 0; index < 8; index++) await state.remove(`slot hand-over mine ${index}`);
});

let count = 0;
async function opened() {
  const { data } = await host.call('upload_document', { name: `File ${++count}` });
  const status = async () => (await host.call('upload_document', { hand_over: data['hand_over'] })).data;
  return { url: String(data['upload_url']), status };
}

/** The same URL at a replica with a short timeout. */
const soon = (url: string) => url.replace(replica.url, impatient.url);

const registered = () =>
  sandbox.log
    .entries()
    .filter(({ operation }) => operation === 'documents.finalizeUpload' || operation === 'documents.create');

/** Begins to send a file with a content length of `told` bytes. */
function begin(url: string, told: number, method = 'PUT', headers: Record<string, string> = {}) {
  const outgoing = request(url, { method, headers: { 'content-length': String(told), ...headers } });
  outgoing.on('error', () => undefined);
  const answered = once(outgoing, 'response').then(([response]) => response.statusCode as number);
  answered.catch(() => undefined);
  return { outgoing, answered };
}

const failureOf = (status: Record<string, unknown>) => (status['failure'] as { code?: string } | undefined)?.code;

describe('a sender that', () => {
  test.each([100_000, 5_000_000])('disconnects after half of %i bytes leaves nothing but an open URL', async (size) => {
    const { url, status } = await opened();
    const { outgoing } = begin(url, size);
    outgoing.write(Buffer.alloc(Math.floor(size / 2)));
    await sleep(100);
    outgoing.destroy();
    await expect.poll(async () => failureOf(await status())).toBe('cut_off');
    expect(registered()).toEqual([]);
    expect((await fetch(url, { method: 'PUT', body: Buffer.alloc(1000, 'x') })).status).toBe(201);
  });

  test('stops sending gets a 408', async () => {
    const { url, status } = await opened();
    const { outgoing, answered } = begin(soon(url), 50_000);
    outgoing.write(Buffer.alloc(1000));
    expect(await answered).toBe(408);
    expect(failureOf(await status())).toBe('stalled');
    outgoing.destroy();
  });

  test('sends too slowly gets a 408', async () => {
    const { url } = await opened();
    const { outgoing, answered } = begin(soon(url), 50_000);
    const drip = setInterval(() => outgoing.write('x'), 50);
    expect(await answered).toBe(408);
    clearInterval(drip);
    outgoing.destroy();
    expect(registered()).toEqual([]);
  });

  test('declares a length above the maximum is rejected before a byte is read', async () => {
    const { url } = await opened();
    for (const told of [2 ** 30 + 1, 999_999_999_999_999]) {
      const { outgoing, answered } = begin(url, told);
      outgoing.write('x');
      expect(await answered).toBe(413);
      outgoing.destroy();
    }
  });

  test('declares no length gets a 411', async () => {
    const { url } = await opened();
    const outgoing = request(url, { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } });
    outgoing.on('error', () => undefined);
    outgoing.end('some bytes');
    const [response] = await once(outgoing, 'response');
    expect(response.statusCode).toBe(411);
    response.resume();
  });

  test('opens too many uploads at once has to wait', async () => {
    const all = await Promise.all([opened(), opened(), opened()]);
    const running = all.slice(0, 2).map(({ url }) => begin(url, 50_000));
    for (const { outgoing } of running) outgoing.write('x');
    await sleep(100);
    const third = await fetch(all[2]?.url ?? '', { method: 'PUT', body: 'x' });
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '30']);
    for (const { outgoing } of running) outgoing.destroy();
    await Promise.all(running.map(({ answered }) => answered.catch(() => undefined)));
    await expect.poll(async () => (await fetch(all[2]?.url ?? '', { method: 'PUT', body: 'x' })).status).toBe(201);
  });
});

test('a request of another site is rejected', async () => {
  const { url } = await opened();
  const headers = { origin: 'https://evil.example' };
  expect((await fetch(url, { method: 'PUT', body: 'abc', headers })).status).toBe(403);
  expect(registered()).toEqual([]);
});

test.each([
  ['../../../etc/terms.pdf', 'terms.pdf'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['a\r\nset-cookie: x=1\r\n.pdf', 'aset-cookie_ x=1.pdf'],
  ['\u202egnp.exe\u202c', 'gnp.exe'],
  ['\u0000\u0007', 'document.txt'],
  ['n'.repeat(3000), `${'n'.repeat(255)}.txt`],
])('a file called %j becomes a document %j', async (given, kept) => {
  const { data } = await host.call('upload_document', {});
  const url = `${String(data['upload_url'])}?name=${encodeURIComponent(given)}`;
  expect((await fetch(url, { method: 'PUT', body: kept.endsWith('.pdf') ? '%PDF-1.7' : 'some bytes' })).status).toBe(
    201,
  );
  const after = await host.call('upload_document', { hand_over: data['hand_over'] });
  expect(after.data['file_name'] ?? after.data['name']).toBe(kept);
});

test('text of a sender is shown as text on the page', async () => {
  const { data } = await host.call('upload_document', { name: '<script>alert(1)</script>\u202e"><img src=x>' });
  const page = await (await fetch(String(data['upload_url']))).text();
  expect(page).not.toMatch(/<script>alert|<img src=x>|\u202e/);
  expect(page).toContain('&lt;script&gt;');
});

test('opening a URL, and requests with other methods, change nothing', async () => {
  const { url, status } = await opened();
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH']) await fetch(url, { method });
  expect(await status()).toMatchObject({ done: false, upload_url: url });
  expect(registered()).toEqual([]);
});

test('the URL of a revoked grant accepts nothing', async () => {
  const leaving = await closeAfterTest(openRemote({ kind: 'sdk 1.x', url: replica.mcp, token: 'leaving' }));
  const { data } = await leaving.call('upload_document', {});
  ended.add('leaving');
  const url = String(data['upload_url']);
  expect((await fetch(url)).status).toBe(404);
  expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(404);
  for (const wrong of ['x', 'x'.repeat(43), '%2e%2e'])
    expect((await fetch(`${replica.url}/upload/${wrong}`, { method: 'PUT', body: 'x' })).status).toBe(404);
  expect(registered()).toEqual([]);
});

test.each([100_000, 2_000_000])('a sign-in that ends during an upload of %i bytes saves nothing', async (size) => {
  const { outgoing, answered } = begin((await opened()).url, size);
  outgoing.write(Buffer.alloc(size / 2, 'x'));
  await sleep(100);
  ended.add('mine');
  outgoing.end(Buffer.alloc(size / 2, 'x'));
  expect(await answered.finally(() => ended.delete('mine'))).toBe(404);
  expect(registered()).toEqual([]);
});

/** Begins an upload at a replica that then ends: its clock stands still, so it sends no further updates. */
async function beginAtDeadReplica(url: string) {
  const past = Date.now() - 60_000;
  const dead = createUploadTickets({ state: async () => state, getUploadUrl: (token) => token, now: () => past });
  const run = await dead.begin(url.slice(-43), { totalBytes: 10, maxDurationMs: 3_600_000 });
  if (!run || !('end' in run)) throw new Error('It did not begin');
  return run;
}

test('a replica that ends during an upload leaves the URL to the others and finishes nothing later', async () => {
  const { url, status } = await opened();
  const run = await beginAtDeadReplica(url);
  expect(failureOf(await status())).toBe('interrupted');
  expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(201);
  await expect(run.markRegistering()).rejects.toMatchObject({ code: 'interrupted' });
  await run.end('failed', { code: 'late' });
  expect(await status()).toMatchObject({ done: true, size_bytes: 1 });
  expect(registered()).toHaveLength(1);
});

test('a replica that ends during the registration leaves its outcome unknown, and no other replica repeats it', async () => {
  const { url, status } = await opened();
  const run = await beginAtDeadReplica(url);
  await run.markRegistering();
  expect(await status()).toMatchObject({
    done: false,
    unknown_outcome: true,
    next: expect.stringContaining('list_documents'),
  });
  expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(409);
  expect(await (await fetch(url)).text()).toContain('Upload not confirmed');
});

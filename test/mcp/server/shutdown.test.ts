import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFolderForTest } from '../../support/cleanup.ts';
import { initialize, openHttpServer, request } from '../../support/mcp-http.ts';
import { type Loopback, openLoopback } from '../../support/mcp-loopback.ts';
import { openRawStdio } from '../../support/mcp-raw-stdio.ts';
import { assemble } from '../../support/mcp-servers.ts';
import { texts } from '../texts.ts';

const STDIO_SHUTDOWN_TIMEOUT_MS = 1900;
/** The last part of the shutdown time, in which responses are flushed to the host. */
const FLUSH_TIMEOUT_MS = 400;

let folder: string;
let service: Loopback;
let reply: PromiseWithResolvers<{ status?: number; headers?: Record<string, string>; json: object }>;
beforeEach(async () => {
  folder = createFolderForTest('docshare-ending-');
  reply = Promise.withResolvers();
  service = await openLoopback(() => reply.promise);
});
afterEach(() => service.close());

const env = () => ({ DOCSHARE_API_KEY: 'key_of_the_test', DOCSHARE_BASE_URL: service.url });
const withAudit = (...args: string[]) => ['--audit', join(folder, 'audit.jsonl'), ...args];
const audited = () =>
  [...readFileSync(join(folder, 'audit.jsonl'), 'utf8').matchAll(/"outcome":"(\w+)"/g)].map(([, one]) => one);

/** A server that runs a request over stdio. The clock is frozen once its host closes the input. */
async function openWith(method: string, params: object, { confirm = 'off', mode = 'form' } = {}) {
  const host = await openRawStdio(withAudit('--confirm', confirm), env());
  expect(host.entry.shutdownTimeoutMs).toBe(STDIO_SHUTDOWN_TIMEOUT_MS);
  host.send(initialize({ elicitation: { [mode]: {} } }));
  host.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  host.send(request(2, method, params));
  const heard = () => JSON.stringify(host.messages);
  return {
    heard,
    /** Answers the server's first request. */
    accept: () =>
      host.send({ jsonrpc: '2.0', id: host.messages.find((sent) => sent.method)?.id, result: { action: 'accept' } }),
    answer: () => JSON.stringify(host.messages.find(({ id, method: asked }) => id === 2 && !asked)),
    async closeInput() {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      await host.closeInput();
      const closed = host.close();
      return { close: () => closed };
    },
  };
}
const isAsked = () => expect.poll(() => service.requests.length).toBeGreaterThan(0);
const tool = (name: string, args: object = {}) => ['tools/call', { name, arguments: args }] as const;
const create = tool('create_contact', { fields: { email: 'a@example.com' } });
const template = { type: 'ref/resource', uri: 'docshare://documents/{id}' };
const graceOver = () => vi.advanceTimersByTimeAsync(STDIO_SHUTDOWN_TIMEOUT_MS - FLUSH_TIMEOUT_MS);

test.each([
  ['a read', tool('get_usage'), 'shut'],
  ['an attached document', ['resources/read', { uri: 'docshare://documents/d' }], 'shut'],
  ['an ID completion', ['completion/complete', { ref: template, argument: { name: 'id', value: 'd' } }], '"values":[]'],
] as const)('%s without a response ends in time and is reported', async (_, [method, params], said) => {
  const server = await openWith(method, params);
  await isAsked();
  const { close } = await server.closeInput();
  await graceOver();
  await close();
  expect(server.answer()).toContain(said);
});

const waiting = { status: 429, headers: { 'retry-after': '20' }, json: {} };

test.each([
  ['a read', tool('get_usage'), []],
  ['a write', create, ['started', 'cancelled']],
] as const)('%s that waits for a retry ends at once', async (_, [method, params], outcomes) => {
  reply.resolve(waiting);
  const server = await openWith(method, { ...params, _meta: { progressToken: 7 } });
  await expect.poll(() => server.heard()).toContain('waiting');
  await (await server.closeInput()).close();
  expect(server.answer()).toContain('Nothing was done');
  expect(audited()).toEqual(outcomes);
});

test.each([
  ['form', false],
  ['url', false],
  ['url', true],
] as const)('an open %s question (opened: %s) ends at once, and nothing is written', async (mode, isOpened) => {
  reply.resolve({ json: { data: [] } });
  const server = await openWith(...tool('delete_link', { id: 'l' }), { confirm: 'auto', mode });
  await expect.poll(() => server.heard()).toContain('elicitation/create');
  if (isOpened) server.accept();
  await (await server.closeInput()).close();
  if (!isOpened) expect(server.heard()).toContain('notifications/cancelled');
  expect(server.answer()).toContain('shut');
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(audited()).toEqual([]);
});

test('a sent write is waited for, and succeeds if its response arrives', async () => {
  const server = await openWith(...create);
  await isAsked();
  const { close } = await server.closeInput();
  reply.resolve({ json: { id: 'c' } });
  await close();
  expect(audited()).toEqual(['started', 'done']);
});

test.each([
  [tool('add_contact_tags', { ids: ['a', 'b'], tags: ['x'] }), 1],
  [tool('upload_document', { files: ['README.md', 'SECURITY.md'] }), 1],
  [tool('update_links', { changes: ['a', 'b'].map((id) => ({ id, name: 'x' })) }), 0],
])('of the steps of %j no further one begins', async (call, writes) => {
  const server = await openWith(...call);
  await isAsked();
  const { close } = await server.closeInput();
  reply.resolve({ json: { data: [] } });
  await close();
  expect(service.requests.filter(({ method }) => method !== 'GET')).toHaveLength(writes);
});

test('a write without a response is reported as unknown before a host kills the server', async () => {
  const server = await openWith(...create);
  await isAsked();
  const { close } = await server.closeInput();
  await graceOver();
  await close();
  expect(server.answer()).toContain(texts.itsOutcomeIsUnknown);
  expect(audited()).toEqual(['started', 'unknown_outcome']);
  // The SDK's client sends SIGTERM two seconds after it has closed stdin.
  expect(STDIO_SHUTDOWN_TIMEOUT_MS).toBeLessThan(2000);
});

/** A server over HTTP with a pending request; `answer` is the response that its host gets. */
async function askOverHttp([method, params]: ReturnType<typeof tool>) {
  const server = await openHttpServer(withAudit('--confirm', 'off'), env());
  const answer = server
    .send(request(2, method, params), { key: 'key_of_the_test' })
    .then((response) => response.text());
  await isAsked();
  return { answer, close: server.close };
}

test('over HTTP a read ends at once, and its host gets a response', async () => {
  const { answer, close } = await askOverHttp(tool('get_usage'));
  await close();
  expect(await answer).toContain('shut');
});

test('over HTTP the server waits for a sent write before it closes', async () => {
  const { answer, close } = await askOverHttp(create);
  setTimeout(() => reply.resolve({ json: { id: 'c' } }), 20);
  await close();
  expect(audited()).toEqual(['started', 'done']);
  expect(await answer).not.toContain('isError');
});

test('data that the sandbox could not store is reported at shutdown', async () => {
  const kept = join(folder, 'kept');
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const server = await assemble(['--sandbox', '--state', 'memory', '--data', kept], {}, { write });
  rmSync(kept, { recursive: true });
  await server.close();
  expect(lines.join('')).toContain('"event":"sandbox_not_saved"');
  expect(lines.join('')).toContain(texts.removedWhileSandboxRunning);
});

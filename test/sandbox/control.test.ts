import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type RequestOptions, request } from 'node:http';
import { createInterface } from 'node:readline';
import { beforeEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { sandboxMain } from '../support/entry.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await closeAfterTest(createSandbox({ clock: 'manual' }));
});

async function control(method: string, path: string, body?: object) {
  const response = await fetch(`${sandbox.origin}/_sandbox${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** Sends headers that `fetch` would replace. */
async function statusOf(path: string, options: RequestOptions): Promise<number> {
  const outgoing = request(sandbox.origin + path, { ...options, agent: false });
  outgoing.end();
  const [response] = await once(outgoing, 'response');
  response.destroy();
  return response.statusCode;
}

test.each([
  ['a rebound name', { host: 'attacker.example' }],
  ['another website', { origin: 'https://attacker.example' }],
  ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
  ['a request that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['a page without an origin', { origin: 'null' }],
  ['an event delivered to a registered URL', { 'user-agent': 'docshare-sandbox-webhooks/1' }],
])('%s cannot use the control routes', async (_, headers) => {
  expect(await statusOf('/_sandbox/keys', { headers })).toBe(403);
  expect(await statusOf('/_sandbox/events', { headers })).toBe(403);
  expect(await statusOf('/_sandbox/reset', { method: 'POST', headers })).toBe(403);
});

test('the console can use the control routes, and its page, which shows keys, rejects a rebound name', async () => {
  const own = { origin: sandbox.origin, 'sec-fetch-site': 'same-origin' };
  expect(await statusOf('/_sandbox/state', { headers: own })).toBe(200);
  const names = ['127.0.0.1', 'localhost', 'attacker.example'];
  const hosts = names.map((name) => new URL(sandbox.origin).host.replace('127.0.0.1', name));
  expect(await Promise.all(hosts.map((host) => statusOf('/', { headers: { host } })))).toEqual([200, 200, 403]);
});

test('the console page allows only its own code, styles and frames', async () => {
  const answer = await fetch(`${sandbox.origin}/`);
  const rules = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"];
  expect(answer.headers.get('content-security-policy')?.split('; ')).toEqual(expect.arrayContaining(rules));
  const text = await answer.text();
  expect(text).not.toMatch(/<[^>]+\s(?:on\w+|style)=/);
  expect(text).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
});

test('keys can be created, rotated and revoked', async () => {
  const { key } = (await control('POST', '/keys', { scopes: ['links:read'] })).body;
  const rotated = (await control('POST', '/keys/rotate', { key })).body.key;
  await control('POST', '/keys/revoke', { key: rotated });
  expect((await control('GET', '/keys')).body.slice(-2)).toMatchObject([
    { key, scopes: ['links:read'], revoked: true },
    { key: rotated, scopes: ['links:read'], revoked: true },
  ]);
  expect((await control('POST', '/keys', { scopes: ['links:all'] })).status).toBe(400);
});

test('profile, faults and clock can be set, and invalid values are rejected with a sentence', async () => {
  expect((await control('PUT', '/profile', { profile: 'legacy+errors=json' })).body.profile).toBe(
    'preset:legacy+errors=json',
  );
  expect(await control('PUT', '/profile', { profile: 'nosuch' })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('No profile "nosuch"') },
  });
  await control('PUT', '/profile', { profile: 'modern' });
  expect((await control('POST', '/faults', { path: '/links', status: 503, times: 1 })).body).toEqual([
    { path: '/links', status: 503, times: 1 },
  ]);
  expect((await control('POST', '/faults', { stauts: 503 })).status).toBe(400);
  expect((await control('DELETE', '/faults')).status).toBe(204);
  const before = sandbox.clock.now();
  expect((await control('POST', '/clock/advance', { ms: 60_000 })).body.now).toBe(before + 60_000);
});

const BELIEVED: readonly (readonly [string, string, string | Uint8Array])[] = [
  ['POST', '/keys', '{"scopes":["links:read"'],
  ['POST', '/keys', new Uint8Array([0x7b, 0xff, 0x7d])],
  ['POST', '/keys/revoke', '{"key":"dsk_0"}'],
  ['POST', '/clock/advance', '{"ms":1e30}'],
  ['POST', '/visits', '{"link":"nothing"}'],
  ['PUT', '/profile', '{"profile":"modern","preset":1}'],
  ['POST', '/faults', '{"headers":{"a":"b\\r\\nc: d"}}'],
  ['POST', '/reset', '{"hard":true}'],
];

test.each(BELIEVED)('%s %s rejects %s with a sentence and changes nothing', async (method, path, text) => {
  const [link] = sandbox.snapshot().state.links.keys();
  const now = sandbox.clock.now();
  const keys = (await control('GET', '/keys')).body;
  const body = typeof text === 'string' ? text.replace('LINK', link ?? '') : new Uint8Array(text);
  const response = await fetch(`${sandbox.origin}/_sandbox${path}`, { method, body });
  expect([response.status, await response.json()]).toEqual([400, { error: expect.stringMatching(/.{10}\S$/) }]);
  expect([sandbox.clock.now(), sandbox.faults.rules(), (await control('GET', '/keys')).body]).toEqual([now, [], keys]);
});

test('visits, signatures, snapshots and the log are available over HTTP', async () => {
  const store = (await control('GET', '/records')).body;
  const link = store.links.find((entry: { password_required: boolean }) => !entry.password_required);
  const [contact] = store.contacts;
  expect(contact).toMatchObject({ custom: {}, updated_at: contact.created_at });
  expect(store.visits).toContainEqual(expect.objectContaining({ page_count: 12, total_seconds: 323 }));
  const { id } = (await control('POST', '/snapshots')).body;
  const visits = store.visits.length;
  expect((await control('POST', '/visits', { link: link.id, email: 'v@example.com', pages: [2] })).body).toMatchObject({
    email: 'v@example.com',
    total_seconds: 2,
  });
  expect((await control('GET', '/state')).body.counts.visits).toBe(visits + 1);
  const sent = store.agreements.find(({ status }: { status: string }) => status === 'sent');
  expect((await control('POST', '/signatures', { agreement: sent.id })).body.status).toBe('signed');
  await control('POST', `/snapshots/${id}/restore`);
  expect((await control('GET', '/state')).body.counts.visits).toBe(visits);
  for (const path of ['/contacts', '/links', '/rooms']) await fetch(sandbox.url + path);
  const [previous, last] = (await control('GET', '/log')).body.slice(-2);
  expect([previous, last]).toMatchObject([
    { route: 'GET /links', status: 401 },
    { route: 'GET /rooms', status: 401 },
  ]);
  expect((await control('GET', `/log?after=${previous.id}`)).body).toEqual([last]);
  const end = { agreement: sent.id, status: 'voided' };
  expect((await control('POST', '/agreements/end', end)).body).toMatchObject({ id: sent.id, status: 'voided' });
  const { body } = await control('POST', '/deliveries/none/redeliver');
  expect(body).toEqual({ error: expect.stringContaining('No delivery with id "none"') });
});

test('requests are streamed as they happen', async () => {
  const response = await fetch(`${sandbox.origin}/_sandbox/events`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let told = '';
  await reader?.read();
  await fetch(`${sandbox.url}/templates`);
  while (!told.includes('\n\n') || !told.includes('request')) told += (await reader?.read())?.value ?? '';
  expect(told).toMatch(/event: request\ndata: \{.*"operation":"templates.list"/);
  await reader?.cancel();
});

function runMain(...args: string[]) {
  const child = spawn(process.execPath, [sandboxMain, ...args]);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      output[name] += chunk;
    });
  return { child, output };
}

test.each(['SIGINT', 'SIGTERM'] as const)('prints URL, key and its ready line, and ends on %s', async (signal) => {
  const { child, output } = runMain('--port', '0', '--profile', 'random:4', '--seed', '3');
  const [line] = await once(createInterface(child.stderr), 'line');
  const { event, url } = JSON.parse(line);
  expect(event).toBe('ready');
  const key = /dsk_\w+/.exec(output.stdout)?.[0];
  expect(output.stdout).toContain(url);
  expect((await fetch(`${url}/links`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the command reports a port in use', async () => {
  const port = new URL(sandbox.origin).port;
  const { child, output } = runMain('--port', port);
  expect((await once(child, 'exit'))[0]).toBe(1);
  expect(output.stderr).toBe(`Port ${port} is in use. Choose another with --port\n`);
});

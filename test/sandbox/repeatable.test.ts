import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts';
import { operations } from '../../src/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';

type Json = Record<string, string>;
const at = '2026-01-01T09:00Z';

/** 100 calls in a fixed order over API, storage, pages and control routes, with all responses. */
async function runSession(sandbox: Sandbox): Promise<string[]> {
  const key = sandbox.key();
  const responses: string[] = [];

  async function call(method: string, url: string, body?: object | string, headers: Json = {}) {
    const isApi = url.startsWith('/');
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    // One connection per call: the pool of `fetch` may keep one to a port that another run uses by then.
    const outgoing = request(isApi ? sandbox.url + url : url, {
      method,
      agent: false,
      headers: {
        ...(isApi && { authorization: `Bearer ${key}` }),
        ...(typeof body === 'object' && { 'content-type': 'application/json' }),
        ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
    });
    outgoing.end(text);
    const [response] = await once(outgoing, 'response');
    const bytes = await buffer(response);
    responses.push(JSON.stringify([method, url, response.statusCode, response.rawHeaders, bytes.toString('base64')]));
    if (responses.length % 60 === 0) await sandbox.clock.advance(60_000);
    return /json/.test(response.headers['content-type'] ?? '') ? JSON.parse(bytes.toString()) : response;
  }

  const control = (path: string, body?: object) =>
    call(body ? 'POST' : 'GET', `${sandbox.origin}/_sandbox${path}`, body);
  const form = (url: string, fields: Json) =>
    call('POST', url, new URLSearchParams(fields).toString(), { 'content-type': 'application/x-www-form-urlencoded' });

  for (let round = 0; round < 3; round++) {
    const started = await call('POST', '/documents/uploads', { filename: 'a.pdf' });
    await call('PUT', started.uploadUrl, `%PDF ${round}`, started.headers);
    const document = await call('POST', '/documents/uploads/finalize', started);
    const inline = await call('POST', '/documents', { name: `Inline ${round}`, content: 'aGVsbG8=' });
    const { download_url } = await call('GET', `/documents/${inline.id}`);
    await call('GET', download_url);
    const webhook = await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] });
    const link = await call('POST', '/links', { document_id: document.id, email_required: true });
    await call('GET', link.url);
    const opened = await form(link.url, { email: `v${round}@example.com` });
    await call('GET', new URL(opened.headers.location ?? '', sandbox.origin).href);
    await call('GET', `/analytics/links/${link.id}`);
    const agreement = await call('POST', '/agreements', { document_id: document.id, email: 'ada@example.com' });
    const { recipients } = await call('POST', `/agreements/${agreement.id}/send`);
    await call('GET', recipients[0].signing_url);
    await form(recipients[0].signing_url, { name: 'Ada', consent: 'on' });
    await call('GET', (await call('GET', `/agreements/${agreement.id}/document`)).url);
    const proposal = await call('POST', '/proposals', { name: 'P', email: 'ada@example.com' });
    await call('POST', `/proposals/${proposal.id}/send`);
    await form(proposal.url, {});
    const room = await call('POST', '/rooms', { name: `Room ${round}` });
    await call('POST', `/rooms/${room.id}/groups`, { name: 'G', emails: ['ada@example.com'] });
    await call('DELETE', `/webhooks/${webhook.id}`);
    await call('POST', '/contacts', { email: `c${round}@example.com` });
    await call('POST', '/links', { document_id: 'nothing' });
    await control('/keys', { scopes: ['links:read'] });
    await control('/clock/advance', { ms: 1000 });
    await sandbox.deliveries.settled();
    await control('/records');
    await control('/log');
  }
  for (const { operation } of operations) {
    const [method = '', path = ''] = operation.route.split(' ');
    if (method === 'GET' && !path.includes('{')) await call('GET', path);
  }
  while (responses.length < 200) await call('GET', `/links?limit=${(responses.length % 7) + 1}`);
  return responses;
}

async function run(options: SandboxOptions) {
  const sandbox = await createSandbox(options);
  return runSession(sandbox).finally(() => sandbox.close());
}

/** The same run again, after many changes and a reset. */
async function runTwice(options: SandboxOptions) {
  const sandbox = await createSandbox(options);
  try {
    const responses = await runSession(sandbox);
    sandbox.use('legacy');
    sandbox.faults.add({ probability: 0.5, status: 500, method: 'GET' });
    await sandbox.clock.advance(86_400_000);
    sandbox.reset();
    return { responses, again: await runSession(sandbox), port: Number(new URL(sandbox.origin).port) };
  } finally {
    await sandbox.close();
  }
}

test('two runs of 100 calls return the same bytes, and so does a run after a reset', async () => {
  const first = await runTwice({ seed: 42, at });
  expect(first.responses.length).toBeGreaterThanOrEqual(100);
  expect(first.again).toEqual(first.responses);
  expect(await run({ seed: 42, at, port: first.port })).toEqual(first.responses);
  expect(await run({ seed: 43, at, port: first.port })).not.toEqual(first.responses);
});

test('a reset repeats the bytes even without a seed, and two such sandboxes have different secrets', async () => {
  const first = await runTwice({ at });
  expect(first.again).toEqual(first.responses);
  const keys = await Promise.all(
    [{}, {}].map(async (options) => {
      const sandbox = await createSandbox(options);
      await sandbox.close();
      return sandbox.key();
    }),
  );
  expect(new Set(keys).size).toBe(2);
});

test('a given start time stops the clock', async () => {
  const sandbox = await closeAfterTest(createSandbox({ at }));
  expect(new Date(sandbox.clock.now()).toISOString()).toBe('2026-01-01T09:00:00.000Z');
  await sandbox.clock.advance(1e9);
  for (const ms of [1e30, Number.POSITIVE_INFINITY, Number.NaN, -1])
    await expect(sandbox.clock.advance(ms)).rejects.toThrow(RangeError);
  sandbox.reset();
  expect(new Date(sandbox.clock.now()).toISOString()).toBe('2026-01-01T09:00:00.000Z');
});

test('a reset deletes later keys, restores the first one and removes stored data', async () => {
  const sandbox = await closeAfterTest(createSandbox({ clock: 'manual' }));
  const first = sandbox.key();
  const later = sandbox.key(['links:read']);
  const get = async (key: string) =>
    (await fetch(`${sandbox.url}/links`, { headers: { authorization: `Bearer ${key}` } })).status;
  for (let count = 0; count < 120; count++) await get(first);
  expect([await get(first), await get(later)]).toEqual([429, 200]);
  sandbox.revoke(first);
  sandbox.reset();
  expect(sandbox.log.entries()).toEqual([]);
  expect([await get(first), await get(later)]).toEqual([200, 401]);
  expect(sandbox.key()).toBe(first);
  expect(sandbox.key(['links:read'])).toBe(later);
});

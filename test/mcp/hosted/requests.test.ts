import { request } from 'node:http';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { callAt, rpcAt } from '../../support/hosted-calls.ts';
import { authorizePath, createPkce, redeemCode, registerHost } from '../../support/hosted-oauth.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import { createPerson, tokensAt } from '../../support/hosted-visitor.ts';

const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(
  openHostedInProcess({ baseUrl: sandbox.url, args: ['--trust-proxy', '1', '--allow-origin', 'https://chat.example'] }),
);
const url = server.url;

/** Uses a raw request, because `fetch` cannot set Host and Origin. */
function statusOf(path: string, headers: Record<string, string>, method = 'GET', at = url): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, at), { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('an oversized request gets an OAuth error as a program and a page as a user', async () => {
  const body = `client_name=${'x'.repeat(100_000)}`;
  for (const path of ['/register', '/token', '/revoke']) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    expect([answer.status, await answer.json()], path).toMatchObject([413, { error: 'invalid_request' }]);
  }
  const { status, html } = await createPerson(url).post('/grants', { api_key: body });
  expect(status).toBe(413);
  expect(html).toContain('<h1>');
});

test('other websites cannot call the server unless they are configured', async () => {
  const ask = (origin: string, path = '/mcp') => statusOf(path, { origin }, 'POST');
  for (const path of ['/mcp', '/token', '/register', '/revoke']) {
    const foreign = await fetch(url + path, { method: 'POST', headers: { origin: 'https://evil.example' } });
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')], path).toEqual([403, null]);
  }
  expect(await ask('null')).toBe(403);
  expect(await ask('https://chat.example')).toBe(401);
  // Developer tools run on this computer.
  expect(await ask('http://localhost:6274')).toBe(401);
  const preflight = await fetch(`${url}/register`, {
    method: 'OPTIONS',
    headers: { origin: 'https://chat.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-origin')).toBe('https://chat.example');
});

test('chunked bodies are read like any other, up to the same maximum', async () => {
  const pieces = (text: string) =>
    new ReadableStream({
      start(stream) {
        for (let at = 0; at < text.length; at += 5000)
          stream.enqueue(new TextEncoder().encode(text.slice(at, at + 5000)));
        stream.close();
      },
    });
  const send = (path: string, text: string, headers = {}) =>
    fetch(url + path, { method: 'POST', body: pieces(text), duplex: 'half', headers } as RequestInit);
  const metadata = JSON.stringify({ redirect_uris: ['https://host.example/callback'] });
  expect((await send('/register', metadata)).status).toBe(201);
  expect((await send('/register', 'x'.repeat(100_000))).status).toBe(413);
  const { tokens } = await tokensAt(url, { key: sandbox.key() });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${tokens.access_token}`,
  };
  expect((await send('/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}', headers)).status).toBe(200);
  const tooLong = await send('/mcp', 'x'.repeat(9 * 1024 * 1024), headers);
  expect([tooLong.status, await tooLong.json()]).toMatchObject([413, { error: { code: -32_000 } }]);
  const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  expect((await send('/mcp', deep, headers)).status).toBe(400);
});

test.each(['schlüssel', 'a\r\nx-evil: 1', 'a\u0000b', 'x'.repeat(20_000), ''])(
  'a key with unusual characters is rejected with a sentence and never shown: %j',
  async (key) => {
    const person = createPerson(url);
    const page = await person.load(authorizePath(await registerHost(url)));
    const answer = await person.post('/authorize', { form: page.field('form'), api_key: key });
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('role="alert"');
    if (key.trim() !== '') expect(answer.html + server.log()).not.toContain(key.trim().slice(0, 200));
  },
);

test('guessing keys is rate-limited by the address that the proxy reports, whatever precedes it in the header', async () => {
  const host = await registerHost(url);
  const statuses = [];
  for (let at = 0; at < 40; at++) {
    const person = createPerson(url);
    const forwarded = { 'x-forwarded-for': `198.51.100.${at}, 203.0.113.7` };
    const page = await person.load(authorizePath(host));
    const answer = await person.post('/authorize', { form: page.field('form'), api_key: `guess-${at}` }, forwarded);
    statuses.push(answer.status);
  }
  expect(statuses.slice(0, 30).every((status) => status === 422)).toBe(true);
  expect(statuses.slice(30)).toEqual(Array(10).fill(429));
});

test('an app can change something only if the form allows it', async () => {
  const host = await registerHost(url);
  const person = createPerson(url);
  for (const changes of [[], ['maybe'], ['no', 'yes']]) {
    const { verifier, challenge } = createPkce();
    const first = await person.load(authorizePath(host, { code_challenge: challenge }));
    const second = await person.post('/authorize', { form: first.field('form'), api_key: sandbox.key() });
    const given = { form: second.field('form'), decision: 'allow', group: 'links', confirm: 'auto' };
    const choices = [...Object.entries(given), ...changes.map((value) => ['changes', value] as const)];
    const code = (await person.post('/authorize', choices)).back().searchParams.get('code') ?? '';
    const { body } = await redeemCode(url, host, { code, verifier });
    expect(body['scope'], JSON.stringify(changes)).toBe('links:read');
  }
});

test('two grants of one key do not share permissions', async () => {
  const key = sandbox.key();
  const wide = await tokensAt(url, { key });
  const narrow = await tokensAt(url, { key, groups: ['links'], readOnly: true });
  await callAt(url, wide.tokens.access_token, 'get_usage');
  const { data } = await callAt(url, narrow.tokens.access_token, 'whoami');
  expect(data['scopes']).toMatchObject({ granted: ['links:read'] });
  expect(data['mode']).toMatchObject({ read_only: true, groups: ['links'] });
  const listed = await rpcAt(url, narrow.tokens.access_token, 'tools/call', { name: 'get_usage', arguments: {} });
  expect(JSON.stringify(listed.body)).toMatch(/not found|unknown/i);
});

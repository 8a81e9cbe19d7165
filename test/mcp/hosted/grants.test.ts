/** What a sign-in allows and leaves behind, even if the app or the key changes meanwhile, and `/grants`, where the holder of a key can revoke it. Known hosts, rebuilt from their public documents. */
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { callAt, rpcAt } from '../../support/hosted-calls.ts';
import { authorizePath, registerHost } from '../../support/hosted-oauth.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import { createPerson, tokensAt } from '../../support/hosted-visitor.ts';
import { listenForFile } from '../../support/listen.ts';
import { texts } from '../texts.ts';

const sandbox = await closeAfterAll(createSandbox());
const DOCUMENTS: Record<string, { client_name: string; redirect_uris: string[] }> = {
  'https://claude.ai/oauth/claude-code-client-metadata': {
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  },
  'https://chatgpt.com/oauth/client.json': {
    client_name: 'ChatGPT',
    redirect_uris: [
      'https://chatgpt.com/connector_platform_oauth_redirect',
      'https://chatgpt.com/aip/g-1/oauth/callback',
    ],
  },
};

const { url } = await closeAfterAll(
  openHostedInProcess({
    baseUrl: sandbox.url,
    documents: { fetch: async (id) => ({ client_id: id, ...DOCUMENTS[id] }) },
  }),
);

const works = async (token: string) => (await rpcAt(url, token, 'tools/list')).status === 200;

/** Opens the page of a key's grants in a separate browser, and returns the ID of the grant on it. */
async function openGrants(key: string) {
  const person = createPerson(url);
  await person.load('/grants');
  const page = await person.post('/grants', { api_key: key });
  expect(page.html).not.toContain(key);
  return { person, visit: page.field('visit'), id: /name="end" value="([^"]+)"/.exec(page.html)?.[1] ?? '' };
}

test('a page that was opened with a key in one browser revokes nothing from another', async () => {
  const key = sandbox.key();
  const [{ tokens: kept }, { tokens }] = [await tokensAt(url, { key }), await tokensAt(url, { key })];
  const { person, visit, id } = await openGrants(key);
  const thief = createPerson(url);
  await thief.load('/grants');
  const fields = { visit, end: id };
  expect((await thief.post('/grants', fields)).status).toBe(403);
  expect(await works(tokens.access_token)).toBe(true);
  expect((await person.post('/grants', fields)).status).toBe(200);
  // The newest one is listed first.
  expect([await works(tokens.access_token), await works(kept.access_token)]).toEqual([false, true]);
});

test('the ID of another key’s grant and an unknown ID revoke nothing', async () => {
  const [mine, yours] = [sandbox.key(), sandbox.key()];
  const [own, other] = [await tokensAt(url, { key: mine }), await tokensAt(url, { key: yours })];
  const [{ person, visit }, { id }] = [await openGrants(mine), await openGrants(yours)];
  expect(id).not.toBe('');
  for (const more of [{ end: id }, { end: '' }, {}])
    expect((await person.post('/grants', { visit, ...more })).status).toBe(200);
  expect(await works(own.tokens.access_token)).toBe(true);
  expect(await works(other.tokens.access_token)).toBe(true);
});

test('a sign-in cannot weaken the confirmation mode or the read-only mode of the server', async () => {
  const strict = await closeAfterTest(openHostedInProcess({ baseUrl: sandbox.url, args: ['--confirm', 'always'] }));
  const modeOf = async (confirm: string, readOnly: boolean) => {
    const { tokens } = await tokensAt(strict.url, { key: sandbox.key(), confirm, readOnly });
    return (await callAt(strict.url, tokens.access_token, 'whoami')).data['mode'];
  };
  expect(await modeOf('off', false)).toMatchObject({ confirm: 'always', read_only: false });
  expect(await modeOf('auto', true)).toMatchObject({ confirm: 'always', read_only: true });
  const { tokens } = await tokensAt(url, { key: sandbox.key() });
  const args = ['--confirm', 'always', '--public-url', url];
  const restarted = await closeAfterTest(openHostedInProcess({ baseUrl: sandbox.url, args }));
  const { data } = await callAt(restarted.url, tokens.access_token, 'create_room', { name: 'Board' });
  expect(data).toMatchObject({ done: false, outcome: 'pending' });
});

test('responses that name an app, a person or a token cannot be cached', async () => {
  const { host, tokens } = await tokensAt(url, { key: sandbox.key() });
  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
  const redirects = JSON.stringify({ redirect_uris: [host.redirect] });
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: redirects };
  const refresh = { grant_type: 'refresh_token', client_id: host.clientId, refresh_token: tokens.refresh_token };
  const asked = authorizePath(await registerHost(url));
  for (const [path, init, status] of [
    ['/register', json, 201],
    ['/token', form(refresh), 200],
    ['/token', form({ ...refresh, refresh_token: 'forged' }), 400],
    ['/revoke', form({ token: tokens.access_token }), 200],
    [asked, {}, 200],
    ['/grants', {}, 200],
    ['/grants', form({ api_key: sandbox.key() }), 200],
  ] as const) {
    const answer = await fetch(url + path, init);
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, status, 'no-store']);
    await answer.text();
  }
});

/** Registrations, and the redirects that the same host then requests. */
const REGISTRATIONS: readonly (readonly [string, object, readonly string[]])[] = [
  [
    'Claude',
    {
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  ],
  [
    'Cursor',
    {
      redirect_uris: [
        'http://localhost:8787/callback',
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
      ],
      token_endpoint_auth_method: 'none',
    },
    ['http://localhost:8787/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'],
  ],
  [
    'Visual Studio Code',
    {
      client_uri: 'https://code.visualstudio.com',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    ['https://vscode.dev/redirect', 'http://127.0.0.1:33418/', 'http://127.0.0.1:51234/'],
  ],
];

describe.each(REGISTRATIONS)('%s registers itself', (name, metadata, redirects) => {
  test.each(redirects)('and is redirected to %s', async (redirect) => {
    const { clientId } = await registerHost(url, { client_name: name, ...metadata });
    const { tokens } = await tokensAt(url, { key: sandbox.key(), host: { clientId, redirect }, groups: ['links'] });
    expect((await rpcAt(url, tokens.access_token, 'tools/list')).status).toBe(200);
  });
});

test.each([
  ['https://claude.ai/oauth/claude-code-client-metadata', 'http://localhost:53211/callback', 'Not verified.'],
  [
    'https://chatgpt.com/oauth/client.json',
    'https://chatgpt.com/aip/g-1/oauth/callback',
    'Published by <strong>chatgpt.com/oauth/client.json',
  ],
])('%s is published, and the user sees this unless any program could ask (%s)', async (clientId, redirect, words) => {
  const host = { clientId, redirect };
  expect((await createPerson(url).load(authorizePath(host))).html).toContain(words);
  const { tokens } = await tokensAt(url, { key: sandbox.key(), host, groups: ['links'] });
  expect((await rpcAt(url, tokens.access_token, 'tools/list')).status).toBe(200);
});

test.each([
  ['http://localhost:1/other', 'another path'],
  ['http://[::1]:1/callback', 'another name of this computer'],
  ['https://localhost:1/callback', 'another scheme'],
  ['http://localhost:1@evil.example/callback', 'a name that only looks like it'],
])('the exception for local ports does not allow %s (%s)', async (redirect) => {
  const host = { clientId: 'https://claude.ai/oauth/claude-code-client-metadata', redirect };
  expect((await createPerson(url).load(authorizePath(host))).status).toBe(400);
});

test.each([undefined, '', url, `${url}/`, `${url}/mcp`, `${url}/mcp/`, `HTTP${url.slice('http'.length)}/mcp`])(
  'the resource %s is this server',
  async (resource) => {
    const { tokens } = await tokensAt(url, { key: sandbox.key(), query: { resource }, groups: ['links'] });
    expect((await rpcAt(url, tokens.access_token, 'tools/list')).status).toBe(200);
  },
);

// The last test, because no other key is accepted for a minute.
test('guessing keys is rate-limited', async () => {
  const person = createPerson(url);
  await person.load('/grants');
  let last = 0;
  for (let tries = 0; tries < 40 && last !== 429; tries += 1)
    last = (await person.post('/grants', { api_key: `guess-${tries}` })).status;
  expect(last).toBe(429);
});

const APP = 'https://app.example/client.json';
const KEY = 'key_of_the_sign_ins_1234567890';
let redirects = ['https://app.example/back'];
let isTaken = true;
/** This path always rejects the key. */
let brokenPath = '/nowhere';
/** A service of empty lists that accepts or rejects the key. */
const service = createServer((request, response) => {
  const takes = isTaken && !request.url?.includes(brokenPath);
  response
    .writeHead(takes ? 200 : 401, { 'content-type': 'application/json' })
    .end(JSON.stringify(takes ? { data: [] } : { error: { message: 'no such key' } }));
});
const server = await closeAfterAll(
  openHostedInProcess({
    baseUrl: `${await listenForFile(service)}/api/v1`,
    documents: { fetch: async () => ({ client_id: APP, client_name: 'App', redirect_uris: redirects }) },
  }),
);

test('an app that removes a redirect during a sign-in gets no response there', async () => {
  const host = { clientId: APP, redirect: redirects[0] ?? '' };
  const person = createPerson(server.url);
  const page = await person.load(authorizePath(host));
  expect(page.status).toBe(200);
  const fields = { form: page.field('form'), api_key: KEY };
  redirects = ['https://app.example/elsewhere'];
  const refused = await person.post('/authorize', fields);
  expect(refused.status).toBe(400);
  expect(refused.html).toContain(texts.longerRegistersRedirectUri);
  expect(refused.html).not.toContain('/back?');
  redirects = [host.redirect];
  expect((await person.post('/authorize', fields)).status).toBe(200);
});

test('a key that the service accepts again can sign in again, but its earlier sign-ins stay revoked', async () => {
  const before = await tokensAt(server.url, { key: KEY });
  isTaken = false;
  await callAt(server.url, before.tokens.access_token, 'list_links');
  const statusOf = async (token: string) => (await rpcAt(server.url, token, 'tools/list')).status;
  await expect.poll(() => statusOf(before.tokens.access_token)).toBe(401);
  isTaken = true;
  expect(await statusOf((await tokensAt(server.url, { key: KEY })).tokens.access_token)).toBe(200);
  expect(await statusOf(before.tokens.access_token)).toBe(401);
});

test('one endpoint that rejects the key does not end a sign-in, and new sign-ins with this key work', async () => {
  const { tokens } = await tokensAt(server.url, { key: KEY });
  brokenPath = '/contacts';
  await callAt(server.url, tokens.access_token, 'list_contacts');
  await callAt(server.url, tokens.access_token, 'list_contacts');
  const later = await tokensAt(server.url, { key: KEY });
  brokenPath = '/nowhere';
  for (const { access_token } of [tokens, later.tokens])
    expect((await rpcAt(server.url, access_token, 'tools/list')).status).toBe(200);
});

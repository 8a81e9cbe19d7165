/** What the doors of a hosted server tell everybody who comes by: its name, and what of its answers may be kept. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { type HostedServer, openHostedInProcess } from '../world/hosted-server.ts';
import { authorizePath, createPkce, registerHost, tokensAt } from '../world/hosted-visitor.ts';

let sandbox: Sandbox;
let server: HostedServer;
beforeAll(async () => {
  sandbox = await createSandbox();
  server = await openHostedInProcess({ baseUrl: sandbox.url });
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
});

/** By hand: `fetch` sends no Host of its own choice. */
function statusOf(headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL('/', server.url), { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}

test('where no proxy is trusted, a name that is said to be forwarded counts for nothing', async () => {
  const own = new URL(server.url).host;
  expect(await statusOf({ host: 'evil.example', 'x-forwarded-host': own })).toBe(421);
  expect(await statusOf({ host: own, 'x-forwarded-host': 'evil.example' })).toBe(200);
});

test('what names an app, a person or a token is kept by nobody on the way', async () => {
  const { url } = server;
  const { host, tokens } = await tokensAt(url, { key: sandbox.key() });
  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
  const redirects = JSON.stringify({ redirect_uris: [host.redirect] });
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: redirects };
  const refresh = {
    grant_type: 'refresh_token',
    client_id: host.clientId,
    refresh_token: tokens.refresh_token,
  };
  const { challenge } = createPkce();
  const asked = authorizePath(await registerHost(url), { code_challenge: challenge });
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

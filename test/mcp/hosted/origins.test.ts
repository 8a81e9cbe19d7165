/** Responses of a hosted server to everyone: access from other websites, and caching. */

import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/close-after.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import { authorizePath, callAt, createPkce, registerHost, tokensAt } from '../../support/hosted-visitor.ts';

const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(openHostedInProcess({ baseUrl: sandbox.url }));

test('a sign-in cannot weaken the confirmation mode or the read-only mode of the server', async () => {
  const strict = await closeAfterTest(openHostedInProcess({ baseUrl: sandbox.url, args: ['--confirm', 'always'] }));
  const modeOf = async (confirm: string, readOnly: boolean) => {
    const { tokens } = await tokensAt(strict.url, { key: sandbox.key(), confirm, readOnly });
    return (await callAt(strict.url, tokens.access_token, 'whoami')).data['mode'];
  };
  expect(await modeOf('off', false)).toMatchObject({ confirm: 'always', read_only: false });
  expect(await modeOf('auto', true)).toMatchObject({ confirm: 'always', read_only: true });
});

test('responses that name an app, a person or a token cannot be cached', async () => {
  const { url } = server;
  const { host, tokens } = await tokensAt(url, { key: sandbox.key() });
  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
  const redirects = JSON.stringify({ redirect_uris: [host.redirect] });
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: redirects };
  const refresh = { grant_type: 'refresh_token', client_id: host.clientId, refresh_token: tokens.refresh_token };
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

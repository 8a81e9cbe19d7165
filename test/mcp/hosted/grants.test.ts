/** What a sign-in allows and leaves behind: its modes, caching, and `/grants`, where the holder of a key can revoke it. */

import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import {
  authorizePath,
  callAt,
  createPerson,
  createPkce,
  registerHost,
  rpcAt,
  tokensAt,
} from '../../support/hosted-visitor.ts';

const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(openHostedInProcess({ baseUrl: sandbox.url }));
const url = server.url;

const works = async (token: string) => (await rpcAt(url, token, 'tools/list')).status === 200;

/** Opens the page of a key's grants in a separate browser, and returns the ID of the grant on it. */
async function openGrants(key: string) {
  const person = createPerson(url);
  await person.load('/grants');
  const page = await person.post('/grants', { api_key: key });
  return { person, visit: page.field('visit'), id: /name="end" value="([^"]+)"/.exec(page.html)?.[1] ?? '' };
}

test('a page that was opened with a key in one browser revokes nothing from another', async () => {
  const key = sandbox.key();
  const { tokens } = await tokensAt(url, { key });
  const { person, visit, id } = await openGrants(key);
  const thief = createPerson(url);
  await thief.load('/grants');
  const fields = { visit, end: id };
  expect((await thief.post('/grants', fields)).status).toBe(403);
  expect(await works(tokens.access_token)).toBe(true);
  expect((await person.post('/grants', fields)).status).toBe(200);
  expect(await works(tokens.access_token)).toBe(false);
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
});

test('responses that name an app, a person or a token cannot be cached', async () => {
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

// The last test, because no other key is accepted for a minute.
test('guessing keys is rate-limited', async () => {
  const person = createPerson(url);
  await person.load('/grants');
  let last = 0;
  for (let tries = 0; tries < 40 && last !== 429; tries += 1)
    last = (await person.post('/grants', { api_key: `guess-${tries}` })).status;
  expect(last).toBe(429);
});

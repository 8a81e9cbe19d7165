/** Changes between two steps of a sign-in, or between two sign-ins, at the app and at the service. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { closeAfterAll } from '../../support/cleanup.ts';
import { callAt, rpcAt } from '../../support/hosted-calls.ts';
import { authorizePath } from '../../support/hosted-oauth.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import { createPerson, tokensAt } from '../../support/hosted-visitor.ts';
import { listenForFile } from '../../support/listen.ts';
import { texts } from '../texts.ts';

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

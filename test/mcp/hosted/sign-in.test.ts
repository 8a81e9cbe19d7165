import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { SCOPES } from '../../../src/index.ts';
import { closeAfterAll } from '../../support/close-after.ts';
import { openHostedProcess } from '../../support/hosted-server.ts';
import {
  CALLBACK,
  callAt,
  postForm,
  refreshAt,
  registerHost,
  rpcAt,
  signInAt,
  tokensAt,
  toolNamesAt,
} from '../../support/hosted-visitor.ts';
import { tools as menu } from '../../support/mcp-parts.ts';

const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(openHostedProcess({ baseUrl: sandbox.url }));
const url = server.url;

test('without a token the endpoint names the sign-in URL and the scopes', async () => {
  const { status, headers } = await rpcAt(url, undefined, 'tools/list');
  expect(status).toBe(401);
  const challenge = headers.get('www-authenticate') ?? '';
  expect(challenge).toContain(`scope="${SCOPES.join(' ')}"`);
  const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
  const resource = await (await fetch(metadata)).json();
  expect(resource).toMatchObject({ resource: `${url}/mcp`, authorization_servers: [url] });
  const found = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();
  expect(found).toMatchObject({
    issuer: url,
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
  // §2.1 of the protocol: refreshing tokens is not a scope of the resource.
  expect(JSON.stringify([resource, found])).not.toContain('offline_access');
});

test('a user signs a host in, which then calls with the complete menu', async () => {
  const { tokens } = await tokensAt(url, { key: sandbox.key() });
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 8 * 60 * 60, scope: SCOPES.join(' ') });
  expect(await toolNamesAt(url, tokens.access_token)).toHaveLength(menu.length);
  const { data } = await callAt(url, tokens.access_token, 'get_usage');
  expect(data).toMatchObject({ documents: expect.any(Number) });
});

test('the menu contains what the user ticked', async () => {
  const key = sandbox.key();
  const { tokens } = await tokensAt(url, { key, groups: ['documents', 'webhooks'], readOnly: true });
  expect(tokens.scope).toBe('documents:read webhooks:write');
  expect(await toolNamesAt(url, tokens.access_token)).toEqual([
    'list_documents',
    'get_document',
    'list_document_pages',
    'list_webhooks',
    'review_exposure',
    'find',
    'get',
    'whoami',
  ]);
});

test('the response contains state and issuer, and the code never appears beside a key', async () => {
  const key = sandbox.key();
  const { back, pages } = await signInAt(url, await registerHost(url), { key });
  expect(back.href).toContain(`${CALLBACK}?code=`);
  expect(back.searchParams.get('state')).toBe('state-1');
  expect(back.searchParams.get('iss')).toBe(url);
  for (const { html } of pages) expect(html).not.toContain(key);
  expect(server.log()).not.toContain(key);
});

test('a code works once, and a second use revokes the tokens of the first', async () => {
  const host = await registerHost(url);
  const { code, verifier } = await signInAt(url, host, { key: sandbox.key() });
  const exchange = () =>
    postForm(url, '/token', {
      grant_type: 'authorization_code',
      client_id: host.clientId,
      redirect_uri: host.redirect,
      code,
      code_verifier: verifier,
    });
  const first = await exchange();
  expect(first.status).toBe(200);
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect((await rpcAt(url, String(first.body['access_token']), 'tools/list')).status).toBe(401);
});

test('five simultaneous refreshes with one token all work', async () => {
  const { host, tokens } = await tokensAt(url, { key: sandbox.key() });
  const answers = await Promise.all(Array.from({ length: 5 }, () => refreshAt(url, host, tokens.refresh_token)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  for (const { body } of answers)
    expect((await rpcAt(url, String(body['access_token']), 'tools/list')).status).toBe(200);
});

test('a revoked token no longer works, nor does its pair', async () => {
  const { host, tokens } = await tokensAt(url, { key: sandbox.key() });
  const revoked = await postForm(url, '/revoke', { token: tokens.refresh_token, client_id: host.clientId });
  expect(revoked.status).toBe(200);
  expect((await rpcAt(url, tokens.access_token, 'tools/list')).status).toBe(401);
  expect((await refreshAt(url, host, tokens.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
});

test('a key that the service no longer accepts ends the grant', async () => {
  const key = sandbox.key();
  const { host, tokens } = await tokensAt(url, { key });
  sandbox.revoke(key);
  const { data } = await callAt(url, tokens.access_token, 'get_usage');
  expect(data).toMatchObject({ error: { code: 'authentication_failed' } });
  // The server tries the key once more first.
  await expect.poll(async () => (await rpcAt(url, tokens.access_token, 'tools/list')).status).toBe(401);
  expect((await refreshAt(url, host, tokens.refresh_token)).status).toBe(400);
});

import { request } from 'node:http';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { SCOPES } from '../../../src/index.ts';
import { readPeakMiB } from '../../../tools/peak-memory.ts';
import { closeAfterAll, createFolderForFile } from '../../support/cleanup.ts';
import { callAt, postForm, rpcAt, toolNamesAt } from '../../support/hosted-calls.ts';
import { CALLBACK, redeemCode, refreshAt, registerHost } from '../../support/hosted-oauth.ts';
import { openHostedProcess, SECRET } from '../../support/hosted-server.ts';
import { createPerson, signInAt, tokensAt } from '../../support/hosted-visitor.ts';

const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(openHostedProcess({ baseUrl: sandbox.url, args: ['--log-level', 'debug'] }));
const url = server.url;
const pathOf = (address: unknown) => new URL(String(address)).pathname;

test('without a token the endpoint names the sign-in URL and the scopes', async () => {
  const { status, headers } = await rpcAt(url, undefined, 'tools/list');
  expect(status).toBe(401);
  const challenge = headers.get('www-authenticate') ?? '';
  expect(challenge).toContain(`scope="${SCOPES.join(' ')}"`);
  const resource = await (await fetch(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '')).json();
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

test('the menu contains what the user ticked', async () => {
  const { tokens } = await tokensAt(url, { key: sandbox.key(), groups: ['documents', 'webhooks'], readOnly: true });
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

test('the browser of a sign-in can answer for its host, and another browser is asked for the key', async () => {
  const person = createPerson(url);
  const { tokens } = await tokensAt(url, { key: sandbox.key(), person });
  const { data } = await callAt(url, tokens.access_token, 'delete_link', { id: 'none' });
  const path = pathOf(data['confirm_url']);
  expect((await createPerson(url).load(path)).html).toContain('Confirm it’s you');
  expect((await person.load(path)).html).toContain('Approve this action?');
  expect(await person.answer(path, 'approve')).toBe('Approved');
  const { isError } = await callAt(url, tokens.access_token, 'delete_link', { id: 'none' });
  expect(isError).toBe(true);
  expect(sandbox.log.entries().filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  expect(server.log()).not.toContain(path.slice(-43));
});

test('the instructions name the page, and neither tokens nor paths', async () => {
  const { tokens } = await tokensAt(url, { key: sandbox.key() });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const { result } = (await rpcAt(url, tokens.access_token, 'initialize', params)).body as {
    result: { instructions: string };
  };
  expect(result.instructions).toContain('confirm_url');
  expect(result.instructions).not.toMatch(/confirm_token|path,/);
  expect(result.instructions.length).toBeLessThan(2048);
});

test('a file larger than any form can be uploaded, and its URL ends with the grant', async () => {
  const { tokens } = await tokensAt(url, { key: sandbox.key() });
  const first = await callAt(url, tokens.access_token, 'upload_document', { name: 'Large' });
  const body = Buffer.alloc(9_000_000, 'x');
  const put = await fetch(String(first.data['upload_url']), { method: 'PUT', body });
  expect([put.status, await put.json()]).toMatchObject([201, { size_bytes: 9_000_000 }]);
  const { data } = await callAt(url, tokens.access_token, 'upload_document', { hand_over: first.data['hand_over'] });
  expect(data).toMatchObject({ done: true, name: 'Large' });
  const next = await callAt(url, tokens.access_token, 'upload_document', { name: 'Next' });
  const body2 = new URLSearchParams({ token: tokens.access_token });
  expect((await fetch(`${url}/revoke`, { method: 'POST', body: body2 })).status).toBe(200);
  expect((await fetch(String(next.data['upload_url']), { method: 'PUT', body: 'x' })).status).toBe(404);
});

test('the server uses little memory for an upload of 200 MB', async () => {
  const { tokens } = await tokensAt(url, { key: sandbox.key() });
  const { data } = await callAt(url, tokens.access_token, 'upload_document', { name: 'Huge' });
  const total = 200 * 1024 * 1024;
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  const outgoing = request(String(data['upload_url']), { method: 'PUT', headers: { 'content-length': String(total) } });
  const status = new Promise((resolve, reject) => {
    outgoing.on('response', (response) => resolve(response.resume().statusCode));
    outgoing.on('error', reject);
  });
  for (let sent = 0; sent < total; sent += chunk.byteLength)
    if (!outgoing.write(chunk)) await new Promise((resolve) => outgoing.once('drain', resolve));
  outgoing.end();
  expect(await status).toBe(201);
  // As reported by Linux; other systems do not measure the peak of a process.
  expect(readPeakMiB(server.pid)).toBeLessThan(260);
});

const NEW_SECRET = 'Vt3k9QmZ0xLr7WbN5cYd8HsJ2fGp4AeUo6iTq1RvKwX';
const folder = createFolderForFile('docshare-replicas-');

/** Both are behind one public URL, as behind a proxy: its host name is in each request. */
const PUBLIC = 'http://localhost:4999';
const open = (secrets = SECRET) =>
  openHostedProcess({
    baseUrl: sandbox.url,
    args: ['--public-url', PUBLIC, '--state', folder],
    env: { DOCSHARE_SECRETS: secrets },
  });

const one = await closeAfterAll(open());
const other = await closeAfterAll(open());

/** Pages post to the public URL; a proxy in front of the replicas would keep the origin. */
const personAt = (url: string) => {
  const person = createPerson(url);
  return {
    ...person,
    post: (path: string, fields: Parameters<typeof person.post>[1]) => person.post(path, fields, { origin: PUBLIC }),
  };
};

const signedIn = async (key: string) => tokensAt(one.url, { key, person: personAt(one.url) });

test('a sign-in at one replica can call and refresh at the other', async () => {
  const host = await registerHost(one.url);
  const { code, verifier } = await signInAt(one.url, host, { key: sandbox.key(), person: personAt(one.url) });
  const { body } = await redeemCode(other.url, host, { code, verifier });
  expect((await callAt(one.url, String(body['access_token']), 'get_usage')).isError).toBe(false);
  expect((await refreshAt(one.url, host, String(body['refresh_token']))).status).toBe(200);
  // A code works once across all replicas.
  expect((await redeemCode(one.url, host, { code, verifier })).body).toMatchObject({ error: 'invalid_grant' });
  expect((await rpcAt(other.url, String(body['access_token']), 'tools/list')).status).toBe(401);
});

test('a revocation applies at both replicas, and simultaneous refreshes at both succeed', async () => {
  const { host, tokens } = await signedIn(sandbox.key());
  const answers = await Promise.all(
    [one, other, one, other].map(({ url }) => refreshAt(url, host, tokens.refresh_token)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await postForm(other.url, '/revoke', { token: String(answers[0]?.body['access_token']) });
  for (const { url } of [one, other])
    expect((await rpcAt(url, String(answers[1]?.body['access_token']), 'tools/list')).status).toBe(401);
});

test('a secret can be replaced without signing anyone out', async () => {
  const key = sandbox.key();
  const { host, tokens } = await signedIn(key);
  const next = await open(`${NEW_SECRET},${SECRET}`);
  expect((await rpcAt(next.url, tokens.access_token, 'tools/list')).status).toBe(200);
  const refreshed = await refreshAt(next.url, host, tokens.refresh_token);
  expect(refreshed.status).toBe(200);
  const page = await personAt(next.url).post('/grants', { api_key: key });
  expect([...page.html.matchAll(/name="end"/g)]).toHaveLength(1);
  const last = await open(NEW_SECRET);
  expect((await rpcAt(last.url, String(refreshed.body['access_token']), 'tools/list')).status).toBe(200);
  expect((await rpcAt(last.url, tokens.access_token, 'tools/list')).status).toBe(401);
  await Promise.all([next.close(), last.close()]);
});

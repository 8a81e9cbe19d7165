import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, createFolderForFile } from '../../support/cleanup.ts';
import { callAt, postForm, rpcAt } from '../../support/hosted-calls.ts';
import { redeemCode, refreshAt, registerHost } from '../../support/hosted-oauth.ts';
import { openHostedProcess, SECRET } from '../../support/hosted-server.ts';
import { createPerson, signInAt, tokensAt } from '../../support/hosted-visitor.ts';

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

const sandbox = await closeAfterAll(createSandbox());
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

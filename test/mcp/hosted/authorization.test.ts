import { beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { SCOPES } from '../../../src/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { callAt, postForm, postJson, rpcAt } from '../../support/hosted-calls.ts';
import {
  authorizePath,
  CALLBACK,
  createPkce,
  redeemCode,
  refreshAt,
  registerHost,
} from '../../support/hosted-oauth.ts';
import { openHostedInProcess, SECRET } from '../../support/hosted-server.ts';
import { createPerson, signInAt, tokensAt } from '../../support/hosted-visitor.ts';

/** Moves the server's clock, until the test ends. */
let ahead = 0;
beforeEach(() => {
  ahead = 0;
});
const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(openHostedInProcess({ baseUrl: sandbox.url, now: () => Date.now() + ahead }));
const url = server.url;
const MINUTE_MS = 60_000;

test.each([
  ['another redirect', { redirect_uri: 'https://evil.example/callback' }],
  ['a redirect that begins like the registered one', { redirect_uri: `${CALLBACK}.evil.example` }],
  ['a redirect with an additional query', { redirect_uri: `${CALLBACK}?x=1` }],
  ['a forged client', { client_id: 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..a.b.c' }],
  ['an unknown client', { client_id: 'claude' }],
  ['no client', { client_id: '' }],
  ['a document at a private address', { client_id: 'https://169.254.169.254/latest/meta-data' }],
  ['a document on this machine', { client_id: 'https://127.0.0.1/client.json' }],
  ['a document URL with ".."', { client_id: 'https://host.example/a/../client.json' }],
  ['a document URL with a password', { client_id: 'https://a:b@host.example/client.json' }],
])('an untrusted authorization request shows no sign-in and redirects nowhere: %s', async (_, query) => {
  const page = await createPerson(url).load(authorizePath(await registerHost(url), query));
  expect(page.status).toBe(400);
  expect(page.html).toContain('Unknown app');
  expect(page.html).not.toMatch(/evil\.example|api_key|id="back"/);
});

describe('an unsupported request returns an error to the host through a link that the user follows', () => {
  const challenge = createPkce().challenge;
  test.each([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['a token response', { code_challenge: challenge, response_type: 'token' }, 'unsupported_response_type'],
    ['another resource', { code_challenge: challenge, resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['another path of this server', { code_challenge: challenge, resource: `${url}/other` }, 'invalid_target'],
    ['a resource without a scheme', { code_challenge: challenge, resource: new URL(url).host }, 'invalid_target'],
    ['a response in the fragment', { code_challenge: challenge, response_mode: 'fragment' }, 'invalid_request'],
    ['no user interaction', { code_challenge: challenge, prompt: 'none' }, 'interaction_required'],
  ])('%s', async (_, query, error) => {
    const page = await createPerson(url).load(authorizePath(await registerHost(url), query));
    expect(page.status).toBe(400);
    expect(page.html).not.toContain('http-equiv="refresh"');
    const back = page.back();
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([error, 'state-1']);
    expect(back.searchParams.get('iss')).toBe(url);
  });

  test('a duplicate parameter', async () => {
    const path = authorizePath(await registerHost(url), { code_challenge: challenge });
    const page = await createPerson(url).load(`${path}&response_type=code`);
    expect(page.back().searchParams.get('error')).toBe('invalid_request');
  });
});

test('a consent form gives one code, however often and late it is sent, with the last choices before it is used', async () => {
  const host = await registerHost(url);
  const person = createPerson(url);
  const { verifier, challenge } = createPkce();
  const first = await person.load(authorizePath(host, { code_challenge: challenge }));
  const second = await person.post('/authorize', { form: first.field('form'), api_key: sandbox.key() });
  const allow = async (group: string) => {
    const choices = { form: second.field('form'), decision: 'allow', group };
    return (await person.post('/authorize', choices)).back().searchParams.get('code') ?? '';
  };
  const code = await allow('documents');
  // The answer was lost, and the person retries late.
  ahead = 3 * MINUTE_MS;
  expect([await allow('links'), await allow('documents')]).toEqual([code, code]);
  // They went back to change their choices before the app had the code.
  expect((await redeemCode(url, host, { code, verifier })).body['scope']).toMatch(/^documents:/);
  expect(await allow('links')).toBe(code);
  expect((await redeemCode(url, host, { code, verifier })).body).toMatchObject({ error: 'invalid_grant' });
});

describe('a code is rejected for', () => {
  test.each([
    ['another verifier', { code_verifier: createPkce().verifier }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another redirect', { redirect_uri: 'https://host.example/other' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['a forged code', { code: 'x'.repeat(43) }, 'invalid_grant'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no client', { client_id: '' }, 'invalid_request'],
  ])('%s', async (_, wrong, error) => {
    const host = await registerHost(url);
    const { code, verifier } = await signInAt(url, host, { key: sandbox.key() });
    const answer = await redeemCode(url, host, { code, verifier, ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { error } });
    // A failed attempt does not use up the code.
    expect((await redeemCode(url, host, { code, verifier })).status).toBe(200);
  });

  test('another client, a forged one, and if it is three minutes old', async () => {
    const host = await registerHost(url);
    const { code, verifier } = await signInAt(url, host, { key: sandbox.key() });
    const other = await redeemCode(url, await registerHost(url), { code, verifier });
    const forged = await redeemCode(url, host, { code, verifier, client_id: `${host.clientId}x` });
    ahead = 3 * MINUTE_MS;
    const late = await redeemCode(url, host, { code, verifier });
    expect([other, forged, late]).toMatchObject([
      { status: 400, body: { error: 'invalid_grant' } },
      { status: 401, body: { error: 'invalid_client' } },
      { status: 400, body: { error: 'invalid_grant' } },
    ]);
  });
});

describe('tokens', () => {
  test('an access token expires as stated and works only as an access token', async () => {
    const { host, tokens } = await tokensAt(url, { key: sandbox.key() });
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 8 * 60 * 60, scope: SCOPES.join(' ') });
    expect((await refreshAt(url, host, tokens.access_token)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await rpcAt(url, tokens.refresh_token, 'tools/list')).status).toBe(401);
    ahead = 8 * 60 * MINUTE_MS + 1000;
    expect((await rpcAt(url, tokens.access_token, 'tools/list')).status).toBe(401);
    expect((await refreshAt(url, host, tokens.refresh_token)).status).toBe(200);
  });

  test('of another public URL are rejected, even if the same secrets sealed them', async () => {
    const other = await closeAfterTest(
      openHostedInProcess({ baseUrl: sandbox.url, env: { DOCSHARE_SECRETS: SECRET } }),
    );
    const { tokens } = await tokensAt(other.url, { key: sandbox.key() });
    expect((await rpcAt(other.url, tokens.access_token, 'tools/list')).status).toBe(200);
    expect((await rpcAt(url, tokens.access_token, 'tools/list')).status).toBe(401);
  });

  test('a key of the service is not a token', async () => {
    expect((await rpcAt(url, sandbox.key(), 'tools/list')).status).toBe(401);
  });

  test('reuse of a refresh token that was replaced earlier ends the grant', async () => {
    const { host, tokens } = await tokensAt(url, { key: sandbox.key() });
    const second = await refreshAt(url, host, tokens.refresh_token);
    ahead = 2 * MINUTE_MS;
    const late = await refreshAt(url, host, tokens.refresh_token);
    const last = await refreshAt(url, host, String(second.body['refresh_token']));
    const call = await rpcAt(url, String(second.body['access_token']), 'tools/list');
    expect([late.status, last.status, call.status]).toEqual([400, 400, 401]);
  });

  test('of a chain that two windows refresh within a minute all work, whichever window has them', async () => {
    const { host, tokens } = await tokensAt(url, { key: sandbox.key() });
    const chain = [tokens.refresh_token];
    for (let turn = 0; turn < 4; turn++) {
      ahead = turn * 14_000;
      chain.push(String((await refreshAt(url, host, String(chain.at(-1)))).body['refresh_token']));
    }
    // The other window still has the first token.
    const statuses = [];
    for (const token of [...chain].reverse()) statuses.push((await refreshAt(url, host, token)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    // The first token was replaced over a minute ago, the next one was not.
    ahead = 61_000;
    expect((await refreshAt(url, host, String(chain[1]))).status).toBe(200);
    const late = await refreshAt(url, host, String(chain[0]));
    const last = await refreshAt(url, host, String(chain.at(-1)));
    expect([late.status, last.status]).toEqual([400, 400]);
  });

  test('refreshing extends a sign-in in use, and one that is unused for 60 days expires', async () => {
    const { host, tokens } = await tokensAt(url, { key: sandbox.key() });
    const days = 24 * 60 * MINUTE_MS;
    ahead = 50 * days;
    const second = await refreshAt(url, host, tokens.refresh_token);
    ahead = 100 * days;
    const third = await refreshAt(url, host, String(second.body['refresh_token']));
    ahead = 161 * days;
    const fourth = await refreshAt(url, host, String(third.body['refresh_token']));
    expect([second.status, third.status, fourth.status]).toEqual([200, 200, 400]);
  });

  test('of another client, or with more scopes than allowed, cannot be refreshed', async () => {
    const { host, tokens } = await tokensAt(url, { key: sandbox.key(), groups: ['links'] });
    const other = await registerHost(url);
    expect((await refreshAt(url, other, tokens.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    const more = { grant_type: 'refresh_token', client_id: host.clientId, refresh_token: tokens.refresh_token };
    const answer = await postForm(url, '/token', { ...more, scope: 'links:read billing:read' });
    expect(answer.body).toMatchObject({ error: 'invalid_scope' });
    expect((await postForm(url, '/token', { ...more, scope: ' links:read  links:read ' })).body['scope']).toBe(
      'links:read',
    );
    expect((await postForm(url, '/revoke', { token: tokens.refresh_token, client_id: other.clientId })).status).toBe(
      401,
    );
    expect((await rpcAt(url, tokens.access_token, 'tools/list')).status).toBe(200);
  });

  test('a simultaneous refresh and revocation leave no valid token', async () => {
    const { host, tokens } = await tokensAt(url, { key: sandbox.key() });
    const answers = await Promise.all([
      refreshAt(url, host, tokens.refresh_token),
      postForm(url, '/revoke', { token: tokens.refresh_token, client_id: host.clientId }),
      refreshAt(url, host, tokens.refresh_token),
    ]);
    const statuses = [tokens.access_token, ...answers.flatMap(({ body }) => body['access_token'] ?? [])].map(
      async (token) => (await rpcAt(url, String(token), 'tools/list')).status,
    );
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([401]));
    expect((await refreshAt(url, host, tokens.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  });
});

test('actions that the user did not tick are rejected, whichever tool is called', async () => {
  const { tokens } = await tokensAt(url, { key: sandbox.key(), groups: ['links'] });
  const shared = await callAt(url, tokens.access_token, 'share_document', { url: 'https://host.example/a.pdf' });
  expect(shared.data).toMatchObject({ error: { code: expect.stringMatching(/not_allowed|invalid_arguments/) } });
  const read = await rpcAt(url, tokens.access_token, 'resources/read', { uri: 'docshare://documents/doc_1' });
  expect(JSON.stringify(read.body)).toContain('error');
  const found = await callAt(url, tokens.access_token, 'find', { text: 'deck' });
  expect(Object.keys(found.data['searched'] as object)).toEqual(['links']);
});

test('a sign-in that may not read links can create personal ones', async () => {
  const person = createPerson(url);
  const { tokens } = await tokensAt(url, { key: sandbox.key(), person, query: { scope: 'links:write' } });
  const [document_id] = sandbox.snapshot().state.documents.keys();
  const args = { document_id, recipients: ['ann@acme.example'] };
  const create = async () => (await callAt(url, tokens.access_token, 'create_personal_links', args)).data;
  expect(await person.answer(String((await create())['confirm_url']), 'approve')).toBe('Approved');
  const note = expect.stringContaining('Not all links could be read');
  expect(await create()).toMatchObject({ approved_by: 'page', items: [{ email: 'ann@acme.example' }], note });
});

test.each([
  ['enterprise', ['links:read'], 200, 'Key accepted'],
  ['gateway', undefined, 422, 'key isn’t valid'],
] as const)('with the profile %s, the scopes %j lead to %i and "%s"', async (profile, scopes, status, words) => {
  const service = await closeAfterTest(createSandbox({ profile }));
  const server = await closeAfterTest(openHostedInProcess({ baseUrl: service.url }));
  const person = createPerson(server.url);
  const first = await person.load(authorizePath(await registerHost(server.url)));
  const fields = { form: first.field('form'), api_key: scopes ? service.key(scopes) : 'sk_mistyped_1234567890' };
  const page = await person.post('/authorize', fields);
  expect(page.status).toBe(status);
  expect(page.html).toContain(words);
});

test('a scope that the host did not request is requested once', async () => {
  const host = await registerHost(url);
  const query = { scope: 'links:read openid' };
  const { tokens } = await tokensAt(url, { key: sandbox.key(), host, query });
  expect(tokens.scope).toBe('links:read');
  const asked = await callAt(url, tokens.access_token, 'get_usage');
  expect(asked.status).toBe(403);
  expect(asked.headers.get('www-authenticate')).toMatch(
    /error="insufficient_scope".*scope="billing:read links:read".*resource_metadata="/,
  );
  // The user unticks the scope: it leaves the menu, and the browser is not opened again.
  const narrowed = { key: sandbox.key(), host, groups: ['links'], query: { scope: 'links:read billing:read' } };
  const { tokens: second } = await tokensAt(url, narrowed);
  expect((await callAt(url, second.access_token, 'get_usage')).status).toBe(200);
});

test('a form of another page, browser or time is rejected', async () => {
  const path = authorizePath(await registerHost(url));
  const [person, other] = [createPerson(url), createPerson(url)];
  const page = await person.load(path);
  await other.load(path);
  const fields = { form: page.field('form'), api_key: sandbox.key() };
  expect((await other.post('/authorize', fields)).status).toBe(403);
  expect((await person.post('/authorize', fields, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await person.post('/authorize', fields, { origin: 'null' })).status).toBe(403);
  expect((await person.post('/authorize', fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  ahead = 61 * MINUTE_MS;
  expect((await person.post('/authorize', fields)).status).toBe(403);
  ahead = 0;
  expect((await person.post('/authorize', fields)).status).toBe(200);
});

test('names are shown as text, whatever they contain', async () => {
  const name = '</h1><script>alert(1)</script>\u202Eedualc\u0000\u200B&quot;';
  const page = await createPerson(url).load(authorizePath(await registerHost(url, { client_name: name })));
  expect(page.html).not.toContain('<script>alert');
  for (const hidden of ['\u202E', '\u200B', '\u0000']) expect(page.html).not.toContain(hidden);
  expect(page.html).toContain('&lt;/h1&gt;&lt;script&gt;');
  const long = await registerHost(url, { client_name: 'A'.repeat(100_00) });
  expect((await createPerson(url).load(authorizePath(long))).html).toContain(`${'A'.repeat(59)}…`);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'http://host.example/callback',
  'http://localhost.evil.example/',
  'https://host.example/#x',
  'https://a:b@host.example/',
  'https://host.example/\u0000',
  'microsoft-edge:https://host.example/',
  'smb://host.example/x',
  '//host.example/callback',
  'https:evil.example/cb',
  'https:/evil.example/cb',
  'http:localhost/cb',
  '',
  42,
])('no client redirects to %j', async (redirect) => {
  const { status, body } = await postJson(url, '/register', { redirect_uris: [redirect] });
  expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri']);
});

test.each(['{', '[]', 'null', '"x"', '{}', '{"redirect_uris":[]}', '{"redirect_uris":{}}'])(
  'a registration that is %s is rejected',
  async (body) => expect((await postJson(url, '/register', body)).status).toBe(400),
);

test('long redirects and clients are rejected, and many registrations leave nothing behind', async () => {
  const wide = Array.from({ length: 12 }, (_, at) => `https://host.example/${at}${'x'.repeat(900)}`);
  expect(await postJson(url, '/register', { redirect_uris: wide })).toMatchObject({
    status: 400,
    body: { error: 'invalid_redirect_uri' },
  });
  expect((await createPerson(url).load(`/authorize?client_id=${'x'.repeat(10_000)}`)).status).toBe(400);
  const many = await Promise.all(
    Array.from({ length: 400 }, () => postJson(url, '/register', { redirect_uris: [CALLBACK] })),
  );
  // Above the limit per address, attempts are rejected for a minute with an OAuth error.
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([201, 429]));
});

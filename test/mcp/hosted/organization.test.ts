import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import {
  ClientCredentialsProvider as LegacyCredentials,
  PrivateKeyJwtProvider,
} from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { exportJWK, type JWTPayload, SignJWT } from 'jose';
import { expect, test, vi } from 'vitest';
import { runSealCommand } from '../../../mcp/hosted/organization/seal-command.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { AGENT, APP, APP_FORM, type Json, openCompany } from '../../support/company.ts';
import { openRemote } from '../../support/hosted-host.ts';
import { SECRET } from '../../support/hosted-server.ts';
import { readJsonLines } from '../../support/read-json-lines.ts';

async function connect(url: string, accessToken: unknown): Promise<Client> {
  const client = await closeAfterTest(new Client({ name: 'test', version: '1' }));
  const authProvider = { token: async () => String(accessToken) };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider }));
  return client;
}

type Company = Awaited<ReturnType<typeof openCompany>>;
/** A host that answers forms, with this token, and its deletion of a link. */
async function openWithForm({ server, sandbox }: Company, { access_token }: Json, form: () => unknown) {
  const [kind, url] = ['sdk 2.x modern', new URL(`${server.url}/mcp`)] as const;
  const host = await closeAfterTest(openRemote({ kind, url, token: String(access_token), elicitation: { form } }));
  const [id] = sandbox.snapshot().state.links.keys();
  return async () => (await host.call('delete_link', { id })).data;
}
const ACCEPT = { action: 'accept', content: { confirm: true } };

const namesOf = async (client: { listTools(): Promise<{ tools: { name: string }[] }> }) =>
  (await client.listTools()).tools.map(({ name }) => name);

test('an employee signs in with the company account and gets the permissions of the role', async () => {
  const { server, signIn } = await openCompany();
  const { status, scope, refresh_token, access_token, expires_in } = await signIn();
  expect([status, scope, refresh_token, expires_in]).toEqual([
    200,
    'documents:read links:read links:write',
    undefined,
    3600,
  ]);
  const tools = await namesOf(await connect(server.url, access_token));
  expect(tools).toContain('create_link');
  expect(tools).not.toContain('send_agreement');
  expect((await signIn({ groups: ['board', 'sales'] }))['scope']).toContain('envelopes:write');
  expect((await signIn({ scope: 'links:read contacts:read' }))['scope']).toBe('links:read');
  expect((await signIn({}, { scope: 'documents:read' }))['scope']).toBe('documents:read');
});

test('the metadata names the grant types and nothing about the organization', async () => {
  const { server } = await openCompany();
  const metadata = await (await fetch(`${server.url}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).toMatchObject({
    grant_types_supported: expect.arrayContaining([
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      'client_credentials',
    ]),
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    token_endpoint_auth_methods_supported: expect.arrayContaining(['none', 'private_key_jwt', 'client_secret_basic']),
  });
  expect(JSON.stringify(metadata)).not.toMatch(/Sales|claude|nightly/i);
});

test('programs find the endpoint from the host name', async () => {
  const { server } = await openCompany();
  for (const path of ['/.well-known/mcp/server-card.json', '/mcp/server-card']) {
    const response = await fetch(server.url + path, { headers: { origin: 'https://directory.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const card = {
      name: 'io.github.docshare/docshare-mcp',
      remotes: [{ type: 'streamable-http', url: `${server.url}/mcp` }],
    };
    expect(await response.json()).toMatchObject(card);
  }
  expect(await (await fetch(`${server.url}/llms.txt`)).text()).toContain(`${server.url}/mcp`);
});

test('both generations of the SDK sign in without a person', async () => {
  const { server, identityProvider, agentKeys } = await openCompany();
  const url = new URL(`${server.url}/mcp`);
  const employee = new Client({ name: 'test', version: '1' });
  const assertion = ({ authorizationServerUrl }: { authorizationServerUrl: string }) =>
    identityProvider.assert(authorizationServerUrl.replace(/\/$/, ''));
  const expectedIssuer = server.url;
  const app = { clientId: APP.client_id, clientSecret: APP.secret, expectedIssuer };
  await employee.connect(
    new StreamableHTTPClientTransport(url, { authProvider: new CrossAppAccessProvider({ assertion, ...app }) }),
  );
  const agent = { clientId: AGENT.client_id, clientSecret: AGENT.secret, expectedIssuer };
  const nightly = new Client({ name: 'test', version: '1' });
  await nightly.connect(new StreamableHTTPClientTransport(url, { authProvider: new ClientCredentialsProvider(agent) }));
  const older = new LegacyClient({ name: 'test', version: '1' });
  await older.connect(new LegacyTransport(url, { authProvider: new LegacyCredentials(agent) }));
  const privateKey = (await exportJWK(agentKeys.privateKey)) as Json;
  const signer = new LegacyClient({ name: 'test', version: '1' });
  const authProvider = new PrivateKeyJwtProvider({
    clientId: 'signer',
    privateKey,
    algorithm: 'ES256',
    expectedIssuer,
  });
  await signer.connect(new LegacyTransport(url, { authProvider }));
  expect(await namesOf(employee)).toContain('create_link');
  for (const client of [nightly, older]) {
    expect(await namesOf(client)).toContain('list_agreements');
    expect(await namesOf(client)).not.toContain('create_link');
  }
  expect(await namesOf(signer)).toContain('send_agreement');
  for (const client of [employee, nightly, older, signer]) await client.close();
});

test('an assertion that is not for this server, endpoint and app, or not of an employee with a role, is rejected', async () => {
  const { signIn, server } = await openCompany();
  for (const [what, claims, error] of [
    ['that has expired', { iat: 1_700_000_000, exp: 1_700_000_300 }, 'invalid_grant'],
    ['that is too old, although it has not expired', { iat: Math.floor(Date.now() / 1000) - 3600 }, 'invalid_grant'],
    ['for another server', { aud: 'https://other.example' }, 'invalid_grant'],
    ['for another endpoint', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for this server and another one', { aud: [server.url, 'https://other.example'] }, 'invalid_grant'],
    ['for no endpoint', { resource: [] }, 'invalid_grant'],
    ['for another app', { client_id: 'other-app' }, 'invalid_grant'],
    ['of another identity provider', { iss: 'https://other.example' }, 'invalid_grant'],
    ['without an ID of its own', { jti: undefined }, 'invalid_grant'],
    ['of nobody', { sub: null as never }, 'invalid_grant'],
    ['of an unnamed user', { sub: ' ' }, 'invalid_grant'],
    ['of a user without a role', { groups: ['everyone'] }, 'access_denied'],
    ['of a user without groups', { groups: undefined }, 'access_denied'],
    ['for scopes that the role lacks', { scope: 'contacts:read' }, 'invalid_scope'],
  ] as const)
    expect(await signIn(claims), what).toMatchObject({ error, error_description: expect.any(String) });
});

test('an assertion works once across all replicas', async () => {
  const { server, open, identityProvider, token } = await openCompany();
  const other = await closeAfterTest(open(['--public-url', server.url]));
  const form = { ...APP_FORM, assertion: await identityProvider.assert(server.url) };
  const results = await Promise.all([token(form), token(form, other.url), token(form, other.url)]);
  expect(results.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  const next = { ...form, assertion: await identityProvider.assert(server.url) };
  expect((await token(next, other.url)).status).toBe(200);
  expect(await token(next)).toMatchObject({ status: 400, error: 'invalid_grant' });
});

test('forged, unsigned and retyped assertions are rejected, and rotated keys are fetched', async () => {
  const { server, identityProvider, signIn } = await openCompany();
  const stranger = await identityProvider.stranger();
  const unsigned = (await identityProvider.assert(server.url)).replace(/\.[^.]*$/, '.');
  for (const assertion of [
    await identityProvider.assert(server.url, {}, { signer: stranger }),
    await identityProvider.assert(server.url, {}, { typ: 'JWT' }),
    unsigned,
    'x',
  ])
    expect(await signIn({}, { assertion })).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect((await signIn()).status).toBe(200);
  await identityProvider.rotate();
  // An unknown key makes the server fetch the keys again, at most every 30 seconds.
  vi.setSystemTime(Date.now() + 40_000);
  expect((await signIn()).status).toBe(200);
});

test('endless keys of the identity provider are not read to their end', async () => {
  const { identityProvider, signIn } = await openCompany();
  identityProvider.sendEndlessKeys();
  expect(await signIn()).toMatchObject({ status: 503, error: 'temporarily_unavailable' });
  expect(identityProvider.getSentBytes()).toBeLessThan(32 * 1024 * 1024);
});

test('a wrong secret, an unknown app and an agent that claims to be an app are rejected', async () => {
  const { server, signIn, token } = await openCompany();
  expect(await signIn({}, { client_secret: 'wrong' })).toMatchObject({ status: 401, error: 'invalid_client' });
  expect(server.log()).toContain('company_sign_in_refused');
  expect(server.log()).not.toMatch(/wrong"|secret-of/);
  expect(await signIn({}, { client_id: 'unknown' })).toMatchObject({ status: 401, error: 'invalid_client' });
  const agent = { client_id: AGENT.client_id, client_secret: AGENT.secret };
  expect(await signIn({ client_id: AGENT.client_id }, agent)).toMatchObject({ status: 401 });
  expect(await token({ grant_type: 'client_credentials', client_id: 'signer' })).toMatchObject({ status: 401 });
});

test('a secret in a header may be encoded or not, and keeps its colons', async () => {
  const { server } = await openCompany();
  const send = async (secret: string) => {
    const authorization = `Basic ${Buffer.from(`${AGENT.client_id}:${secret}`).toString('base64')}`;
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    return (await fetch(`${server.url}/token`, { method: 'POST', headers: { authorization }, body })).status;
  };
  expect(await send(AGENT.secret)).toBe(200);
  expect(await send(encodeURIComponent(AGENT.secret))).toBe(200);
  expect(await send(AGENT.secret.split(':')[0] ?? '')).toBe(401);
});

test('limits, questions and uploads belong to a person and an app, however often they sign in', async () => {
  const { server, sandbox, identityProvider, token } = await openCompany((file) => ({
    ...file,
    apps: [...(file['apps'] as Json[]), { client_id: 'other-app', name: 'Other' }],
    roles: (file['roles'] as Json[]).map((role) => ({ ...role, scopes: undefined })),
  }));
  const [document] = sandbox.snapshot().state.documents.keys();
  const call = async (sub: string, { name, ...args }: Json, client_id = APP.client_id) => {
    const assertion = await identityProvider.assert(server.url, { sub, client_id });
    const { access_token } = await token({ ...APP_FORM, client_id, assertion });
    const result = await (await connect(server.url, access_token)).callTool({ name: String(name), arguments: args });
    return (result.structuredContent ?? result.content) as Json;
  };
  const ask = (sub: string, name: number, app?: string) =>
    call(sub, { name: 'create_link', document_id: document, fields: { name: `Link ${name}` } }, app);
  const first = await ask('employee-1', 1);
  expect(first['confirm_url']).toMatch(/^http/);
  expect((await ask('employee-1', 1, 'other-app'))['confirm_url']).not.toBe(first['confirm_url']);
  expect((await ask('employee-2', 1))['confirm_url']).not.toBe(first['confirm_url']);
  for (const sub of ['employee-1', 'employee-3', 'employee-4', 'employee-5'])
    for (let name = 2; name <= 8; name++) expect(await ask(sub, name)).toMatchObject({ outcome: 'pending' });
  expect(JSON.stringify(await ask('employee-1', 9))).toContain('too_many');
  expect(await ask('employee-2', 9)).toMatchObject({ outcome: 'pending' });
  const { hand_over, upload_url } = await call('employee-1', { name: 'upload_document' });
  expect(await fetch(`${upload_url}?name=a.pdf`, { method: 'PUT', body: '%PDF-1.7' })).toMatchObject({ ok: true });
  const status = { name: 'upload_document', hand_over };
  expect(JSON.stringify(await call('employee-2', status))).toContain('not_found');
  expect(await call('employee-1', status)).toMatchObject({ id: expect.any(String) });
}, 30_000);

const AGENT_FORM = { grant_type: 'client_credentials', client_id: AGENT.client_id, client_secret: AGENT.secret };
const withWritingAgent = (file: Json) => ({ ...file, agents: [{ ...(file['agents'] as Json[])[0], writes: true }] });

test('an employee is asked in the form of the app; an agent, which has no user, on the page', async () => {
  const company = await openCompany(withWritingAgent);
  const remove = async (signedIn: Promise<Json>) => (await openWithForm(company, await signedIn, () => ACCEPT))();
  const asked = { outcome: 'pending', confirm_url: expect.any(String) };
  expect(await remove(company.token(AGENT_FORM))).toMatchObject(asked);
  expect(await remove(company.signIn())).toMatchObject({ deleted: true, approved_by: 'form' });
});

test('a role that always asks does so even if the server never asks', async () => {
  const { open, token } = await openCompany((file) => ({
    ...withWritingAgent(file),
    roles: (file['roles'] as Json[]).map((role) => ({ ...role, confirm: 'always' })),
  }));
  const { url } = await closeAfterTest(open(['--confirm', 'off']));
  const client = await connect(url, (await token(AGENT_FORM, url))['access_token']);
  const result = await client.callTool({ name: 'create_room', arguments: { name: 'Board' } });
  expect(result.structuredContent).toMatchObject({ done: false, outcome: 'pending' });
});

test('an employee who declines a form does not decline for another, who is asked too', async () => {
  const company = await openCompany();
  const remove = async (sub: string, form: () => unknown) =>
    (await openWithForm(company, await company.signIn({ sub }), form))();
  let second: Promise<Json> | undefined;
  const first = await remove('employee-1', async () => {
    second = remove('employee-2', () => ACCEPT);
    return Promise.race([second, sleep(3000)]).then(() => ({ action: 'decline' }));
  });
  expect([first, await second]).toMatchObject([{ outcome: 'declined' }, { deleted: true, approved_by: 'form' }]);
});

test('an employee who left a form unanswered is asked by a form again after one call with the page', async () => {
  const company = await openCompany();
  const forms = [() => sleep(100).then(() => Promise.reject(new Error('closed')))];
  const remove = await openWithForm(company, await company.signIn(), () => forms.shift()?.() ?? ACCEPT);
  await remove().catch(() => undefined);
  await sleep(3100);
  expect(await remove()).toMatchObject({ outcome: 'pending' });
  expect(await remove()).toMatchObject({ deleted: true, approved_by: 'form' });
});

test('a role whose key the service rejects says so, and works again once the service accepts it', async () => {
  const { server, sandbox, signIn } = await openCompany();
  const { access_token } = await signIn();
  sandbox.faults.add({ status: 401 });
  const call = async (token: unknown) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: '{}' })).status;
  };
  await (await connect(server.url, access_token)).callTool({ name: 'list_documents', arguments: {} });
  await expect.poll(() => call(access_token)).toBe(401);
  const rejected = { status: 503, error_description: expect.stringMatching(/Sales.*isn’t valid/) };
  expect(await signIn()).toMatchObject(rejected);
  sandbox.faults.clear();
  sandbox.faults.add({ status: 503 });
  expect(await signIn()).toMatchObject({ status: 503, error_description: expect.not.stringMatching(/valid|seal/) });
  sandbox.faults.clear();
  expect(await call((await signIn())['access_token'])).not.toBe(401);
});

test('the audit log distinguishes employees without naming them', async () => {
  const { server, sandbox, signIn, audit } = await openCompany();
  for (const sub of ['employee-1', 'employee-2', 'employee-1']) {
    const { access_token } = await signIn({ sub });
    const client = await connect(server.url, access_token);
    const [document] = sandbox.snapshot().state.documents.keys();
    await client.callTool({ name: 'create_link', arguments: { document_id: String(document), email_required: true } });
  }
  const started = readJsonLines(audit).filter(({ outcome }) => outcome === 'started');
  const subjects = started.map(({ subject }) => String(subject));
  expect(subjects).toHaveLength(3);
  expect(subjects[0]).toMatch(/^[\w-]{16}$/);
  expect(new Set(subjects).size).toBe(2);
  expect(readFileSync(audit, 'utf8')).not.toContain('employee');
});

test('an agent authenticates with its own assertion, once and for at most an hour', async () => {
  const { server, agentKeys, identityProvider, token } = await openCompany();
  const sign = (expires: string, claims: Json = {}) =>
    new SignJWT({ iss: 'signer', sub: 'signer', aud: server.url, jti: expires, ...claims } as JWTPayload)
      .setProtectedHeader({ alg: 'ES256' })
      .setExpirationTime(expires)
      .sign(agentKeys.privateKey);
  const signIn = async (client_assertion: string) => {
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    return (await token({ grant_type: 'client_credentials', client_assertion_type, client_assertion })).status;
  };
  const assertion = await sign('5 minutes');
  expect([await signIn(assertion), await signIn(assertion)]).toEqual([200, 401]);
  expect(await signIn(await sign('1 year'))).toBe(401);
  expect(await signIn(await sign('1 minute', { sub: AGENT.client_id, iss: AGENT.client_id }))).toBe(401);
  expect(await signIn(await sign('2 minutes', { aud: 'https://other.example' }))).toBe(401);
  expect(await signIn(await identityProvider.assert(server.url, { sub: 'signer', iss: 'signer' }))).toBe(401);
});

test.each<[string, string, RegExp]>([
  ['nothing', '', /16 characters/],
  ['a short secret, which could be guessed', 'hunter2', /16 characters/],
  ['two lines', 'key_of_sales_012345\nkey_of_board_012345', /one key/],
])('seal rejects %s', (_, input, problem) => {
  const env = { ...process.env, DOCSHARE_SECRETS: SECRET };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['mcp/main.ts', 'seal'], { input, env });
  expect([status, String(stdout), String(stderr)]).toEqual([1, '', expect.stringMatching(problem)]);
});

test('seal does not read its input from a terminal, which would show it', async () => {
  const streams = { stdin: Object.assign(new PassThrough(), { isTTY: true }), stderr: new PassThrough() };
  await expect(runSealCommand({ DOCSHARE_SECRETS: SECRET }, streams as never)).rejects.toThrow('Redirect only stdout');
});

const withAgent = (agent: Json) => (file: Json) => ({
  ...file,
  agents: [{ client_id: 'a', name: 'A', role: 'Board', ...agent }],
});
const withRole = (changes: Json, agent?: string) => (file: Json) => {
  const [first, ...rest] = [file['roles']].flat() as Json[];
  const changed = { ...file, roles: [{ ...first, ...changes }, ...rest] };
  return agent === undefined ? changed : withAgent({ secret: 'sealed:x' })(changed);
};

test.each<[string, (file: Json) => Json, RegExp]>([
  ['with an unknown field', (file) => ({ ...file, rolls: [] }), /rolls/],
  ['without roles', (file) => ({ ...file, roles: [] }), /roles/],
  ['with a key in plain text', (file) => ({ ...file, roles: [{ name: 'A', api_key: 'ds_live_1' }] }), /seal/],
  [
    'with a key that other secrets sealed',
    (file) => ({ ...file, roles: [{ name: 'Reports', api_key: 'sealed:abc' }] }),
    /Seal it again/,
  ],
  ['with apps and no identity provider', ({ identity_provider: _, ...file }) => file, /identity_provider/],
  ['with a role twice', (file) => ({ ...file, roles: [file['roles'], file['roles']].flat() }), /Board is listed twice/],
  [
    'with an agent of an unknown role',
    (file) => ({ ...file, agents: [{ client_id: 'a', name: 'A', role: 'X', secret: 'sealed:x' }] }),
    /unknown role X/,
  ],
  ['whose read-only role reads nothing', withRole({ read_only: true, scopes: ['webhooks:write'] }), /Board.*reads/],
  ['whose reading agent has a role that only writes', withRole({ scopes: ['links:write'] }, 'Board'), /agent a only/],
  ['with an agent’s private key', withAgent({ jwks: { keys: [{ kty: 'OKP', d: 'x' }] } }), /private key/],
])('a file %s does not start', async (_, change, problem) => {
  await expect(openCompany(change)).rejects.toThrow(problem);
});

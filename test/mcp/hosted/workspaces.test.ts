/** One sign-in for several workspaces, on two replicas: each call names one, and no data crosses between them. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closeAfterAll, createFolderForFile } from '../../support/cleanup.ts';
import { callAt, type Fields, rpcAt } from '../../support/hosted-calls.ts';
import { authorizePath, refreshAt, registerHost } from '../../support/hosted-oauth.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import { createPerson, tokensAt } from '../../support/hosted-visitor.ts';
import { readJsonLines } from '../../support/read-json-lines.ts';
import { countLinks, openTwoWorkspaces } from '../../support/two-workspaces.ts';

const PUBLIC = 'http://localhost:4999';
const BUDGET = 8;
const folder = createFolderForFile('docshare-hosted-workspaces-');
const audit = join(folder, 'audit.jsonl');
const { worlds, baseUrl, addKey, revoke } = await closeAfterAll(openTwoWorkspaces());
const open = () =>
  openHostedInProcess({
    baseUrl,
    state: folder,
    args: ['--trust-proxy', '1', '--public-url', PUBLIC, '--audit', audit, '--actions-per-hour', String(BUDGET)],
  });
const replicas = [await closeAfterAll(open()), await closeAfterAll(open())];
const urlOf = (turn: number) => replicas[turn % 2]?.url ?? '';

let visitors = 0;

/** A browser with its own address, at a proxy that alternates between the replicas. */
function createVisitor() {
  const person = createPerson(urlOf(0));
  const address = { 'x-forwarded-for': `192.0.2.${++visitors}` };
  let turn = 0;
  const at = (path: string) => urlOf(++turn) + path.replace(PUBLIC, '');
  return {
    ...person,
    load: (path: string) => person.load(at(path), { headers: { accept: 'text/html', ...address } }),
    post: (path: string, fields: Fields) => person.post(at(path), fields, { origin: PUBLIC, ...address }),
  };
}

async function signIn(options: { keys?: readonly [string, string] } = {}) {
  const { keys = [addKey(0), addKey(1)] } = options;
  const person = createVisitor();
  const signedIn = await tokensAt(urlOf(0), { key: keys[0], otherKeys: [keys[1]], names: ['Acme', 'beta'], person });
  const token = signedIn.tokens.access_token;
  let turn = 0;
  const call = (name: string, args: object) => callAt(urlOf(turn++), token, name, args);
  return { ...signedIn, token, keys, person, call };
}

const getError = ({ data }: { data: Record<string, unknown> }) =>
  data['error'] as Record<'code' | 'message' | 'workspace', string>;

test('no call reaches the wrong workspace; questions, answers and audit lines name it; one rate limit applies', async () => {
  const { token, person, call } = await signIn();
  const { body } = await rpcAt(urlOf(0), token, 'tools/list');
  for (const tool of (body['result'] as { tools: unknown[] }).tools)
    expect(tool).toMatchObject({
      inputSchema: {
        properties: { workspace: { enum: ['acme', 'beta'] } },
        required: expect.arrayContaining(['workspace']),
      },
    });
  expect(JSON.stringify((await rpcAt(urlOf(1), token, 'resources/templates/list')).body)).not.toContain('docshare://');
  for (const workspace of [undefined, 'gamma'])
    expect(getError(await call('list_links', { workspace }))).toMatchObject({ code: 'invalid_arguments' });
  expect((await call('whoami', { workspace: 'beta' })).data).toMatchObject({
    workspace: 'beta',
    workspaces: ['acme', 'beta'],
  });

  const [before = 0] = worlds.map(countLinks);
  const [document] = worlds[0]?.snapshot().state.documents.keys() ?? [];
  const created = { acme: 0, beta: 0 };
  const mixCalls = async (round: number) => {
    const [workspace, other] = round % 3 === 0 ? (['acme', 'beta'] as const) : (['beta', 'acme'] as const);
    const writes = round % 4 === 0;
    if (writes) created[workspace] += 1;
    const results = await Promise.all([
      writes
        ? call('create_link', { workspace, document_id: String(document), email_required: true })
        : call('get_document', { workspace, id: String(document) }),
      call('list_contacts', { workspace: other, limit: 1 }),
    ]);
    expect(results.map(({ data }) => data['workspace'])).toEqual([workspace, other]);
  };
  for (let round = 0; round < 4 * BUDGET; round += 4)
    await Promise.all([round, round + 1, round + 2, round + 3].map(mixCalls));
  expect(created).toEqual({ acme: 3, beta: 5 });
  expect(worlds.map((world) => countLinks(world) - before)).toEqual([created.acme, created.beta]);

  // The links above used the whole budget of the sign-in: each workspace alone would have some left.
  const [link] = worlds[1]?.snapshot().state.links.keys() ?? [];
  const deletion = { workspace: 'beta', id: String(link) };
  const asked = await call('delete_link', deletion);
  expect(asked.data).toMatchObject({ workspace: 'beta', outcome: 'pending' });
  const page = await person.load(String(asked.data['confirm_url']));
  expect(page.html).toContain('In the workspace <strong>beta</strong>, ');
  expect(page.html).toMatch(/delete link .*At least 8 actions were done or approved in the last hour/s);
  await person.post(String(asked.data['confirm_url']), { form: page.field('form'), decision: 'approve' });
  // The approval is for one workspace only.
  expect((await call('delete_link', { ...deletion, workspace: 'acme' })).data).toMatchObject({ outcome: 'pending' });
  expect((await call('delete_link', deletion)).data).toMatchObject({ workspace: 'beta' });
  expect(worlds.map(({ snapshot }) => snapshot().state.links.has(String(link)))).toEqual([true, false]);
  const named = readJsonLines(audit).map(({ workspace }) => workspace);
  expect(['acme', 'beta'].map((name) => named.filter((workspace) => workspace === name).length)).toEqual([
    2 * created.acme,
    2 * created.beta + 2,
  ]);
});

test('open questions count for the sign-in, not for each workspace', async () => {
  const { call } = await signIn();
  const ask = (turn: number) =>
    call('delete_link', { workspace: turn % 2 === 0 ? 'acme' : 'beta', id: `lnk_missing_${turn}` });
  for (let turn = 0; turn < 8; turn++) expect((await ask(turn)).data).toMatchObject({ outcome: 'pending' });
  expect(getError(await ask(8))).toMatchObject({ code: 'too_many' });
});

test('pages for files name their workspace, and a file and its status are there only', async () => {
  const { person, call } = await signIn();
  const count = () => worlds.map(({ snapshot }) => snapshot().state.documents.size);
  const before = count();
  const opened = {
    acme: await call('upload_document', { workspace: 'acme', name: 'Same.pdf' }),
    beta: await call('upload_document', { workspace: 'beta', name: 'Same.pdf' }),
  };
  for (const [name, { data }] of Object.entries(opened))
    expect((await person.load(String(data['upload_url']))).html).toContain(`<dt>Workspace</dt><dd>${name}</dd>`);
  const { upload_url, hand_over } = opened.beta.data;
  const pdf = Buffer.from('%PDF-1.7\nof beta');
  expect((await fetch(String(upload_url).replace(PUBLIC, urlOf(1)), { method: 'PUT', body: pdf })).status).toBe(201);
  expect(count()).toEqual([before[0], Number(before[1]) + 1]);
  expect(getError(await call('upload_document', { workspace: 'acme', hand_over }))).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('Its file may have arrived: check list_documents'),
  });
  expect((await call('upload_document', { workspace: 'beta', hand_over })).data).toMatchObject({ done: true });
  expect(readJsonLines(audit).at(-1)).toMatchObject({ tool: 'upload_document', workspace: 'beta' });
  const [agreement] = worlds[1]?.snapshot().state.agreements.keys() ?? [];
  const { data } = await call('download_agreement', { workspace: 'beta', id: String(agreement) });
  const page = await fetch(String(data['url']).replace(PUBLIC, urlOf(1)), { headers: { 'sec-purpose': 'prefetch' } });
  expect(await page.text()).toContain('of the workspace <strong>beta</strong>');
});

test('a rejected key ends its workspace only; no call to it reaches another one, and without keys the sign-in ends', async () => {
  const { host, tokens, token, keys, person, call } = await signIn();
  const uploads = await Promise.all(
    ['acme', 'beta'].map((workspace) => call('upload_document', { workspace, name: `${workspace}.pdf` })),
  );
  revoke(keys[1]);
  const list = (workspace: string) => call('list_documents', { workspace, limit: 1 });
  expect(getError(await list('beta'))).toMatchObject({ code: 'authentication_failed' });
  // The server tries the key once more first.
  await expect.poll(async () => getError(await list('beta')).message).toMatch(/no longer accepts the key .* beta/);
  expect(getError(await list('beta'))).toMatchObject({ workspace: 'beta' });
  expect((await list('acme')).data).toMatchObject({ workspace: 'acme', items: expect.any(Array) });
  const pages = await Promise.all(uploads.map(({ data }) => person.load(String(data['upload_url']))));
  expect(pages.map(({ status }) => status)).toEqual([200, 404]);
  expect((await refreshAt(urlOf(1), host, tokens.refresh_token)).status).toBe(200);

  revoke(keys[0]);
  await list('acme');
  await expect.poll(async () => (await rpcAt(urlOf(0), token, 'tools/list')).status).toBe(401);
  expect((await refreshAt(urlOf(1), host, tokens.refresh_token)).status).toBe(400);
});

test.each([0, 1])('key %i shows the app at /grants, and revoking it there ends all workspaces', async (index) => {
  const { keys, token } = await signIn();
  const person = createVisitor();
  const page = await person.post('/grants', { api_key: keys[index] ?? '' });
  expect(page.html).toContain('Uses 2 workspaces. Revoking ends its access to all of them.');
  expect(page.html).not.toMatch(/acme|beta/);
  await person.post('/grants', {
    visit: page.field('visit'),
    end: /name="end" value="([^"]+)"/.exec(page.html)?.[1] ?? '',
  });
  expect((await rpcAt(urlOf(0), token, 'tools/list')).status).toBe(401);
});

/** A sign-in whose first key was accepted. */
async function beginSignIn(key: string) {
  const person = createVisitor();
  const first = await person.load(authorizePath(await registerHost(urlOf(0))));
  const consent = await person.post('/authorize', { form: first.field('form'), api_key: key });
  const add = (form: string, names: readonly string[], apiKey: string) =>
    person.post('/authorize', [
      ['form', form],
      ['decision', 'add_key'],
      ...names.map((name) => ['workspace', name] as const),
      ['api_key', apiKey],
    ]);
  return { person, consent, add };
}

const [firstKey, secondKey] = [addKey(0), addKey(1, ['documents:read'])];
test.each([
  ['a key that the service rejects', ['Acme', 'Beta'], 'wrong', /key isn’t valid/],
  ['the same key', ['Acme', 'Beta'], firstKey, /already added/],
  ['keys too long for a token', ['Acme', 'Beta'], 'x'.repeat(2040), /2048 characters/],
  ['equal names', ['Acme', 'ACME'], secondKey, /same name/],
  ['a missing name', ['', 'Beta'], secondKey, /needs a name/],
  ['a name with a space', ['Acme', 'be ta'], secondKey, /needs a name/],
])('%s is reported, and the form keeps its values', async (_, names, key, problem) => {
  const { person, consent, add } = await beginSignIn(firstKey);
  const empty = await person.post('/authorize', [
    ['form', consent.field('form')],
    ['decision', 'add'],
    ['group', 'links'],
    ['changes', 'no'],
    ['confirm', 'always'],
  ]);
  const failed = await add(empty.field('form'), names, key);
  expect(failed.status).toBe(422);
  expect(/role="alert"[^>]*>([^<]*)/.exec(failed.html)?.[1]).toMatch(problem);
  expect(failed.html.match(/aria-invalid="true"/g)).toHaveLength(1);
  for (const name of names) expect(failed.html).toContain(`name="workspace" value="${name}"`);
  const form = failed.field('form');
  const pages = [
    await add(form, ['Acme', 'Beta'], secondKey),
    await person.post('/authorize', { form, decision: 'back' }),
  ];
  // With the earlier choices.
  for (const { html } of pages) {
    expect(html.match(/ checked>/g)).toHaveLength(3);
    expect(html).toMatch(/value="links" checked[\s\S]*value="no" checked[\s\S]*value="always" checked/);
  }
  const [added = '', unchanged = ''] = pages.map(({ html }) => html);
  expect(added).toMatch(/<strong>acme<\/strong>[\s\S]*<strong>beta<\/strong>/);
  expect(added).toContain('Not readable with the key of beta.');
  expect(unchanged).toContain('✓ Key accepted');
  expect(added + unchanged + failed.html).not.toContain(firstKey);
});

test('too many attempts from one network are reported too', async () => {
  const { consent, add } = await beginSignIn(firstKey);
  let page = consent;
  for (let tries = 1; tries <= 30; tries++) page = await add(page.field('form'), ['Acme', 'Beta'], firstKey);
  expect([page.status, page.headers.has('retry-after')]).toEqual([429, true]);
  expect(page.html).toContain('name="workspace" value="Beta"');
});

test('a sign-in has at most five workspaces', async () => {
  const { consent, add } = await beginSignIn(addKey(0));
  let page = consent;
  const names = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6'];
  for (const count of [2, 3, 4, 5]) page = await add(page.field('form'), names.slice(0, count), addKey(1));
  expect(page.html).toContain('✓ 5 workspaces');
  expect(page.html).not.toContain('Add another workspace');
  expect((await add(page.field('form'), names, addKey(1))).html).toMatch(/at most 5 workspaces/);
});

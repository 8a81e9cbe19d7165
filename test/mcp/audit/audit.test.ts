import { chmodSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterTest, createFolderForTest } from '../../support/cleanup.ts';
import { callAt } from '../../support/hosted-calls.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import { tokensAt } from '../../support/hosted-visitor.ts';
import { openHostOnSandbox, openHostOnService } from '../../support/mcp-host.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = createFolderForTest('docshare-audit-');
  path = join(folder, 'audit.jsonl');
});

const lines = () =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
const args = () => ['--audit', path, '--confirm', 'off'];
const contact = { fields: { email: 'k@example.com' } };

async function openSandbox(more: readonly string[] = []) {
  const sandbox = await closeAfterTest(createSandbox({ data: 'empty' }));
  const key = sandbox.key();
  const host = await openHostOnSandbox(sandbox, { env: { DOCSHARE_API_KEY: key }, args: ['--audit', path, ...more] });
  return { sandbox, key, host };
}

test('each write adds a line before and after it, reads and previews add none', async () => {
  writeFileSync(path, 'before\n', { mode: 0o644 });
  chmodSync(path, 0o664);
  const { host, key } = await openSandbox(['--log-level', 'debug']);
  await host.call('list_documents');
  await host.call('delete_link', { id: 'x' });
  const content = Buffer.from('%PDF-1.4 secret words').toString('base64');
  const { data } = await host.call('upload_document', { content, name: 'Deck' });
  const link = { document_id: String(data['id']) };
  const { data: preview } = await host.call('create_link', link);
  await host.call('create_link', { ...link, confirm_token: preview['confirm_token'] });
  await host.call('update_contact', { id: 'none', fields: { name: 'x' } });
  expect(host.stderr()).toMatch(/"level":"debug","event":"call","tool":"list_documents"/);
  expect(host.stderr()).not.toContain(key);
  expect(lines().map(({ tool, outcome, approved_by }) => [tool, outcome, approved_by])).toEqual([
    ['upload_document', 'started', 'not_needed'],
    ['upload_document', 'done', 'not_needed'],
    ['create_link', 'started', 'token'],
    ['create_link', 'done', 'token'],
    ['update_contact', 'started', 'not_needed'],
    ['update_contact', 'not_found', 'not_needed'],
  ]);
  const [, , started, ended] = lines();
  expect(ended).toEqual({
    ...started,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    arguments_sha256: expect.stringMatching(/^[\w-]{43}$/),
    key: expect.stringMatching(/^[0-9a-f]{16}$/),
    ids: { id: expect.any(String), ...link },
    outcome: 'done',
  });
  expect(started.ids).toEqual(link);
  expect(new Set(lines().map(({ write }) => write)).size).toBe(3);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(/^before\n.*\}\n$/s);
  expect(text).not.toMatch(/secret words|confirm_token/);
  expect(text).not.toContain(key);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const open = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  expect(open).not.toContain(path);
});

test('the IDs of the arguments and the response are logged, cut at 128 characters, and each key has a fingerprint', async () => {
  const answer = { id: 'b', link_id: 'l', url: 'u', nested: { id: 'no' } };
  for (const key of ['key_of_ann', 'key_of_ann', 'key_of_bob']) {
    const host = await openHostOnService(() => ({ json: answer }), { key, args: args() });
    const fields = {
      document_id: 'd'.repeat(200),
      roomId: 'r',
      other_id: 7,
      solid: 'x',
      valid_identity: 'x',
      ownIdea: 'x',
    };
    await host.call('update_contact', { id: 'a', fields });
  }
  const [started, ended, second, , third] = lines();
  expect(started.ids).toEqual({ document_id: 'd'.repeat(128), id: 'a', roomId: 'r' });
  expect(ended.ids).toEqual({ ...started.ids, id: 'b', link_id: 'l' });
  expect(second.key).toBe(started.key);
  expect(third.key).not.toBe(started.key);
});

test('a write of several objects logs the ID of each', async () => {
  const created = { id: 'new', url: 'https://x.example/1' };
  const answer = (path: string) => (path.includes('c2') ? { status: 404 } : { json: created });
  const host = await openHostOnService(({ method, path }) => (method === 'GET' ? { json: [] } : answer(path)), {
    args: args(),
  });
  const changes = ['l1', 'l2'].map((id) => ({ id, fields: { room_id: `${id} room` } }));
  await host.call('update_links', { changes });
  await host.call('create_personal_links', { document_id: 'd', recipients: ['ann@a.example'] });
  await host.call('add_contact_tags', { ids: ['c1', 'c2'], tags: ['vip'] });
  const [plan, done, , personal, tags, tagged] = lines().map(({ ids }) => ids);
  expect(plan).toEqual({ changes: changes.map(({ id, fields }) => ({ id, ...fields })) });
  expect(done).toEqual({ ...plan, items: [{ id: 'l1' }, { id: 'l2' }] });
  expect(personal).toEqual({ document_id: 'd', items: [{ id: 'new' }] });
  expect(tags).toEqual({ ids: [{ id: 'c1' }, { id: 'c2' }] });
  expect(tagged).toEqual({ ...tags, failed: [{ id: 'c2' }] });
});

test('if the line cannot be written, writes are rejected and reads work; a deleted file is created again', async () => {
  const { sandbox, host } = await openSandbox();
  rmSync(path);
  await host.call('create_contact', contact);
  expect(lines()).toHaveLength(2);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  rmSync(folder, { recursive: true });
  sandbox.log.clear();
  expect((await host.call('create_contact', contact)).error).toMatchObject({ code: 'not_audited' });
  expect(sandbox.log.entries()).toEqual([]);
  expect(host.stderr()).toContain('"event":"audit_failed","code":"ENOENT"');
  expect((await host.call('list_contacts')).isError).toBe(false);
});

test('a write that has happened succeeds even if its second line cannot be written', async () => {
  const host = await openHostOnService(
    () => {
      rmSync(folder, { recursive: true });
      return { json: { id: 'c' } };
    },
    { args: args() },
  );
  expect((await host.call('create_contact', contact)).data).toMatchObject({ done: true, id: 'c' });
  expect(host.stderr()).toContain('"event":"audit_failed","code":"ENOENT"');
});

test('a file that a user uploads on a page has a line before and after', async () => {
  const sandbox = await closeAfterTest(createSandbox({ data: 'empty' }));
  const server = await closeAfterTest(openHostedInProcess({ baseUrl: sandbox.url, args: ['--audit', path] }));
  const { tokens } = await tokensAt(server.url, { key: sandbox.key() });
  for (const [name, body] of [
    ['a.pdf', '%PDF-1.4 x'],
    ['b.pdf', '<!doctype html>'],
  ]) {
    const { data } = await callAt(server.url, tokens.access_token, 'upload_document', { name });
    await fetch(String(data['upload_url']), { method: 'PUT', body: String(body) });
  }
  expect(lines().map(({ tool, outcome }) => [tool, outcome])).toEqual(
    // A call that asks for a file, then the file, twice.
    ['started', 'done', 'started', 'done', 'started', 'done', 'started', 'wrong_type'].map((outcome) => [
      'upload_document',
      outcome,
    ]),
  );
  expect(lines()[3]).toMatchObject({ approved_by: 'not_needed', ids: { id: expect.any(String) } });
});

test('a partly done action logs what it left behind', async () => {
  const room = { id: 'r', groups: [], permissions: [] };
  const host = await openHostOnService(
    ({ method, path: requestPath }) => {
      if (method === 'GET') return { json: [room] };
      if (/links|permissions/.test(requestPath)) return { status: 422, json: {} };
      return { status: 201, json: { id: requestPath.includes('groups') ? 'g' : 'd' } };
    },
    { args: [...args(), '--files', folder] },
  );
  writeFileSync(join(folder, 'deck.pdf'), '%PDF-1.4');
  await host.call('share_document', { path: 'deck.pdf' });
  await host.call('add_room_group', { id: 'r', name: 'Bidders', access: 'view' });
  expect(lines().map(({ outcome, ids }) => [outcome, ids])).toEqual([
    ['started', {}],
    ['partly_done', { document_id: 'd' }],
    ['started', { id: 'r' }],
    ['partly_done', { id: 'g' }],
  ]);
});

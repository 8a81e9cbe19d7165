import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest, createFolderForTest } from '../../support/cleanup.ts';
import { callAt } from '../../support/hosted-calls.ts';
import { createHostRunner } from '../../support/hosted-host.ts';
import { openReplica } from '../../support/hosted-replica.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import { createPerson, tokensAt } from '../../support/hosted-visitor.ts';
import { type Json, KINDS } from '../../support/mcp-host.ts';
import { createMemoryState } from '../../support/mcp-parts.ts';
import { readJsonLines } from '../../support/read-json-lines.ts';

const sandbox = await closeAfterAll(createSandbox());
const state = createMemoryState();
const grantOf = (grant: string) => ({ grant, key: sandbox.key(), browser: grant });
const grants = { mine: grantOf('mine'), other: grantOf('other') };
const first = await closeAfterAll(openReplica({ baseUrl: sandbox.url, state, grants, confirm: 'off' }));
const second = await closeAfterAll(
  openReplica({ baseUrl: sandbox.url, state, grants, confirm: 'off', publicUrl: () => first.url }),
);
const replicas = [first, second];
beforeEach(() => {
  sandbox.log.clear();
  // New keys, so that no test waits for the rate limit.
  for (const grant of Object.values(grants)) grant.key = sandbox.key();
});

const withHost = createHostRunner(replicas);

/** The same URL at the other replica. */
const elsewhere = (url: unknown) => String(url).replace(/^http:\/\/[^/]+/, replicas[1]?.url ?? '');
/** The sandbox reads PDFs, and needs time for large invalid ones. */
const bytesOf = (size: number) => Buffer.alloc(size, 'x');
const pdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(size - 9, 'x')]);
const put = (url: unknown, body: Uint8Array, headers: Record<string, string> = {}) =>
  fetch(String(url), { method: 'PUT', body: Uint8Array.from(body), headers });
const named = (name: string) => ({ 'content-disposition': `attachment; filename="${name}"` });
let count = 0;
const freshName = () => `Deck ${++count}`;
const upload = (args: Json, options = {}) => withHost(options, (host) => host.call('upload_document', args));

describe.each(KINDS)('%s', (kind) => {
  test.each([
    ['small', 2000, 'multipart'],
    ['large', 6_000_000, 'direct'],
  ])('a %s file is uploaded at one replica, and a call at the other returns the result', async (_, size, via) => {
    const name = freshName();
    const { data } = await upload({ name }, { kind });
    expect(data).toMatchObject({ done: false, hand_over: expect.any(String), seconds_left: expect.closeTo(600, -2) });
    const bytes = bytesOf(Number(size));
    const answer = await put(elsewhere(data['upload_url']), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect([answer.status, await answer.json()]).toEqual([201, { done: true, size_bytes: size, sha256 }]);
    const after = await upload({ name }, { kind, replica: 1 });
    expect(after.data).toMatchObject({ done: true, id: expect.any(String), name, sha256, size_bytes: size, via });
  });

  test('the menu has no path argument and explains the URL', async () => {
    const tools = await withHost({ kind }, (host) => host.tools());
    const named = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema['properties'] ?? {};
    expect(Object.keys(named('upload_document')).join(' ')).toBe(
      'url content name document_id file files size_bytes hand_over',
    );
    expect(Object.keys(named('share_document')).join(' ')).toBe(
      'document_id url file files name email_required fields',
    );
    const fromChat = { 'openai/fileParams': ['file', 'files'] };
    for (const name of ['upload_document', 'share_document'])
      expect(tools.find((tool) => tool.name === name)).toMatchObject({ _meta: fromChat });
    const file = { download_url: 'https://10.0.0.1/a.pdf', file_id: 'file_1' };
    const refused = await withHost({ kind }, (host) => host.call('upload_document', { file }));
    expect(refused.error['code']).toBe('url_not_allowed');
    const several = await withHost({ kind }, (host) =>
      host.call('upload_document', { files: [file, '/etc/hostname'] }),
    );
    expect(several.data).toMatchObject({
      done: false,
      items: [],
      failed: [
        { file: 'file_1', code: 'url_not_allowed' },
        { file: '/etc/hostname', code: 'path_not_allowed', message: expect.not.stringContaining('--files') },
      ],
    });
    expect(Object.keys(named('download_agreement'))).toEqual(['id']);
  });
});

test.each([
  ['too large', 'A'.repeat(5_700_000), 'too_large'],
  ['plain text', 'Notes: bring the deck.', 'invalid_arguments'],
])('an error for content that is %s names the URL', async (_, content, code) => {
  const { error } = await upload({ content });
  expect(error).toMatchObject({ code, message: expect.stringContaining('upload_url') });
});

test('an error for a call without a document names no argument that a hosted server does not have', async () => {
  const { error } = await withHost({}, (host) => host.call('share_document', { name: 'Deck' }));
  expect(error).toMatchObject({ code: 'invalid_arguments', message: expect.not.stringContaining('path') });
});

test('a new version is added to its document', async () => {
  const first = await upload({ name: 'v.pdf', content: pdf(100).toString('base64') });
  const version = { document_id: first.data['id'], name: 'v.pdf' };
  const { data } = await upload(version);
  expect((await (await fetch(String(data['upload_url']))).text()).replaceAll('&quot;', '"')).toMatch(
    /Replace the file of "v.pdf" with .* Everyone with access sees it at once: room "[\s\S]+Document ID.*"doc_/,
  );
  expect((await put(data['upload_url'], pdf(300), named('salaries.pdf'))).status).toBe(201);
  const { data: after } = await upload({ hand_over: data['hand_over'] });
  expect(after).toMatchObject({ done: true, new_version_of: first.data['id'], id: first.data['id'] });
  const { data: next } = await upload(version, { replica: 1 });
  expect(await (await fetch(String(next['upload_url']))).text()).toContain('(file &quot;salaries.pdf&quot;)');
});

test.each(['before', 'during'])('a new version is not saved if a link is created %s its upload', async (time) => {
  const { data: document } = await upload({ name: 'v.pdf', content: pdf(100).toString('base64') });
  const version = { document_id: document['id'] };
  const { data } = await upload(version);
  const link: Json = {};
  const createLink = async () => {
    const args = { ...version, name: freshName(), email_required: true };
    link['id'] = (await withHost({}, (host) => host.call('create_link', args))).data['id'];
  };
  if (time === 'before') await createLink();
  const outgoing = request(String(data['upload_url']), { method: 'PUT', headers: { 'content-length': 2_000_000 } });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.write(pdf(1_000_000));
  if (time === 'during') {
    await sandbox.log.waitFor({ operation: 'documents.startUpload' });
    await createLink();
  }
  outgoing.end(bytesOf(1_000_000));
  const [answer] = await answered;
  expect(answer.statusCode).toBe(409);
  expect(await json(answer)).toMatchObject({ error: { code: 'changed' } });
  expect((await upload(version)).data['upload_url']).not.toBe(data['upload_url']);
  await withHost({}, (host) => host.call('delete_link', link));
  expect((await upload(version)).data).not.toMatchObject({ upload_url: data['upload_url'] });
});

test('a new version is not saved if its document gets another name before it arrives', async () => {
  const { data: document } = await upload({ name: 'v.pdf', content: pdf(100).toString('base64') }, { token: 'other' });
  const { data } = await upload({ document_id: document['id'] }, { token: 'other' });
  const changed = sandbox.snapshot();
  Object.assign(changed.state.documents.get(String(document['id'])) ?? {}, { name: 'Board minutes' });
  sandbox.restore(changed);
  const answer = await put(data['upload_url'], pdf(100));
  expect([answer.status, await answer.json()]).toMatchObject([409, { error: { code: 'changed' } }]);
});

test('a sign-in that may not read rooms can add versions; checks need no approval, and the audit log names it', async () => {
  const audit = join(createFolderForTest('docshare-audit-'), 'audit.jsonl');
  const server = await closeAfterTest(openHostedInProcess({ baseUrl: sandbox.url, args: ['--audit', audit] }));
  const person = createPerson(server.url);
  const permissions = { groups: ['documents', 'links'], confirm: 'always' };
  const { tokens } = await tokensAt(server.url, { key: sandbox.key(), person, ...permissions });
  const call = async (name: string, args: Json) => (await callAt(server.url, tokens.access_token, name, args)).data;
  async function approved(name: string, args: Json, url?: unknown) {
    expect(await person.answer(String(url ?? (await call(name, args))['confirm_url']), 'approve')).toBe('Approved');
    return call(name, args);
  }
  const version = { document_id: String((await upload({ content: pdf(100).toString('base64') })).data['id']) };
  const early = await approved('upload_document', version);
  await approved('create_link', { ...version, email_required: true });
  expect((await put(early['upload_url'], pdf(200))).status).toBe(409);
  const { about, confirm_url } = await call('upload_document', version);
  expect(about).toMatchObject({ places: ['places that could not be read', expect.stringMatching(/^link ‘[^’]+’/)] });
  expect((await person.load(String(confirm_url))).html).toContain('<li>places[1]: &quot;link ‘');
  const { upload_url, hand_over } = await approved('upload_document', version, confirm_url);
  expect((await put(upload_url, pdf(200))).status).toBe(201);
  expect(await call('upload_document', { hand_over })).toMatchObject({ done: true, approved_by: 'page' });
  expect(readJsonLines(audit).at(-1)).toMatchObject({ ids: version, approved_by: 'page', outcome: 'done' });
  const { upload_url: unaudited } = await approved('upload_document', { name: freshName() });
  rmSync(audit);
  mkdirSync(audit);
  expect(await (await put(unaudited, pdf(100))).json()).toMatchObject({ error: { code: 'not_audited' } });
  rmdirSync(audit);
  expect((await put(unaudited, pdf(100))).status).toBe(201);
});

test('the same call gives the same URL until a file arrives; after its result, it gives another URL', async () => {
  const name = freshName();
  const [one, two] = await Promise.all([upload({ name }), upload({ name }, { replica: 1 })]);
  expect(one.data['upload_url']).toBe(two.data['upload_url']);
  await put(one.data['upload_url'], pdf(50));
  expect((await upload({ name })).data).toMatchObject({ done: true });
  expect((await upload({ name })).data['upload_url']).not.toBe(one.data['upload_url']);
  expect((await upload({ hand_over: one.data['hand_over'] })).data).toMatchObject({ done: true, size_bytes: 50 });
});

test('a URL accepts one file', async () => {
  const { data } = await upload({ name: freshName() });
  const answers = await Promise.all([1, 2, 3].map(() => put(data['upload_url'], bytesOf(3_000_000))));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect((await put(data['upload_url'], pdf(50))).status).toBe(409);
  expect(sandbox.log.entries().filter(({ operation }) => operation === 'documents.finalizeUpload')).toHaveLength(1);
});

describe('a rejected file is reported to the sender and to the tool, and can be replaced:', () => {
  const cases: [string, Json, Uint8Array, Record<string, string>, number, string][] = [
    ['a web page named as a PDF', {}, Buffer.from('<!doctype html><p>Log in'), named('a.pdf'), 415, 'wrong_type'],
    ['a file named like a secret', {}, pdf(90), named('service-account.json'), 415, 'file_not_allowed'],
    ['another type than was asked for', { name: 'Terms.pdf' }, pdf(90), named('a.docx'), 415, 'wrong_type'],
    ['another length than was asked for', { size_bytes: 91 }, pdf(90), {}, 400, 'wrong_size'],
    ['nothing', {}, Buffer.alloc(0), {}, 400, 'empty'],
    ['compressed bytes', {}, pdf(90), { 'content-encoding': 'gzip' }, 411, 'no_length'],
  ];
  test.each(cases)('%s', async (_, args, body, headers, status, code) => {
    const wanted = { name: freshName(), ...args };
    const { data } = await upload(wanted);
    const answer = await put(data['upload_url'], body, headers);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { code } });
    const after = await upload(wanted);
    expect(after.data).toMatchObject({ done: false, failure: { code }, upload_url: data['upload_url'] });
    expect(sandbox.log.entries().filter(({ method }) => method === 'POST')).toEqual([]);
    const right = Number(args['size_bytes'] ?? 90);
    expect((await put(data['upload_url'], pdf(right))).status).toBe(201);
    expect((await upload(wanted)).data).toMatchObject({ done: true, size_bytes: right });
  });

  test('a file that the service rejects', async () => {
    const { data } = await upload({ name: freshName(), document_id: 'doc_none' });
    const answer = await put(data['upload_url'], pdf(90));
    expect(answer.status).toBe(502);
    const { error } = (await answer.json()) as { error: Json };
    const after = await upload({ hand_over: data['hand_over'] });
    expect(after.data).toMatchObject({ done: false, failure: { code: error['code'] } });
  });
});

test('eight addresses of a grant wait at once, no more, and one whose file failed still waits', async () => {
  const grants = { only: { grant: 'only', key: sandbox.key(), browser: '' } };
  const replica = await closeAfterTest(openReplica({ baseUrl: sandbox.url, state: createMemoryState(), grants }));
  await withHost({ url: replica.mcp, token: 'only' }, async (host) => {
    const open = [];
    for (let index = 0; index < 8; index++)
      open.push(await host.call('upload_document', { name: `Deck ${index}.pdf` }));
    const { error } = await host.call('upload_document', { name: 'Deck 8.pdf' });
    expect(error).toMatchObject({ code: 'too_many' });
    expect((await put(open[0]?.data['upload_url'], Buffer.from('no document'))).ok).toBe(false);
    expect((await host.call('upload_document', { name: 'Deck 8.pdf' })).error).toMatchObject({ code: 'too_many' });
    const answer = await put(open[0]?.data['upload_url'], pdf(40));
    expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)]);
    expect((await host.call('upload_document', { name: 'Deck 8.pdf' })).data).toMatchObject({ done: false });
  });
});

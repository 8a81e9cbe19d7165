import { execFile, execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAudit } from '../../mcp/audit/audit.ts';
import { createLog } from '../../mcp/audit/log.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { type Host, openHost } from '../support/mcp-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'docshare-audit-'));
let sandbox: Sandbox;
let key: string;
beforeAll(async () => {
  sandbox = await createSandbox({ data: 'empty' });
  key = sandbox.key();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

async function withHost<Result>(args: string[], act: (host: Host) => Promise<Result>): Promise<Result> {
  const host = await openHost({ args, env: { DOCSHARE_API_KEY: key, DOCSHARE_BASE_URL: sandbox.url } });
  return act(host).finally(() => host.close());
}

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('a pipe with a reader and a device take lines at once; from a pipe that is full the write is refused', () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const failed: unknown[] = [];
  const onFailure = (error: unknown) => void failed.push(error);
  const act = { tool: 'create_link', args: {}, apiKey: undefined, approvedBy: 'not_needed' } as const;
  const audit = openAudit(path, { onFailure });
  audit.start(act).end('done');
  const read = Buffer.alloc(4096);
  const lines = read.toString('utf8', 0, readSync(reader, read)).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).outcome)).toEqual(['started', 'done']);
  const fill = () => {
    for (;;) audit.start(act);
  };
  expect(fill).toThrow('nothing was done');
  expect(failed).toMatchObject([{ code: 'EAGAIN' }]);
  closeSync(reader);
  openAudit('/dev/null', { onFailure }).start(act).end('done');
  expect(failed).toHaveLength(1);
});

test('each write leaves a line before and after it, reads and previews none', async () => {
  const path = join(folder, 'audit.jsonl');
  writeFileSync(path, '', { mode: 0o644 });
  const document = await withHost(['--audit', path, '--log-level', 'debug'], async (host) => {
    await host.call('list_documents');
    await host.call('delete_link', { id: 'x' });
    const content = Buffer.from('%PDF-1.4 secret words').toString('base64');
    const { data } = await host.call('upload_document', { content, name: 'Deck' });
    const args = { document_id: String(data.id) };
    const { data: preview } = await host.call('create_link', args);
    await host.call('create_link', { ...args, confirm_token: preview.confirm_token });
    await host.call('update_contact', { id: 'none', fields: { name: 'x' } });
    expect(host.stderr()).toMatch(/"level":"debug","event":"call","tool":"list_documents"/);
    expect(host.stderr()).not.toContain(key);
    return args.document_id;
  });
  const lines = linesOf(path);
  expect(lines.map(({ tool, outcome, approved_by }) => [tool, outcome, approved_by])).toEqual([
    ['upload_document', 'started', 'not_needed'],
    ['upload_document', 'done', 'not_needed'],
    ['create_link', 'started', 'token'],
    ['create_link', 'done', 'token'],
    ['update_contact', 'started', 'not_needed'],
    ['update_contact', 'not_found', 'not_needed'],
  ]);
  expect(lines[3]).toMatchObject({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    arguments_sha256: expect.stringMatching(/^[\w-]{43}$/),
    key: expect.stringMatching(/^[0-9a-f]{16}$/),
    ids: { id: expect.any(String), document_id: document },
    write: lines[2].write,
  });
  expect(JSON.stringify(lines)).not.toMatch(/secret words|confirm_token/);
  expect(JSON.stringify(lines)).not.toContain(key);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('where the line can not be written, the write is refused and reads go on', async () => {
  const gone = mkdtempSync(join(folder, 'gone-'));
  await withHost(['--audit', join(gone, 'audit.jsonl')], async (host) => {
    rmSync(gone, { recursive: true });
    sandbox.log.clear();
    const { error } = await host.call('create_contact', { fields: { email: 'k@example.com' } });
    expect(error).toMatchObject({ code: 'not_audited' });
    expect(sandbox.log.entries()).toEqual([]);
    expect(host.stderr()).toContain('"event":"audit_failed","code":"ENOENT"');
    expect((await host.call('list_contacts')).isError).toBe(false);
  });
});

test('the log keeps to its level and lets no secret through', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', secrets: ['sk_live_1234'], write: (line) => lines.push(line) });
  log.info('call', { tool: 'x' });
  log.warn('protocol_error', { message: 'bad sk_live_1234 https://s.example/x?sig=abc', apiKey: 'abc' });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', event: 'protocol_error' });
  expect(lines[0]).not.toMatch(/sk_live|abc/);
});

test('lines that wait a moment are written in their order, and none is lost where the process ends', async () => {
  const program = `
    import { createLog } from ${JSON.stringify(new URL('../../mcp/audit/log.ts', import.meta.url).href)};
    const log = createLog({ level: 'info' });
    log.info('one');
    log.info('two');
    log.warn('three');
    log.info('four');
    process.exit(0);
  `;
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(stderr.match(/"event":"(\w+)"/g)).toEqual(
    ['one', 'two', 'three', 'four'].map((event) => `"event":"${event}"`),
  );
});

/** What an act leaves in the audit file, and what happens where it can't be written. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Account } from '../../../../mcp/account/account.ts';
import { openAudit } from '../../../../mcp/audit/audit.ts';
import { runAudited } from '../../../../mcp/audit/audit-call.ts';
import type { Tool } from '../../../../mcp/tool/tool.ts';
import { ToolError } from '../../../../mcp/tool-error.ts';
import { tools } from '../../../../mcp/tools/index.ts';
import { texts } from '../../../mcp/texts.ts';
import { standIn } from '../../../support/stand-in.ts';

let folder: string;
let path: string;
let failures: unknown[] = [];
const open = () => openAudit(path, { onFailure: (error) => failures.push(error) });
const entry = { tool: 'send_agreement', args: { id: 'a' }, apiKey: 'sk_live_1', approvedBy: 'form' } as const;
const lines = () =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docshare-audit-'));
  path = join(folder, 'audit.jsonl');
  failures = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('an act leaves two lines that belong together, with ids and no key', () => {
  const record = open().start({
    ...entry,
    args: {
      id: 'a',
      fields: { document_id: 'd', note: 'n' },
      roomId: 'r',
      solid: 'x',
      valid_identity: 'x',
      ownIdea: 'x',
    },
  });
  expect(lines()).toHaveLength(1);
  record.end('done', { id: 'b', link_id: 'l', url: 'u', nested: { id: 'no' } });
  const [started, ended] = lines();
  const same = {
    write: started.write,
    tool: 'send_agreement',
    arguments_sha256: expect.stringMatching(/^[\w-]{43}$/),
    key: expect.stringMatching(/^[0-9a-f]{16}$/),
    approved_by: 'form',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
  };
  expect(started).toEqual({ ...same, outcome: 'started', ids: { document_id: 'd', id: 'a', roomId: 'r' } });
  expect(ended).toEqual({ ...same, outcome: 'done', ids: { document_id: 'd', id: 'b', roomId: 'r', link_id: 'l' } });
  expect(readFileSync(path, 'utf8')).not.toMatch(/sk_live|note/);
  expect(readFileSync(path, 'utf8')).toMatch(/\}\n$/);
});

test('keys are told apart, the same one stays the same, and an id is cut at 128 signs', () => {
  const audit = open();
  audit.start(entry).end('done');
  open().start({ ...entry, apiKey: 'other' });
  audit.start({ ...entry, apiKey: undefined, args: { id: 'x'.repeat(200), other_id: 7 } });
  const [one, two, three, four] = lines();
  expect(one.key).toBe(two.key);
  expect(new Set([one.key, three.key, four.key]).size).toBe(3);
  expect(four.ids).toEqual({ id: 'x'.repeat(128) });
  expect(new Set([one.write, three.write, four.write]).size).toBe(3);
});

test('the file is its owner’s alone, one that was open before too', () => {
  writeFileSync(path, 'before\n', { mode: 0o644 });
  chmodSync(path, 0o664);
  open();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toBe('before\n');
  rmSync(path);
  open();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a file that was taken away is made anew', () => {
  const audit = open();
  rmSync(path);
  audit.start(entry);
  expect(lines()).toHaveLength(1);
});

test('what leaves no trace does not happen', () => {
  const audit = open();
  rmSync(folder, { recursive: true });
  expect(() => audit.start(entry)).toThrow(
    expect.objectContaining({ code: 'not_audited', message: expect.stringContaining(texts.soNothingWasDone) }),
  );
  expect(failures).toMatchObject([{ code: 'ENOENT' }]);
  expect(open).toThrow('ENOENT');
});

test('after the act nothing is thrown: what happened can not be refused', () => {
  const record = open().start(entry);
  rmSync(folder, { recursive: true });
  expect(() => record.end('done')).not.toThrow();
  expect(failures).toMatchObject([{ code: 'ENOENT' }]);
});

test('an act that fails half way says with its end what it left behind, and is thrown on', async () => {
  const failure = new ToolError('refused', 'The document is there, its link is not.', { document_id: 'd', note: 'n' });
  const act = () =>
    runAudited(() => Promise.reject(failure), {
      audit: open(),
      tool: tools.find(({ name }) => name === 'share_document') as Tool,
      args: { name: 'Deck' },
      account: standIn<Account>({ secrets: ['sk_live_1'] }),
      approvedBy: 'token',
    });
  await expect(act()).rejects.toBe(failure);
  expect(lines().map(({ outcome, ids, approved_by }) => ({ outcome, ids, approved_by }))).toEqual([
    { outcome: 'started', ids: {}, approved_by: 'token' },
    { outcome: 'refused', ids: { document_id: 'd' }, approved_by: 'token' },
  ]);
});

/** An audit on stdout, and one of several servers: each line whole, or the act does not happen. */
import fs, { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAudit } from '../../../../mcp/audit/audit.ts';

const entry = { tool: 'send_agreement', args: { id: 'a' }, apiKey: 'sk_live_1', approvedBy: 'form' } as const;

describe('on stdout', () => {
  let written = '';
  let failures: unknown[] = [];
  /** What the system does with the bytes that are left; by itself it takes all of them. */
  let take: (left: Uint8Array) => number = ({ byteLength }) => byteLength;
  const systemError = (code: string) => Object.assign(new Error(code), { code });
  beforeEach(() => {
    written = '';
    failures = [];
    take = ({ byteLength }) => byteLength;
    vi.useFakeTimers({ toFake: ['Date'] });
    const writeSync = (file: number, left: Uint8Array) => {
      expect(file).toBe(1);
      const taken = take(left);
      written += Buffer.from(left.subarray(0, taken)).toString('latin1');
      return taken;
    };
    vi.spyOn(fs, 'writeSync').mockImplementation(writeSync as typeof fs.writeSync);
    syncBuiltinESMExports();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    vi.useRealTimers();
  });
  const start = () =>
    openAudit('-', { onFailure: (error) => failures.push(error) }).start({ ...entry, args: { id: 'ä' } });

  test('each line is written before it goes on, in as many pieces as the system takes', () => {
    take = () => 7;
    start().end('done');
    const lines = written.split('\n').filter(Boolean);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { outcome: 'started', ids: { id: Buffer.from('ä').toString('latin1') } },
      { outcome: 'done' },
    ]);
    expect(written).not.toContain('replica');
  });

  test('a reader that is behind is waited for', () => {
    let asked = 0;
    take = ({ byteLength }) => {
      asked += 1;
      if (asked < 4) throw systemError('EAGAIN');
      return byteLength;
    };
    start();
    expect(asked).toBe(4);
    expect(JSON.parse(written)).toMatchObject({ outcome: 'started' });
  });

  test('and given up after two seconds: nothing is done', () => {
    const from = Date.now();
    take = () => {
      vi.setSystemTime(Date.now() + 1000);
      throw systemError('EAGAIN');
    };
    expect(start).toThrow(expect.objectContaining({ code: 'not_audited' }));
    expect(Date.now() - from).toBe(3000);
    expect(failures).toMatchObject([{ code: 'EAGAIN' }]);
  });

  test.each([systemError('EPIPE'), new Error('no code'), 'no error'])('%s is not waited for', (fault) => {
    let asked = 0;
    take = () => {
      asked += 1;
      throw fault;
    };
    expect(start).toThrow(expect.objectContaining({ code: 'not_audited' }));
    expect(asked).toBe(1);
    expect(failures).toEqual([fault]);
  });
});

test('servers that are replicas have each a file and a name in each line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docshare-audit-'));
  const path = join(folder, '{replica}-of-{replica}.jsonl');
  openAudit(path, { onFailure: () => undefined, replica: 'b' }).start(entry);
  expect(JSON.parse(readFileSync(join(folder, 'b-of-b.jsonl'), 'utf8'))).toMatchObject({
    replica: 'b',
    outcome: 'started',
  });
  const alone = join(folder, '{replica}.jsonl');
  openAudit(alone, { onFailure: () => undefined });
  expect(readdirSync(folder).sort()).toEqual(['b-of-b.jsonl', '{replica}.jsonl']);
  rmSync(folder, { recursive: true });
});

test.skipIf(process.platform !== 'linux')('a line leaves no file open', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docshare-audit-'));
  const path = join(folder, 'audit.jsonl');
  openAudit(path, { onFailure: () => undefined })
    .start(entry)
    .end('done');
  const open = readdirSync('/proc/self/fd').map((file) => {
    try {
      return readlinkSync(`/proc/self/fd/${file}`);
    } catch {
      return '';
    }
  });
  expect(open).not.toContain(path);
  rmSync(folder, { recursive: true });
});

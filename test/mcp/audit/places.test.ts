import { execFile, execFileSync } from 'node:child_process';
import fs, {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAudit } from '../../../mcp/audit/audit.ts';
import { createFolderForTest } from '../../support/cleanup.ts';

const entry = { tool: 'send_agreement', args: { id: 'a' }, apiKey: 'sk_live_1', approvedBy: 'form' } as const;
let folder: string;
beforeEach(() => {
  folder = createFolderForTest('docshare-audit-');
});

test('a pipe with a reader gets lines at once, and a full pipe makes the write fail', () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', ['-m', '644', path]);
  const { mode } = statSync(path);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const failed: unknown[] = [];
  const audit = openAudit(path, { onFailure: (error: unknown) => void failed.push(error) });
  audit.start(entry).end('done');
  const read = Buffer.alloc(4096);
  const lines = read.toString('utf8', 0, readSync(reader, read)).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).outcome)).toEqual(['started', 'done']);
  const fill = () => {
    for (;;) audit.start(entry);
  };
  expect(fill).toThrow('nothing was done');
  expect(failed).toMatchObject([{ code: 'EAGAIN' }]);
  closeSync(reader);
  // Only a file gets mode 0600.
  expect(statSync(path).mode & 0o777).toBe(mode & 0o777);
});

test.skipIf(process.platform === 'win32')('a symbolic link is rejected, and its target is unchanged', () => {
  const [path, target] = [join(folder, 'link'), join(folder, 'target')];
  writeFileSync(target, 'mine', { mode: 0o644 });
  symlinkSync(target, path);
  const failed: unknown[] = [];
  expect(() => openAudit(path, { onFailure: (error) => void failed.push(error) }).start(entry)).toThrow();
  expect([readFileSync(target, 'utf8'), statSync(target).mode & 0o777]).toEqual(['mine', 0o644]);
});

describe('on stdout', () => {
  let written = '';
  let failures: unknown[] = [];
  /** Returns how many of the remaining bytes the system takes. By default it takes all. */
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

  test('each line is written completely before the call continues, in as many pieces as the system takes', () => {
    take = () => 7;
    start().end('done');
    const lines = written.split('\n').filter(Boolean);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { outcome: 'started', ids: { id: Buffer.from('ä').toString('latin1') } },
      { outcome: 'done' },
    ]);
    expect(written).not.toContain('replica');
  });

  test('a slow reader is waited for', () => {
    let attempts = 0;
    take = ({ byteLength }) => {
      attempts += 1;
      if (attempts < 4) throw systemError('EAGAIN');
      return byteLength;
    };
    start();
    expect(attempts).toBe(4);
    expect(JSON.parse(written)).toMatchObject({ outcome: 'started' });
  });

  test('a reader that is stuck for two seconds makes the write fail', () => {
    const from = Date.now();
    take = () => {
      vi.setSystemTime(Date.now() + 1000);
      throw systemError('EAGAIN');
    };
    expect(start).toThrow(expect.objectContaining({ code: 'not_audited' }));
    expect(Date.now() - from).toBe(3000);
    expect(failures).toMatchObject([{ code: 'EAGAIN' }]);
  });

  test.each([systemError('EPIPE'), new Error('no code'), 'no error'])('%s fails at once', (fault) => {
    let attempts = 0;
    take = () => {
      attempts += 1;
      throw fault;
    };
    expect(start).toThrow(expect.objectContaining({ code: 'not_audited' }));
    expect(attempts).toBe(1);
    expect(failures).toEqual([fault]);
  });
});

test('each replica has its own file and writes its name into each line', () => {
  openAudit(join(folder, '{replica}-of-{replica}.jsonl'), { onFailure: () => undefined, replica: 'b' }).start(entry);
  expect(JSON.parse(readFileSync(join(folder, 'b-of-b.jsonl'), 'utf8'))).toMatchObject({
    replica: 'b',
    outcome: 'started',
  });
  openAudit(join(folder, '{replica}.jsonl'), { onFailure: () => undefined });
  expect(readdirSync(folder).sort()).toEqual(['b-of-b.jsonl', '{replica}.jsonl']);
});

test('buffered lines are written in order, and none is lost when the process exits', async () => {
  const program = `
    import { createLog } from ${JSON.stringify(new URL('../../../mcp/audit/log.ts', import.meta.url).href)};
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

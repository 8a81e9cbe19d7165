/** Tests both deployments of `deploy/` as plain processes with their restrictions, in every use of docs/hosting.md. */
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, test } from 'vitest';
import { hasRedis, NO_REDIS } from '../../support/redis-server.ts';

const walk = fileURLToPath(new URL('../../support/deployed-walk.ts', import.meta.url));
/** A network of only this machine, with a public internet address that leads to it. */
const setUp = 'ip link set lo up && ip addr add 93.184.216.34/32 dev lo';
const canIsolate = spawnSync('unshare', ['--net', '--mount', 'sh', '-c', setUp]).status === 0;
const reason = hasRedis ? 'no right to isolate processes' : NO_REDIS;
const canRun = hasRedis && canIsolate;

describe.skipIf(!canRun)(canRun ? 'a deployment' : `a deployment (skipped: ${reason})`, () => {
  test.for(['compose', 'kubernetes'])(
    'with %s serves every use without a writable file',
    { concurrent: true, timeout: 120_000 },
    async (kind, { expect }) => {
      // Nothing may write files, nor may a coverage run, which sets this variable for all processes.
      const command = `${setUp} && exec env -u NODE_V8_COVERAGE "$0" "$@"`;
      const args = ['--net', '--mount', 'sh', '-c', command, process.execPath, walk, kind];
      const { stdout } = await promisify(execFile)('unshare', args);
      expect(JSON.parse(stdout)).toEqual({
        writable: ['0'],
        call: false,
        'upload by url': 1_800_000,
        'upload from the chat': 'Figures.csv',
        'a lying type is refused': true,
        'upload by a program': 201,
        'upload page': [true, 201, true],
        download: [200, '%PDF-'],
        approval: 'Approved',
        'approved call': false,
        refresh: 200,
        'call while one replica restarts': false,
        'call after the restart': false,
        readyz: [200, 'redis', 2, 200],
        metrics: [true, true],
        audit: true,
        errors: [],
      });
    },
  );
});

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { learnMain, mcpMain, sandboxMain } from '../support/entry.ts';

const GONE = /The working folder no longer exists/;

/** Runs a command in a deleted folder, with nothing on stdin. */
function run(main: string, args: readonly string[]) {
  const { PATH } = process.env;
  const env = { PATH, DOCSHARE_API_KEY: 'key', DOCSHARE_BASE_URL: 'http://127.0.0.1:9/api/v1' };
  const script = 'd=$(mktemp -d); cd "$d" && rmdir "$d" && exec "$0" "$@"';
  return spawnSync('sh', ['-c', script, process.execPath, main, ...args], { env, encoding: 'utf8', input: '' });
}

test.each([
  [mcpMain, [], 1],
  [mcpMain, ['doctor'], 1],
  [sandboxMain, ['--port', '0', '--data', 'x'], 1],
  [learnMain, ['learn'], 2],
])('%s %j reports that the folder is gone', (main, args, status) => {
  expect(run(main, args)).toMatchObject({ status, stderr: expect.stringMatching(GONE) });
});

/** That a build which works replaces the old one in one move can't be watched here: other tests run what is built. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = `${root}dist/mcp/main.js`;

test('a build that fails changes nothing and leaves nothing behind', async () => {
  const build = spawn(process.execPath, ['scripts/build.ts'], {
    cwd: root,
    env: { ...process.env, PATH: '/nonexistent' },
  });
  const [code] = await once(build, 'exit');
  expect([code, existsSync(built)]).toEqual([1, true]);
  expect(readdirSync(root).filter((name) => name.startsWith('dist-'))).toEqual([]);
}, 120_000);

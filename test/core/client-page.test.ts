import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { drawDeck } from '../../scripts/demo-deck.ts';
import { learnedProfile, writeProfile } from '../world/learned-service.ts';
import { programsOf, writePrograms } from '../world/page-programs.ts';

// Each program is a process of its own.
vi.setConfig({ testTimeout: 120_000 });

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const programs = programsOf('docs/client.md');
const written = writePrograms(programs);
const deck = await drawDeck();
afterAll(() => written.remove());

test.concurrent('the page has programs, and all of them fit the types of the built package', async () => {
  expect(programs.length).toBeGreaterThan(15);
  const top = dirname(written.folders[0] ?? '');
  const { stdout } = await run(process.execPath, [tsc, '--noEmit', '--checkers', '1', '-p', top], {
    cwd: root,
  }).catch((error) => error);
  expect(stdout).toBe('');
});

test.concurrent.each(programs.map(({ title }, index) => [title, index] as const))(
  'program %s runs as it stands, on the built package',
  async (_, index) => {
    const cwd = written.folders[index] ?? '';
    await writeFile(join(cwd, 'deck.pdf'), deck);
    const sandbox = await createSandbox();
    writeProfile(cwd, learnedProfile(sandbox.url));
    try {
      const env = {
        ...process.env,
        NODE_COMPILE_CACHE: join(dirname(cwd), 'compiled'),
        DOCSHARE_API_KEY: sandbox.key(),
        DOCSHARE_BASE_URL: sandbox.url,
      };
      const { stdout } = await run(process.execPath, ['program.mts'], { cwd, env });
      expect(stdout).not.toBe('');
      expect(stdout).not.toMatch(/undefined/);
    } finally {
      await sandbox.close();
    }
  },
);

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { drawDeck } from '../../scripts/demo-deck.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test("the README's program runs as it stands, on the built package", async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const program = readme.match(/```ts\n([\s\S]*?)```/)?.[1] ?? '';
  const sandbox = await createSandbox({ data: 'empty' });
  // Inside dist/, so that the import of 'docshare' finds this package itself.
  const folder = await mkdtemp(join(root, 'dist/readme-'));
  try {
    await writeFile(join(folder, 'program.mjs'), program);
    await writeFile(join(folder, 'deck.pdf'), await drawDeck());
    const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], {
      cwd: folder,
      env: { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url },
    });
    const address = stdout.trim().split('\n')[0] ?? '';
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    expect(sandbox.log.entries().map(({ route }) => route)).toEqual([
      'POST /documents',
      'POST /links',
      'GET /contacts',
    ]);
    expect((await fetch(address)).status).toBe(200);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await sandbox.close();
  }
});

test('the two commands stand at the top of the README, word for word', async () => {
  const top = (await readFile(join(root, 'README.md'), 'utf8')).split('\n').slice(0, 22);
  expect(top).toContain('npm ci && npm run demo');
  expect(top).toContain('npm ci && npm test');
});

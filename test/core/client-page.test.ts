import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { drawDeck } from '../../scripts/demo-deck.ts';
import { learnedProfile, writeProfile } from '../support/learned-service.ts';
import { programsOf, writePrograms } from '../support/page-programs.ts';
import type { Program } from '../support/run-programs.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const runner = fileURLToPath(new URL('../support/run-programs.ts', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const programs = programsOf('docs/client.md');
const written = writePrograms(programs);
const deck = await drawDeck();
afterAll(() => written.remove());

test('the page has programs, and all of them fit the types of the built package', async () => {
  expect(programs.length).toBeGreaterThan(15);
  const top = dirname(written.folders[0] ?? '');
  const { stdout } = await run(process.execPath, [tsc, '--noEmit', '--checkers', '1', '-p', top], { cwd: root }).catch(
    (error) => error,
  );
  expect(stdout).toBe('');
});

describe('on the built package', () => {
  const sandboxes: Sandbox[] = [];
  let results: readonly (readonly [printed: string, fault: string])[];
  beforeAll(async () => {
    const given: Program[] = [];
    for (const folder of written.folders) {
      const sandbox = await createSandbox();
      sandboxes.push(sandbox);
      await writeFile(join(folder, 'deck.pdf'), deck);
      writeProfile(folder, learnedProfile(sandbox.url));
      given.push({ folder, env: { DOCSHARE_API_KEY: sandbox.key(), DOCSHARE_BASE_URL: sandbox.url } });
    }
    // It ends when nothing of any of them is left open.
    const { stdout } = await run(process.execPath, [runner, JSON.stringify(given)]);
    const parts = stdout.split('\0');
    results = given.map((_, at) => [parts[2 * at] ?? '', parts[2 * at + 1] ?? 'not run']);
  }, 240_000);
  afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())));

  test.each(programs.map(({ title }, index) => [title, index] as const))('program %s runs unchanged', (_, index) => {
    const [printed, fault] = results[index] ?? ['', 'not run'];
    expect(fault).toBe('');
    expect(printed).not.toBe('');
    expect(printed).not.toMatch(/undefined/);
  });
});

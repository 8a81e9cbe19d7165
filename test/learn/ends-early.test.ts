/** A run that cannot continue, or cannot write its files, says why. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { closeAfterAll, createFolderForFile } from '../support/cleanup.ts';
import { learnEnvironment, runLearnCommand } from '../support/run-learn.ts';
import { texts } from './texts.ts';

let key = '';
const sandbox = await closeAfterAll(createSandbox({ seed: 1 }));
key = sandbox.key();
const folder = createFolderForFile('docshare-ends-');

async function run(...args: string[]) {
  const before = sandbox.log.entries().length;
  const { code, printed } = await runLearnCommand(args, { env: learnEnvironment(sandbox.url, key) });
  return { code, printed, calls: sandbox.log.entries().length - before };
}

test.each([
  ['1 call', 1],
  ['9 calls', 9],
])('a budget of %s is used up and reported as such', async (words, budget) => {
  const { code, printed, calls } = await run('--out', folder, '--budget', `${budget}`);
  expect({ code, calls }).toEqual({ code: 2, calls: budget });
  expect(printed).toContain(`The run ended early: The budget of ${words} is exhausted. Raise it with --budget.`);
  expect(printed).toContain(texts.runAgainResumeContinue);
  expect(printed).not.toContain('no response');
});

test('a check writes nothing, even if it ends early, and says so', async () => {
  const out = join(folder, 'checked');
  await run('--out', out, '--budget', '1');
  const written = await readdir(out);
  const { printed } = await run('--check', '--out', out, '--budget', '1');
  expect(printed).toContain('at most 1 call,');
  expect(printed).toContain(texts.nothingWrittenPressCtrl);
  expect(printed).toMatch(/ based on 1 call\.\n/);
  expect(await readdir(out)).toEqual(written);
});

test.each(['/proc/nowhere', '/dev/null/below'])('%s is rejected before the first call', async (out) => {
  const { code, printed, calls } = await run('--out', out);
  expect({ code, calls }).toEqual({ code: 2, calls: 0 });
  expect(printed).toMatch(/^The folder \S+ can't be written to \(E\w+\)\. Choose another with --out\.\n$/);
});

test('a missing folder is created', async () => {
  await run('--out', join(folder, 'new'), '--budget', '1');
  expect((await readdir(join(folder, 'new'))).sort()).toEqual(['docshare.learned.md', 'docshare.profile.json']);
});

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runDocshare } from '../../learn/cli/run-docshare.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { closeAfterAll, createFolderForFile } from '../support/cleanup.ts';
import { learnEnvironment, runLearnCommand } from '../support/run-learn.ts';
import { texts } from './texts.ts';

test.each([
  ['--wrte', /^Unknown option --wrte\. Did you mean --write\? Known options: --budget, /],
  ['--xyzzy', /^Unknown option --xyzzy\. Known options: --budget, (?!.*cleanup-process)/],
  ['-q', /^Unknown option '-q'.* See docshare learn --help\.$/],
  ['--out a --out b', texts.outGivenTwiceLeave],
  ['--out=--resume', /^--out has no value: --resume is an option\. Put the value right after --out\./],
  ['--budget --write', /^--budget has no value: .* See docshare learn --help\.$/],
  ['now', /^Unexpected argument 'now'.* See docshare learn --help\.$/],
  // The argument may be an API key, so the error does not repeat it.
  ['sk_live_1', /^Unexpected argument\. [^\d]* See docshare learn --help\.$/],
  ['--check --resume', "--resume can't be combined with --check: --check repeats all calls. Remove one of the two."],
  ['--openapi --write', "--write can't be combined with --openapi: --openapi makes no calls. Remove one of the two."],
  ['--openapi --budget 5', /^--budget can't be combined with --openapi/],
  ['--wait 5', '--wait works only with --write. Add it, or remove --wait.'],
  ['--leave', '--leave works only with --write. Add it, or remove --leave.'],
  ['--webhook-port 80', '--webhook-port works only with --write. Add it, or remove --webhook-port.'],
  ['--write --webhook-url ftp://a.test', /^--webhook-url must be an http:/],
  ['--write --webhook-url a.test', /^--webhook-url must be/],
  ['--write --webhook-url https://a.test/?x=1', /^--webhook-url must be/],
  ['--write --webhook-url https://a.test/#x', /^--webhook-url must be/],
  ['--write --webhook-port 70000', texts.webhookPortTakesWhole],
  ['--write --wait soon', texts.waitTakesWholeNumber],
  ['--out=', 'Invalid value of --out. Use a folder.'],
  ['--budget 0', texts.budgetTakesWholeNumber],
  ['--budget 1e2', texts.budgetTakesWholeNumber],
  ['--only list', /^--only: unknown topic "list"; did you mean lists\? Topics: lists, paging, /],
  ['--only xyzzy', /^--only: unknown topic "xyzzy"\. Topics: lists, /],
  ['--only ,', /^Invalid value of --only. Use topics: lists, paging, /],
])('%s is rejected', async (line, message) => {
  const { code, printed } = await runLearnCommand(line.split(' ').filter(Boolean), { env: {} });
  expect([code, printed.trimEnd()]).toEqual([2, expect.stringMatching(message)]);
});

test.each([
  ['learn --help', 'stdout', 0, /--budget/],
  ['--help', 'stdout', 0, /^Usage: docshare learn/],
  ['lern sk_live_1', 'stderr', 2, /^Unknown command; did you mean learn\?(?!.*sk_live)/s],
] as const)('docshare %s writes to %s and exits with %i', async (line, stream, code, message) => {
  const write = vi.spyOn(process[stream], 'write').mockReturnValue(true);
  await runDocshare(line.split(' '));
  expect([process.exitCode ?? 0, write.mock.calls.join('')]).toEqual([code, expect.stringMatching(message)]);
  process.exitCode = 0;
});

const sandbox = await closeAfterAll(createSandbox({ seed: 1 }));
const key = sandbox.key();
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
  expect(await run('--help')).toMatchObject({ code: 0, calls: 0, printed: expect.stringContaining('--budget') });
  await run('--out', join(folder, 'new'), '--budget', '1');
  expect((await readdir(join(folder, 'new'))).sort()).toEqual(['docshare.learned.md', 'docshare.profile.json']);
});

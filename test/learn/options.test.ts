/** Options of `docshare learn`: the error for each invalid command line. */
import { expect, test } from 'vitest';
import { runLearnCommand } from '../support/run-learn.ts';
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

/** Options of `docshare learn`: the error for each invalid command line, and the values of a valid one. */
import { expect, test } from 'vitest';
import { parseLearnOptions } from '../../../../learn/cli/learn-options.ts';
import { InputError } from '../../../../src/errors.ts';
import { texts } from '../../../learn/texts.ts';

const args = (line: string) => line.split(' ').filter(Boolean);

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
])('%s is rejected', (line, message) => {
  expect(() => parseLearnOptions(args(line))).toThrow(InputError);
  expect(() => parseLearnOptions(args(line))).toThrow(message);
});

test('by default it only reads, with a budget of 60 calls', () => {
  expect(parseLearnOptions([])).toMatchObject({
    budget: 60,
    only: undefined,
    out: '.',
    resume: false,
    check: false,
    write: false,
    leave: false,
    webhookUrl: undefined,
    webhookPort: 0,
    waitSeconds: 0,
    limit: false,
    cleanupProcess: false,
    openapi: false,
    help: false,
  });
  expect(parseLearnOptions(['--write']).budget).toBeGreaterThan(60);
});

test('every option is parsed, and topics keep their fixed order', () => {
  const line =
    '--write --leave --limit --resume --only events,lists --only=paging --budget 1000 --out o --wait 3600 --webhook-url https://a.test/hook/ --webhook-port 8080 --cleanup-process';
  expect(parseLearnOptions(args(line))).toMatchObject({
    write: true,
    leave: true,
    limit: true,
    resume: true,
    only: ['lists', 'paging', 'events'],
    budget: 1000,
    out: 'o',
    waitSeconds: 3600,
    webhookUrl: 'https://a.test/hook',
    webhookPort: 8080,
    cleanupProcess: true,
  });
  expect(parseLearnOptions(args('--openapi --out o -h'))).toMatchObject({ openapi: true, help: true });
  expect(parseLearnOptions(['--check'])).toMatchObject({ check: true });
});

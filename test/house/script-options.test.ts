/** A script that people start by hand ends in a sentence where it does not have what was asked for, before it does anything. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.concurrent.each([
  ['demo', ['--kep'], "Unknown option '--kep'. Known: --keep."],
  ['pack', ['extra'], "Unexpected argument 'extra'. Known: --try."],
  ['build', ['--watch'], "Unknown option '--watch'. It takes no options."],
  ['browser', ['foo'], "Unexpected argument 'foo'. It takes no options."],
  ['docs', ['--chek'], "Unknown option '--chek'. Known: --check."],
  ['installs', ['--chek'], "Unknown option '--chek'. Known: --check."],
  ['bench', ['core'], "Unexpected argument 'core'. It takes no options."],
  ['bench-core', ['core'], "Unexpected argument 'core'. It takes no options."],
  ['pictures', ['--nope'], "Unknown option '--nope'. It takes no options."],
  ['view-pictures', ['-h'], "Unknown option '-h'. It takes no options."],
  ['prove-replicas', ['nope'], 'There is no part "nope". Known: limit, crowd, hand-over.'],
  ['prove-replicas', ['limit', 'x'], 'REPLICAS takes a whole number from 1 to 32, not "x".'],
  ['prove-replicas', ['hand-over', '3'], 'That is more than this part takes.'],
  ['hosted', ['--prot', '1'], "Unknown option '--prot'. Known: --port, --replicas, --redis."],
  ['hosted', ['--port', '1', '--port', '2'], /^--port was given twice: leave one out\. Known: /],
  ['hosted', ['--redis', '--port'], /^--port has no value\. Known: /],
  ['release', ['--nosuch'], "Unknown option '--nosuch'. Known: --dry-run."],
  ['hosted', ['--replicas', 'two'], '--replicas takes a whole number from 1 to 32, not "two".'],
  ['zapier-scale', ['constructor'], /^There is no part "constructor"\. Known: newest-100, .*, actions\.$/],
] as const)('scripts/%s.ts refuses %j', (name, args, words) => {
  const script = `${root}scripts/${name}.ts`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr.trim()).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
});

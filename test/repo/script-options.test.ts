import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const said: string[] = [];
const argv = process.argv;
beforeEach(() => {
  said.length = 0;
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with ${code}`);
  });
  vi.spyOn(console, 'error').mockImplementation((words: unknown) => void said.push(`stderr: ${words}`));
  vi.spyOn(console, 'log').mockImplementation((words: unknown) => void said.push(`stdout: ${words}`));
});
afterEach(() => {
  process.argv = argv;
});

test.each([
  ['scripts/demo', ['--kep'], "Unknown option '--kep'. Known: --keep."],
  ['scripts/pack', ['extra'], "Unexpected argument 'extra'. Known: --try."],
  ['scripts/build', ['--watch'], "Unknown option '--watch'. It takes no options."],
  ['scripts/docs', ['--chek'], "Unknown option '--chek'. Known: --check."],
  ['tools/bench', ['core'], "Unexpected argument 'core'. It takes no options."],
  ['tools/view-screenshots', ['-h'], "Unknown option '-h'. It takes no options."],
  ['tools/verify-replicas', ['nope'], 'There is no part "nope". Known: limit, crowd, hand-over.'],
  ['tools/verify-replicas', ['limit', 'x'], 'REPLICAS takes a whole number from 1 to 32, not "x".'],
  ['scripts/hosted', ['--prot', '1'], "Unknown option '--prot'. Known: --port, --replicas, --redis."],
  ['scripts/hosted', ['--port', '1', '--port', '2'], /^stderr: --port is set twice\. Remove one of the two\. Known: /],
  ['scripts/hosted', ['--replicas', 'two'], '--replicas takes a whole number from 1 to 32, not "two".'],
  ['tools/zapier-scale', ['constructor'], /There is no part "constructor"\. Known: newest-100, .*, actions\.$/],
] as const)('%s.ts rejects %j', async (name, args, words) => {
  const script = new URL(`../../${name}.ts`, import.meta.url).href;
  process.argv = [process.execPath, script, ...args];
  // A module is evaluated once per URL, so each start uses its own URL.
  const ended = await import(`${script}?start=${encodeURIComponent(args.join())}`).catch((end: unknown) => end);
  expect(ended).toEqual(new Error('ended with 2'));
  expect(said).toEqual([typeof words === 'string' ? `stderr: ${words}` : expect.stringMatching(words)]);
});

test.each([
  ['browser', 'foo', "Unexpected argument 'foo'. It takes no options."],
  ['release', '--nosuch', "Unknown option '--nosuch'. Known: --dry-run."],
])('scripts/%s.ts, which other modules also import, rejects %s', (name, argument, words) => {
  const script = fileURLToPath(new URL(`../../scripts/${name}.ts`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, argument], { encoding: 'utf8' });
  expect({ status, stdout, stderr: stderr.trim() }).toEqual({ status: 2, stdout: '', stderr: words });
});

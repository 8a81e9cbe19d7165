import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ExpectStatic, test } from 'vitest';
import { COMPILED } from '../support/entry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The demo as a user runs it, without a browser. Its files go to a folder of the test. */
function startDemo(expect: ExpectStatic, ...args: string[]) {
  expect(existsSync(`${root}dist/whole/main.js`), 'npm run build comes first').toBe(true);
  const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
  const env = { ...process.env, ...COMPILED, TMPDIR: folder, CHROMIUM_PATH: '/nonexistent' };
  const child = spawn(process.execPath, ['scripts/demo.ts', ...args], { cwd: root, env });
  let output = '';
  const saw = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
      for (const check of saw) check();
    });
  return {
    child,
    output: () => output,
    until: (words: string) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (output.includes(words)) resolve();
        };
        saw.add(check);
        check();
      }),
    leftovers: () => readdirSync(folder).filter((name) => name.startsWith('docshare-demo')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test.concurrent('the demo runs from an upload to a signed PDF and describes the path of the visitor', async ({
  expect,
}) => {
  const demo = startDemo(expect);
  const [code] = await once(demo.child, 'exit');
  expect(demo.output()).toContain('All 16 steps went through');
  expect(demo.output()).toContain("the pages' own routes, since no browser could be started");
  expect([code, demo.leftovers()]).toEqual([0, []]);
  demo.remove();
});

test.concurrent('--keep keeps everything open until Ctrl-C', async ({ expect }) => {
  const demo = startDemo(expect, '--keep');
  await demo.until('with the key');
  const url = demo.output().match(/the shared deck\s+(\S+)/)?.[1] ?? '';
  expect((await fetch(url)).status).toBe(200);
  expect(demo.leftovers()).toHaveLength(1);
  demo.child.kill('SIGINT');
  const [code] = await once(demo.child, 'exit');
  expect([code, demo.leftovers()]).toEqual([0, []]);
  demo.remove();
});

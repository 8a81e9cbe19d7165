import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { createFileStore } from '../../sandbox/storage/file-store.ts';
import { sandboxMain } from '../world/entry.ts';

async function run(...args: string[]) {
  const child = spawn(process.execPath, [sandboxMain, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, out };
}

test('it says its version, and which ports there are', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(await run('--version')).toEqual({ code: 0, out: `${version}\n` });
  expect(await run('--port', '99999')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^--port takes a number from 0 to 65535\n/),
  });
});

test.skipIf(process.platform !== 'linux')('a folder that can never be made is refused at once', async () => {
  const sandbox = await createSandbox({ data: 'empty' });
  try {
    await expect(sandbox.save('/proc/none/of/it')).rejects.toThrow(/ENOENT/);
  } finally {
    await sandbox.close();
  }
  const store = createFileStore({ names: () => new Map(), folder: '/proc/none/of/it' });
  expect(() => store.folder()).toThrow(/ENOENT/);
});

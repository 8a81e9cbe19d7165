/** Temporary folders of sandboxes: what killed processes left goes with the next start, and no other. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { makePassing, removeFolder, removeOrphans } from '../../sandbox/storage/passing-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docshare-passing-'));
  vi.stubEnv('TMPDIR', folder);
  return () => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  };
});

test('what a killed process left goes with the next start, and what others hold stays', async () => {
  const made = makePassing();
  onTestFinished(() => removeFolder(made));
  const [, , where] = basename(made).split('-');
  expect(basename(made)).toMatch(new RegExp(`^docshare-sandbox-[0-9a-f]{8}-${process.pid}-\\d*-`));
  const named = (pid: number, rest: string) => `docshare-sandbox-${where}-${pid}-${rest}`;
  const left = [named(999999999, '99999999999-aaaaaa')];
  // The number of one that is gone is another program's now.
  if (process.platform === 'linux')
    left.push(named(process.ppid, '99999999999-aaaaaa'), named(process.pid, '99999999999-aaaaaa'));
  // One that lives, one of another machine, one of an older version.
  const others = [
    named(process.ppid, '-aaaaaa'),
    'docshare-sandbox-00000000-999999999-1-aaaaaa',
    'docshare-sandbox-aaaaaa',
  ];
  for (const name of [...left, ...others]) mkdirSync(join(folder, name));
  for (const name of left) writeFileSync(join(folder, name, 'a-document'), 'x');
  const [link, file] = [named(999999999, '99999999999-link'), named(999999999, '99999999999-file')];
  symlinkSync(join(folder, 'docshare-sandbox-aaaaaa'), join(folder, link));
  writeFileSync(join(folder, file), '');
  const sandbox = await createSandbox({ data: 'empty' });
  onTestFinished(() => sandbox.close());
  expect(readdirSync(folder).sort()).toEqual([basename(made), ...others, link, file].sort());
  vi.stubEnv('TMPDIR', join(folder, 'none'));
  expect(removeOrphans).not.toThrow();
});

/** In this process, whose sandboxes have their temporary folders in `TMPDIR` from now on. */
async function uploadIn(sandbox: Sandbox) {
  const answer = await fetch(`${sandbox.url}/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.key()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Deck', content: 'aGVsbG8=' }),
  });
  return { status: answer.status, text: await answer.text() };
}

test('a temporary folder that can not be made is told, and one that was cleared away is made again', async () => {
  vi.stubEnv('TMPDIR', join(folder, 'nowhere'));
  const sandbox = await createSandbox({ data: 'empty' });
  expect(await uploadIn(sandbox)).toMatchObject({
    status: 507,
    text: expect.stringContaining("The sandbox can't write the file on this machine (ENOENT)"),
  });
  vi.stubEnv('TMPDIR', folder);
  expect(await uploadIn(sandbox)).toMatchObject({ status: 201 });
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  expect(await uploadIn(sandbox)).toMatchObject({ status: 201 });
  const [made = ''] = readdirSync(folder);
  expect(readdirSync(join(folder, made))).toHaveLength(1);
  await sandbox.close();
  expect(readdirSync(folder)).toEqual([]);
});

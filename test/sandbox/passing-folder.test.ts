/** Temporary folders of sandboxes whose process was killed: the next one removes them, and no other's. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';

const SOURCE = new URL('../../sandbox/storage/passing-folder.ts', import.meta.url).href;

/** Makes one in a process that then ends as `end` says; gives its name. */
function makeIn(folder: string, end: string): string {
  const program = `import { makePassing } from '${SOURCE}'; import { basename } from 'node:path';
    import { writeSync } from 'node:fs'; writeSync(1, basename(makePassing())); ${end}`;
  const args = ['--no-warnings', '--input-type=module', '-e', program];
  return spawnSync(process.execPath, args, { env: { ...process.env, TMPDIR: folder }, encoding: 'utf8' })
    .stdout;
}

test('what a killed process left goes with the next start, and what others hold stays', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docshare-passing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const left = makeIn(folder, "process.kill(process.pid, 'SIGKILL')");
  expect(left).toMatch(/^docshare-sandbox-[0-9a-f]{8}-\d+-/);
  writeFileSync(join(folder, left, 'a-document'), 'x');
  const [, , where] = left.split('-');
  // One that lives, one of another machine, one of an older version, a link and a file.
  const others = [
    `docshare-sandbox-${where}-${process.pid}-aaaaaa`,
    'docshare-sandbox-00000000-999999999-aaaaaa',
    'docshare-sandbox-aaaaaa',
  ];
  for (const name of others) mkdirSync(join(folder, name));
  const link = `docshare-sandbox-${where}-999999999-link`;
  symlinkSync(join(folder, others[0] ?? ''), join(folder, link));
  const file = `docshare-sandbox-${where}-999999999-file`;
  writeFileSync(join(folder, file), '');
  const next = makeIn(folder, '');
  expect(next).not.toBe('');
  expect(readdirSync(folder).sort()).toEqual([...others, link, file].sort());
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
  const folder = mkdtempSync(join(tmpdir(), 'docshare-passing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
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

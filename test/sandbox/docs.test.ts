import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test("the sandbox guide's programs run as they stand, on the built package", async () => {
  const guide = await readFile(join(root, 'docs/sandbox.md'), 'utf8');
  const [main = '', faults = ''] = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, program]) => program);
  const end = 'await sandbox.close();';
  expect(main).toContain(end);
  const checks = `${faults}\nconsole.log(JSON.stringify({ rules: sandbox.faults.rules().length, status: answer.status }));\n`;
  // Inside dist/, so that the import of 'docshare/sandbox' finds this package itself.
  const folder = await mkdtemp(join(root, 'dist/guide-'));
  try {
    await writeFile(join(folder, 'program.mjs'), main.replace(end, checks + end));
    const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({ rules: 2, status: 200 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));

/** What the compiler says of a program in a folder, under `--strict`; empty where it says nothing. */
export async function compile(folder: string, program: string): Promise<string> {
  writeFileSync(join(folder, 'program.ts'), program);
  const args = [
    '--strict',
    '--noEmit',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom',
    '--module',
    'nodenext',
    '--types',
    '',
  ];
  const running = promisify(execFile)(process.execPath, [tsc, ...args, 'program.ts'], { cwd: folder });
  return running.then(
    () => '',
    (error: { stdout?: string; message: string }) => error.stdout ?? error.message,
  );
}

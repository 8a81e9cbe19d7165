import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './root-folder.ts';

const tsc = join(root, 'node_modules/.bin/tsc');

/** The compiler's errors in a program and all declarations of its folder, with `--strict` and the built `docshare`. */
export async function compile(folder: string, program: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const [name, target] of Object.entries({ docshare: root, '@types': join(root, 'node_modules/@types') }))
    if (!existsSync(join(modules, name))) symlinkSync(target, join(modules, name));
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
    'node',
  ];
  return promisify(execFile)(process.execPath, [tsc, ...args, 'program.ts'], { cwd: folder }).then(
    () => '',
    (error: { stdout?: string; message: string }) => error.stdout ?? error.message,
  );
}

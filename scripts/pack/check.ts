import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { PACKAGES } from './packages.ts';

/** What publishers' tools say of the packages. @throws Error with all of it where they say anything. */
export async function checkPackages(
  folder: string,
  tarballs: Readonly<Record<string, string>>,
): Promise<void> {
  const faults: string[] = [];
  for (const name of PACKAGES) {
    const pkgDir = join(folder, name);
    const { messages, pkg } = await publint({ pkgDir, strict: true, pack: false });
    faults.push(...messages.map((message) => `publint, ${name}: ${formatMessage(message, pkg)}`));
  }
  const attw = resolve('node_modules/@arethetypeswrong/cli/dist/index.js');
  // The server is a program: it has no types.
  for (const name of ['docshare', 'docshare-sandbox']) {
    try {
      execFileSync(process.execPath, [attw, tarballs[name] ?? '', '--profile', 'esm-only', '--no-emoji'], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    } catch (error) {
      faults.push(`attw, ${name}: ${(error as { stdout: string }).stdout}`);
    }
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

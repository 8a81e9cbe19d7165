import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { PACKAGES } from './build-packages.ts';

/** Maximum installed size of the server: own code, and compressed pdf.js. */
export const MAX_SERVER_BYTES = { own: 2_650_000, pdfjs: 1_450_000 } as const;

/** @returns the size of the server's package without pdf.js, in bytes */
export function measurePackage(folder: string): { own: number; pdfjs: number } {
  const sizes = { own: 0, pdfjs: 0 };
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = statSync(join(folder, name));
    if (file.isFile()) sizes[name.endsWith('pdfjs.br') ? 'pdfjs' : 'own'] += file.size;
  }
  return sizes;
}

/** Checks sizes and runs the publishers' tools. @throws Error with everything they found */
export async function checkPackages(folder: string, tarballs: Readonly<Record<string, string>>): Promise<void> {
  const problems: string[] = [];
  for (const name of PACKAGES) {
    const pkgDir = join(folder, name);
    const { messages, pkg } = await publint({ pkgDir, strict: true, pack: false });
    problems.push(...messages.map((message) => `publint, ${name}: ${formatMessage(message, pkg)}`));
  }
  const attw = resolve('node_modules/@arethetypeswrong/cli/dist/index.js');
  // The server is a program without types.
  for (const name of ['docshare', 'docshare-sandbox']) {
    try {
      execFileSync(process.execPath, [attw, tarballs[name] ?? '', '--profile', 'esm-only', '--no-emoji'], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    } catch (error) {
      problems.push(`attw, ${name}: ${(error as { stdout: string }).stdout}`);
    }
  }
  const { own, pdfjs } = measurePackage(join(folder, 'docshare-mcp'));
  if (own > MAX_SERVER_BYTES.own)
    problems.push(`docshare-mcp: ${own} bytes exceed the maximum of ${MAX_SERVER_BYTES.own}`);
  if (pdfjs > MAX_SERVER_BYTES.pdfjs)
    problems.push(`docshare-mcp: ${pdfjs} bytes of pdf.js exceed the maximum of ${MAX_SERVER_BYTES.pdfjs}`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

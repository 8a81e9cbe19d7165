import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { PACKAGES } from './build-packages.ts';

/** The most that the server may take where it is installed: what it brings that is ours, and pdf.js compressed. */
export const MAX_SERVER_BYTES = { own: 2_550_000, pdfjs: 1_450_000 } as const;

/** @returns bytes of the server's package, its pdf.js apart. */
export function measurePackage(folder: string): { own: number; pdfjs: number } {
  const sizes = { own: 0, pdfjs: 0 };
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = statSync(join(folder, name));
    if (file.isFile()) sizes[name.endsWith('pdfjs.br') ? 'pdfjs' : 'own'] += file.size;
  }
  return sizes;
}

/** What publishers' tools say of the packages, and what is too large. @throws Error with all of it. */
export async function checkPackages(folder: string, tarballs: Readonly<Record<string, string>>): Promise<void> {
  const problems: string[] = [];
  for (const name of PACKAGES) {
    const pkgDir = join(folder, name);
    const { messages, pkg } = await publint({ pkgDir, strict: true, pack: false });
    problems.push(...messages.map((message) => `publint, ${name}: ${formatMessage(message, pkg)}`));
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
      problems.push(`attw, ${name}: ${(error as { stdout: string }).stdout}`);
    }
  }
  const { own, pdfjs } = measurePackage(join(folder, 'docshare-mcp'));
  if (own > MAX_SERVER_BYTES.own) problems.push(`docshare-mcp: ${own} bytes are more than ${MAX_SERVER_BYTES.own}`);
  if (pdfjs > MAX_SERVER_BYTES.pdfjs)
    problems.push(`docshare-mcp: ${pdfjs} bytes of pdf.js are more than ${MAX_SERVER_BYTES.pdfjs}`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

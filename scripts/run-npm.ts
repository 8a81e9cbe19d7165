import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';

/** Runs npm. On Windows `npm` is a batch file, which Node does not start, so the program behind it runs instead. */
export function runNpm(args: readonly string[], options: ExecFileSyncOptions): void {
  const program = process.env['npm_execpath'];
  if (program?.endsWith('npm-cli.js')) execFileSync(process.execPath, [program, ...args], options);
  else execFileSync('npm', args, options);
}

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { mcpMain } from './entry.ts';

export interface RunOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** Starts `docshare-mcp` as a separate process, which is killed when the test ends. */
export function startMcp(args: readonly string[], { env = {}, cwd }: RunOptions = {}) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [mcpMain, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk) => {
      output[stream] += chunk;
    });
  return { child, output };
}

/** Runs `docshare-mcp` with an empty stdin until it exits. */
export async function runMcp(args: readonly string[], options: RunOptions = {}) {
  const { child, output } = startMcp(args, options);
  child.stdin.end();
  const [code, signal] = await once(child, 'close');
  return { code: signal ?? code, ...output };
}

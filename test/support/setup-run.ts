import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CommandLineError } from '../../mcp/server/parse-command-line.ts';
import { SERVER_OPTION_SPEC } from '../../mcp/server/subcommands.ts';
import { hosts } from '../../mcp/setup/hosts.ts';
import type { Prompter } from '../../mcp/setup/prompter.ts';
import { type Machine, runSetup } from '../../mcp/setup/setup.ts';
import { getUserFolders } from '../../mcp/setup/user-folders.ts';
import { collectText } from './collect-text.ts';
import { mcpMain } from './entry.ts';

/** The supported hosts: their names and settings files. */
export { hosts };

export const KEY = 'dsk_live_NEVER_SHOW_ME_0123456789';
export const BASE_URL = 'https://docs.example.com/api/v1';

export interface Outcome {
  readonly code: number;
  readonly out: string;
}

/** Creates a home folder and removes it after the test. */
export function newHome(name = 'docshare-home-'): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), name)));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Returns the path of a host's file in this home. */
export function fileIn(home: string, id: string): string {
  const [file = ''] = hosts.find((one) => one.id === id)?.files(getUserFolders({ HOME: home }, 'linux')) ?? [];
  return file;
}

export function writeIn(home: string, id: string, text: string | Uint8Array): string {
  const file = fileIn(home, id);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** A prompter without a terminal. */
export const nobody: Prompter = {
  isInteractive: false,
  ask: () => Promise.reject(new Error('Nobody was there to ask')),
  confirm: () => Promise.reject(new Error('Nobody was there to ask')),
};

/** Runs `docshare-mcp setup …` on a machine with this home. No output may show the key. */
export async function setup(
  home: string,
  args: readonly string[],
  {
    env = {},
    person = nobody,
    main: own = mcpMain,
  }: { env?: Record<string, string>; person?: Prompter; main?: string } = {},
): Promise<Outcome> {
  let out = '';
  const machine: Machine = {
    env: { ...environment(home), ...env },
    platform: 'linux',
    main: own,
    node: process.execPath,
    version: '9.9.9',
    prompter: person,
    print: (text) => {
      out += text;
    },
  };
  const code = await runSetup(args, { machine, serverSpec: SERVER_OPTION_SPEC }).catch((error: unknown) => {
    // The process prints the message of these errors; for all others, that it could not start.
    if (!(error instanceof CommandLineError)) throw error;
    out += (error as Error).message;
    return 1;
  });
  if (out.includes(KEY)) throw new Error('The key was shown');
  return { code, out };
}

/** The same in a separate process without a terminal. */
export async function setupProcess(
  home: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [mcpMain, 'setup', ...args], {
    cwd: home,
    env: { ...environment(home), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const getOutput = collectText(child.stdout, child.stderr);
  const [code] = await once(child, 'close');
  const out = getOutput();
  if (out.includes(KEY)) throw new Error('The key was shown');
  if (/\n\s+at /.test(out)) throw new Error(`A stack was shown: ${out}`);
  return { code, out };
}

function environment(home: string): Record<string, string> {
  return { HOME: home, PATH: process.env['PATH'] ?? '', DOCSHARE_API_KEY: KEY, DOCSHARE_BASE_URL: BASE_URL };
}

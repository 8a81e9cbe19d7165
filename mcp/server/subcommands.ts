import { join, resolve } from 'node:path';
import { version } from '../../src/version.ts';
import { readWorkspaces } from '../account/workspaces.ts';
import { getStateFolder } from '../state/state-folder.ts';
import { resolveAllowedFolders } from './allowed-folders.ts';
import { type Command, ENTRY_OPTIONS, parseCommandLine } from './parse-command-line.ts';
import { selectToolset } from './select-toolset.ts';
import { startSandbox } from './start-sandbox.ts';

/** Runs `doctor`. Its report goes to stdout. */
export async function runDoctorCommand(command: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const { sandbox, data, json } = command;
  // Rejects options that the server would reject.
  selectToolset(command);
  resolveAllowedFolders(command);
  const { runDoctor } = await import('../doctor/doctor.ts');
  // In memory, because a server may be using the folder.
  const service = sandbox ? await startSandbox() : undefined;
  try {
    const print = (text: string) => void process.stdout.write(text);
    const savedSandbox = service && {
      ...service,
      dataFolder: resolve(data ?? join(getStateFolder(env) ?? 'docshare', 'sandbox')),
    };
    const workspaces = sandbox ? [] : readWorkspaces(env);
    if (workspaces.length === 0) process.exitCode = await runDoctor({ env, sandbox: savedSandbox, json, print });
    for (const { name, apiKey } of workspaces) {
      if (!json) print(`Workspace ${name}\n`);
      const workspaceEnv = { ...env, DOCSHARE_API_KEY: apiKey };
      const exitCode = await runDoctor({ env: workspaceEnv, sandbox: undefined, json, print });
      process.exitCode = Math.max(Number(process.exitCode ?? 0), exitCode);
    }
  } finally {
    await service?.close();
  }
}

/** Options that a host's entry may have, with their check. */
export const SERVER_OPTION_SPEC = {
  options: ENTRY_OPTIONS,
  check: (args: readonly string[]) => selectToolset(parseCommandLine(args)),
};

export async function runSetupCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { runSetup } = await import('../setup/setup.ts');
  const { createPrompter } = await import('../setup/prompter.ts');
  const print = (text: string) => void process.stdout.write(text);
  const machine = {
    env,
    platform: process.platform,
    main: resolve(process.argv[1] ?? ''),
    node: process.execPath,
    version,
    prompter: createPrompter(process.stdin, process.stdout),
    print,
  };
  process.exitCode = await runSetup(args, { machine, serverSpec: SERVER_OPTION_SPEC });
}

/** Runs `learn`, the same as `docshare learn`. */
export async function runLearnCommand(args: readonly string[]): Promise<void> {
  const { runLearnCli } = await import('../../learn/index.ts');
  process.exitCode = await runLearnCli(args);
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readWebUrl } from '../../src/web-url.ts';
import type { HostDefinition, LaunchConfig } from './hosts.ts';
import type { LaunchCommand } from './launch-command.ts';
import type { Prompter } from './prompter.ts';
import { serverInfo } from './server-info.ts';
import { SetupError } from './setup-error.ts';
import type { SetupOptions } from './setup-options.ts';

const { apiKey, baseUrl } = serverInfo.settings;

/** Returns the launch config for printing, with a placeholder for the key. */
export function getPrintableLaunchConfig(
  host: HostDefinition,
  from: { options: SetupOptions; start: LaunchCommand; env: NodeJS.ProcessEnv },
): LaunchConfig {
  const { options, start, env } = from;
  const args = [...start.args, ...options.args];
  if (options.sandbox) return { command: start.command, args, env: {}, key: undefined };
  const input = options.baseUrl ?? env[baseUrl.env];
  const url = input?.trim() ? parseBaseUrl(input) : baseUrl.placeholder;
  const key =
    (host.asksForKey || options.envKey) && host.getKeyReference ? host.getKeyReference(apiKey.env) : apiKey.placeholder;
  return { command: start.command, args, env: { [baseUrl.env]: url }, key };
}

/**
 * Returns the launch config, with the key if the host can't get it another way. @throws SetupError for
 * invalid settings.
 */
export async function promptForLaunchConfig(
  host: HostDefinition,
  from: { options: SetupOptions; start: LaunchCommand; env: NodeJS.ProcessEnv; prompter: Prompter; path: string },
): Promise<LaunchConfig> {
  const { options, start, env, prompter, path } = from;
  const args = [...start.args, ...options.args];
  rejectPlaceholders(host, [start.command, ...args]);
  if (options.sandbox) return { command: start.command, args, env: {}, key: undefined };
  const url = parseBaseUrl(
    options.baseUrl ||
      env[baseUrl.env]?.trim() ||
      (await promptFor(prompter, `${baseUrl.title} (${baseUrl.description}): `, baseUrl.env)),
  );
  rejectPlaceholders(host, [url]);
  return {
    command: start.command,
    args,
    env: { [baseUrl.env]: url },
    key: await getKey(host, { options, env, prompter, path }),
  };
}

async function getKey(
  host: HostDefinition,
  { options, env, prompter, path }: { options: SetupOptions; env: NodeJS.ProcessEnv; prompter: Prompter; path: string },
): Promise<string> {
  if (host.getKeyReference && (host.asksForKey || options.envKey)) return host.getKeyReference(apiKey.env);
  if (options.envKey) throw new SetupError(`${host.title} can't read a key from its environment. Leave --env-key out.`);
  const repository = findRepository(path);
  if (repository !== undefined)
    throw new SetupError(
      `${path} is in a Git repository (${repository}), so the key could be committed. ${host.getKeyReference ? 'Use --env-key and set DOCSHARE_API_KEY in the environment of the host.' : 'Nothing was changed.'}`,
    );
  const key = (
    env[apiKey.env]?.trim() ||
    (await promptFor(prompter, `${apiKey.title} (${apiKey.description}; not shown): `, apiKey.env, true))
  ).trim();
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new SetupError(
      `The key contains spaces or invalid characters. Copy it again from ${apiKey.description.replace('From ', '')}.`,
    );
  if (host.placeholderPattern?.test(key))
    throw new SetupError(
      `${host.title} would replace a part of this key. Use --env-key and set ${apiKey.env} in the environment of the host.`,
    );
  return key;
}

async function promptFor(prompter: Prompter, question: string, name: string, secret = false): Promise<string> {
  const answer = prompter.isInteractive ? await prompter.ask(question, { secret }) : '';
  if (answer === '')
    throw new SetupError(`${name} is missing. Set it in the environment and run this again. Nothing was changed.`);
  return answer;
}

/** @throws SetupError for an invalid URL. */
function parseBaseUrl(input: string): string {
  const text = input.trim();
  const { url } = readWebUrl(text);
  if (!url || url.search || url.hash)
    throw new SetupError(`The base URL must look like ${baseUrl.placeholder}. Nothing was changed.`);
  return text.replace(/\/+$/, '');
}

/** @throws SetupError if the host would expand a placeholder, and so start something else. */
function rejectPlaceholders(host: HostDefinition, values: readonly string[]): void {
  const found = host.placeholderPattern && values.find((value) => host.placeholderPattern?.test(value));
  if (found !== undefined)
    throw new SetupError(
      `${host.title} would replace a part of ${found}. Choose a path without placeholders. Nothing was changed.`,
    );
}

/** Returns the folder of the Git repository that contains this file, if any. */
function findRepository(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

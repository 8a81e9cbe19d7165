import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { InputError } from '../../src/errors.ts';
import { parseBaseUrl as parseApiUrl } from '../../src/request/build-request.ts';
import type { HostDefinition, LaunchConfig } from './hosts.ts';
import type { LaunchCommand } from './launch-command.ts';
import type { Prompter } from './prompter.ts';
import { serverInfo } from './server-info.ts';
import { SetupError } from './setup-error.ts';
import type { SetupOptions } from './setup-options.ts';

const { apiKey, baseUrl } = serverInfo.settings;

/** Returns the launch config for printing, with a placeholder for the key. `url`: of the API; undefined for a sandbox. */
export function getPrintableLaunchConfig(
  host: HostDefinition,
  { start, url, envKey }: { start: LaunchCommand; url: string | undefined; envKey: boolean },
): LaunchConfig {
  const env = start.env ?? {};
  if (url === undefined) return { ...start, env, key: undefined };
  const reference = host.asksForKey || envKey ? host.getKeyReference?.(apiKey.env) : undefined;
  return { ...start, env: { ...env, [baseUrl.env]: url }, key: reference ?? apiKey.placeholder };
}

interface LaunchInput {
  readonly options: SetupOptions;
  /** Command with the options of the server. */
  readonly start: LaunchCommand;
  readonly env: NodeJS.ProcessEnv;
  readonly prompter: Prompter;
  /** The host's settings file. */
  readonly path: string;
}

/**
 * Returns the launch config, with the key if the host can't get it another way. @throws SetupError for
 * invalid settings.
 */
export async function promptForLaunchConfig(host: HostDefinition, input: LaunchInput): Promise<LaunchConfig> {
  const { options, start, env, prompter } = input;
  rejectPlaceholders(host, [start.command, ...start.args, ...Object.values(start.env ?? {})]);
  if (options.sandbox) return { ...start, env: start.env ?? {}, key: undefined };
  const question = `${baseUrl.title} (${baseUrl.description}): `;
  const url = findBaseUrl(options, env) ?? parseBaseUrl(await promptFor(prompter, question, baseUrl.env));
  rejectPlaceholders(host, [url]);
  return { ...start, env: { ...start.env, [baseUrl.env]: url }, key: await getKey(host, input) };
}

/** Variables by which Node trusts a company's certificates and uses its proxy. Apps started by a click don't have them. */
const NETWORK_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

/** Returns this machine's network settings for a host's entry, and the names of those left out because they have a password. */
export function getNetworkEnv(env: NodeJS.ProcessEnv) {
  const found = NETWORK_VARIABLES.flatMap((name) => {
    const value = env[name]?.trim() || env[name.toLowerCase()]?.trim();
    return value ? [[name, name === 'NODE_EXTRA_CA_CERTS' ? resolve(value) : value] as const] : [];
  });
  const isSecret = ([, value]: readonly [string, string]) => /\/\/[^/]*@/.test(value);
  return {
    networkEnv: Object.fromEntries(found.filter((entry) => !isSecret(entry))),
    omitted: found.filter(isSecret).map(([name]) => name),
  };
}

/** Asks for the assistant's folder, for hosts that start servers outside it. @returns undefined if the user names none. */
export async function promptForFolder(prompter: Prompter, home: string): Promise<string | undefined> {
  const { title, description } = serverInfo.settings.files;
  const answer = prompter.isInteractive ? await prompter.ask(`${title} (${description}; empty for none): `) : '';
  return answer === '' ? undefined : resolve(answer.replace(/^~(?=$|[\\/])/, () => home));
}

async function getKey(host: HostDefinition, { options, env, prompter, path }: LaunchInput): Promise<string> {
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

/** Returns the base URL of the options or the environment, if any. @throws SetupError for an invalid URL. */
export function findBaseUrl(options: SetupOptions, env: NodeJS.ProcessEnv): string | undefined {
  const input = options.baseUrl || env[baseUrl.env]?.trim();
  return input ? parseBaseUrl(input) : undefined;
}

/** @throws SetupError for a URL that the server would reject. */
function parseBaseUrl(input: string): string {
  try {
    return parseApiUrl(input);
  } catch (error) {
    throw error instanceof InputError ? new SetupError(`${error.message} Nothing was changed.`) : error;
  }
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

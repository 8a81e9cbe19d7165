import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostDefinition, LaunchConfig } from './hosts.ts';
import type { LaunchCommand } from './launch-command.ts';
import type { Prompter } from './prompter.ts';
import { serverInfo } from './server-info.ts';
import { SetupError } from './setup-error.ts';
import type { SetupOptions } from './setup-options.ts';

const { apiKey, baseUrl } = serverInfo.settings;

/** What the host is told, with a placeholder in the key's place: for printing. */
export function getPrintableLaunchConfig(
  host: HostDefinition,
  from: { line: SetupOptions; start: LaunchCommand; env: NodeJS.ProcessEnv },
): LaunchConfig {
  const { line, start, env } = from;
  const args = [...start.args, ...line.args];
  if (line.sandbox) return { command: start.command, args, env: {}, key: undefined };
  const given = line.baseUrl ?? env[baseUrl.env];
  const url = given?.trim() ? checkedUrl(given) : baseUrl.placeholder;
  const key =
    (host.asksForKey || line.envKey) && host.getKeyReference
      ? host.getKeyReference(apiKey.env)
      : apiKey.placeholder;
  return { command: start.command, args, env: { [baseUrl.env]: url }, key };
}

/** What the host is told, with the key where the host can't get it another way. @throws SetupError for what can't work. */
export async function promptForLaunchConfig(
  host: HostDefinition,
  from: { line: SetupOptions; start: LaunchCommand; env: NodeJS.ProcessEnv; person: Prompter; path: string },
): Promise<LaunchConfig> {
  const { line, start, env, person, path } = from;
  const args = [...start.args, ...line.args];
  refuseReplaced(host, [start.command, ...args]);
  if (line.sandbox) return { command: start.command, args, env: {}, key: undefined };
  const url = checkedUrl(
    line.baseUrl ||
      env[baseUrl.env]?.trim() ||
      (await askFor(person, `${baseUrl.title} (${baseUrl.description}): `, baseUrl.env)),
  );
  refuseReplaced(host, [url]);
  return {
    command: start.command,
    args,
    env: { [baseUrl.env]: url },
    key: await keyFor(host, { line, env, person, path }),
  };
}

async function keyFor(
  host: HostDefinition,
  { line, env, person, path }: { line: SetupOptions; env: NodeJS.ProcessEnv; person: Prompter; path: string },
): Promise<string> {
  if (host.getKeyReference && (host.asksForKey || line.envKey)) return host.getKeyReference(apiKey.env);
  if (line.envKey)
    throw new SetupError(`${host.title} can't read a key from its environment: leave --env-key out.`);
  const repository = repositoryAround(path);
  if (repository !== undefined)
    throw new SetupError(
      `${path} is in a Git repository (${repository}): a key in it would go wherever that goes. ${host.getKeyReference ? 'Use --env-key, and set DOCSHARE_API_KEY where the host starts.' : 'Nothing was changed.'}`,
    );
  const key = (
    env[apiKey.env]?.trim() ||
    (await askFor(person, `${apiKey.title} (${apiKey.description}; not shown): `, apiKey.env, true))
  ).trim();
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new SetupError(
      `The key holds blanks or characters that no key has. Copy it again from ${apiKey.description.replace('From ', '')}.`,
    );
  if (host.placeholderPattern?.test(key))
    throw new SetupError(
      `${host.title} would replace a part of this key. Use --env-key, and set ${apiKey.env} where the host starts.`,
    );
  return key;
}

async function askFor(person: Prompter, question: string, name: string, secret = false): Promise<string> {
  const answer = person.isInteractive ? await person.ask(question, { secret }) : '';
  if (answer === '')
    throw new SetupError(
      `${name} is missing: set it in the environment and run this again. Nothing was changed.`,
    );
  return answer;
}

/** @throws SetupError for an address that no API can have. */
function checkedUrl(given: string): string {
  const text = given.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new SetupError(`The base URL is not an address like ${baseUrl.placeholder}. Nothing was changed.`);
  return text.replace(/\/+$/, '');
}

/** A host that puts values of its own in the place of `${…}` would start something else. */
function refuseReplaced(host: HostDefinition, words: readonly string[]): void {
  const found = host.placeholderPattern && words.find((word) => host.placeholderPattern?.test(word));
  if (found !== undefined)
    throw new SetupError(
      `${host.title} would replace a part of ${found}. Choose a path without it. Nothing was changed.`,
    );
}

/** The folder with the `.git` that keeps this file; undefined: none does. */
function repositoryAround(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

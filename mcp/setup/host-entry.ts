import { isObject } from '../../src/records/fields.ts';
import { type ConfigChange, type ConfigFile, getBackupPath, readConfig } from './config-file.ts';
import { type HostDefinition, type HostEntry, KEY_INPUT } from './hosts.ts';
import { getJsonValue, removeJsonValue, setJsonValue } from './json-text.ts';
import { serverInfo } from './server-info.ts';

/** Fields of a remote entry, which would redirect a local one. */
const REMOTE_FIELDS = ['url', 'serverUrl', 'httpUrl', 'headers', 'type', 'source'];
/** Fields of a local entry. */
const LOCAL_FIELDS = ['command', 'args', 'env', 'environment'];
const DOCSHARE_ENV: readonly string[] = Object.values(serverInfo.settings).flatMap((setting) =>
  'env' in setting ? [setting.env] : [],
);

const KEY_PLACEHOLDER = `\${input:${KEY_INPUT}}`;

/** Returns the config text with the entry set. The person's own additions to an existing entry are kept. */
export function setEntry(
  text: string | undefined,
  { host, entry, name }: { host: HostDefinition; entry: HostEntry; name: string },
): string {
  const entryPath = [host.serversKey, serverInfo.name];
  let next = text ?? '';
  const existing = getJsonValue(next, entryPath, name);
  if (isObject(existing)) {
    const isLocal = 'command' in entry;
    for (const field of [...REMOTE_FIELDS, ...(isLocal ? [] : LOCAL_FIELDS)])
      if (!(field in entry)) next = removeJsonValue(next, [...entryPath, field], name);
    for (const [field, value] of Object.entries(entry))
      if (field !== host.envField) next = setJsonValue(next, [...entryPath, field], value, name);
    if (isLocal) {
      const envPath = [...entryPath, host.envField];
      const env = mergeEnv(existing[host.envField], entry[host.envField]);
      next = env ? setJsonValue(next, envPath, env, name) : removeJsonValue(next, envPath, name);
    }
  } else next = setJsonValue(next, entryPath, entry, name);
  if (host.asksForKey && JSON.stringify(entry).includes(KEY_PLACEHOLDER) && findInputIndex(next, name) < 0) {
    next = setJsonValue(next, ['inputs', getInputs(next, name).length], keyInput, name);
  }
  return next;
}

/** Returns the config text without the entry. */
export function removeEntry(text: string, { host, name }: { host: HostDefinition; name: string }): string {
  const removed = removeJsonValue(text, [host.serversKey, serverInfo.name], name);
  const index = host.asksForKey ? findInputIndex(removed, name) : -1;
  // Another server may use the same input.
  const isUsed = removed.includes(KEY_PLACEHOLDER);
  return index < 0 || isUsed || removed === text ? removed : removeJsonValue(removed, ['inputs', index], name);
}

/** Returns the entry in the file, or undefined. */
export function findEntry(text: string | undefined, { host, name }: { host: HostDefinition; name: string }): unknown {
  return getJsonValue(text ?? '', [host.serversKey, serverInfo.name], name);
}

/**
 * Returns whether a local entry starts this server and not another of the same name. Remote entries can't be
 * told apart.
 */
export function isDocshareEntry(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const { env, environment = env, command, args } = entry;
  const commandParts = [command, args].flat().map(String);
  return (
    (isObject(environment) && DOCSHARE_ENV.some((name) => name in environment)) ||
    commandParts.some((part) => /docshare-mcp|[\\/]mcp[\\/]main\.[jt]s$|^--sandbox$/.test(part))
  );
}

/** Returns the change that sets the entry, or undefined if it is already set. */
export async function createSetChange(
  current: ConfigFile,
  { host, entry }: { host: HostDefinition; entry: HostEntry },
): Promise<ConfigChange | undefined> {
  const text = setEntry(current.text, { host, entry, name: current.name });
  if (text === current.text) return undefined;
  // Only the first backup is kept: it predates all setups.
  const isFirst = !isDocshareEntry(findEntry(current.text, { host, name: current.name }));
  return { text, backup: isFirst ? current.text : undefined };
}

/**
 * Returns the change that removes the entry. It restores the backup byte for byte if nothing else changed the
 * file since.
 */
export async function createRemoveChange(current: ConfigFile, host: HostDefinition): Promise<ConfigChange | undefined> {
  const name = current.name;
  const entry = findEntry(current.text, { host, name });
  if (current.text === undefined || entry === undefined) return undefined;
  const before = (await readConfig(getBackupPath(current.path))).text;
  const isOwnOutput = (from: string | undefined) =>
    isObject(entry) && setEntry(from, { host, entry, name }) === current.text;
  if (before !== undefined && !isDocshareEntry(findEntry(before, { host, name })) && isOwnOutput(before))
    return { text: before, removeBackup: true };
  if (before === undefined && isOwnOutput(undefined)) return { text: undefined };
  return { text: removeEntry(current.text, { host, name }) };
}

/** Input by which VS Code prompts for the key. */
export const keyInput = {
  type: 'promptString',
  id: KEY_INPUT,
  description: `${serverInfo.title} ${serverInfo.settings.apiKey.title} (${serverInfo.settings.apiKey.description})`,
  password: true,
};

function getInputs(text: string, name: string): readonly unknown[] {
  const value = getJsonValue(text, ['inputs'], name);
  return Array.isArray(value) ? value : [];
}

function findInputIndex(text: string, name: string): number {
  return getInputs(text, name).findIndex((input) => isObject(input) && input['id'] === KEY_INPUT);
}

/** Keeps the person's own variables and replaces ours. */
function mergeEnv(existing: unknown, env: unknown): HostEntry | undefined {
  const preserved = isObject(existing) ? Object.entries(existing).filter(([key]) => !DOCSHARE_ENV.includes(key)) : [];
  const all = { ...(isObject(env) ? env : {}), ...Object.fromEntries(preserved) };
  return Object.keys(all).length > 0 ? all : undefined;
}

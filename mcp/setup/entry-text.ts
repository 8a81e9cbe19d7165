import { getNodeValue } from 'jsonc-parser';
import { isObject } from '../../src/answer/fields.ts';
import { type Change, type ConfigFile, getBackupPath, readConfig, withoutMark } from './config-file.ts';
import { type Entry, type Host, KEY_INPUT } from './hosts.ts';
import { nodeAt, parseJsonText, removeAt, setAt } from './json-text.ts';
import { offer } from './offer.ts';

/** Fields of an entry that stands for a server elsewhere: beside a command they would send the host there. */
const ELSEWHERE = ['url', 'serverUrl', 'httpUrl', 'headers', 'type', 'source'];
/** Fields of one that the host starts. */
const STARTED = ['command', 'args', 'env'];
const OWN_ENV: readonly string[] = Object.values(offer.settings).flatMap((one) =>
  'env' in one ? [one.env] : [],
);

/** What the host's file says with this entry in it. What the person added to the entry stays. */
export function withEntry(
  text: string | undefined,
  { host, entry, name }: { host: Host; entry: Entry; name: string },
): string {
  const { mark, body } = withoutMark(text ?? '');
  const place = [host.at, offer.name];
  const there = valueAt(body, place, name);
  let next = body;
  if (isObject(there)) {
    const isStarted = 'command' in entry;
    for (const field of [...ELSEWHERE, ...(isStarted ? [] : STARTED)])
      if (!(field in entry)) next = removeAt(next, [...place, field], name);
    for (const [field, value] of Object.entries(entry))
      if (field !== 'env') next = setAt(next, [...place, field], value, name);
    if (isStarted) {
      const env = mergeEnv(there['env'], entry['env']);
      next = env ? setAt(next, [...place, 'env'], env, name) : removeAt(next, [...place, 'env'], name);
    }
  } else next = setAt(next, place, entry, name);
  if (asksHere(host, entry) && inputIndex(next, name) < 0) {
    const count = getInputs(next, name).length;
    const first = valueAt(next, ['inputs'], name) === undefined;
    next = first ? setAt(next, ['inputs'], [keyInput], name) : setAt(next, ['inputs', count], keyInput, name);
  }
  return mark + next;
}

/** What the host's file says without it. */
export function withoutEntry(text: string, { host, name }: { host: Host; name: string }): string {
  const { mark, body } = withoutMark(text);
  const removed = removeAt(body, [host.at, offer.name], name);
  const index = host.asksForKey ? inputIndex(removed, name) : -1;
  // Another server may ask for the same key.
  const isUsed = removed.includes(`\${input:${KEY_INPUT}}`);
  return (
    mark + (index < 0 || isUsed || removed === body ? removed : removeAt(removed, ['inputs', index], name))
  );
}

/** The entry as it stands in the file; undefined: none. */
export function entryIn(text: string | undefined, { host, name }: { host: Host; name: string }): unknown {
  return valueAt(withoutMark(text ?? '').body, [host.at, offer.name], name);
}

/** Whether an entry starts this server: another one may have the same name. Of one elsewhere nobody can tell. */
export function isOurs(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const { env, command, args } = entry;
  const words = [command, ...(Array.isArray(args) ? args : [])].map(String);
  return (
    (isObject(env) && OWN_ENV.some((name) => name in env)) ||
    words.some((word) => /docshare-mcp|[\\/]mcp[\\/]main\.[jt]s$|^--sandbox$/.test(word))
  );
}

/** The change that brings the entry in; undefined where it stands there already. */
export async function changeToSet(
  now: ConfigFile,
  { host, entry }: { host: Host; entry: Entry },
): Promise<Change | undefined> {
  const text = withEntry(now.text, { host, entry, name: now.name });
  if (text === now.text) return undefined;
  // The first copy stays: it is from before all setups.
  const isFirst = !isOurs(entryIn(now.text, { host, name: now.name }));
  return { text, copy: isFirst ? now.text : undefined };
}

/** The change that takes it out: what was there before, byte for byte, where nobody else changed the file since. */
export async function changeToRemove(now: ConfigFile, host: Host): Promise<Change | undefined> {
  const name = now.name;
  const entry = entryIn(now.text, { host, name });
  if (now.text === undefined || entry === undefined) return undefined;
  const before = (await readConfig(getBackupPath(now.path))).text;
  const wasWritten = (from: string | undefined) =>
    isObject(entry) && withEntry(from, { host, entry, name }) === now.text;
  if (before !== undefined && !isOurs(entryIn(before, { host, name })) && wasWritten(before))
    return { text: before, dropCopy: true };
  if (before === undefined && wasWritten(undefined)) return { text: undefined };
  return { text: withoutEntry(now.text, { host, name }) };
}

const keyInput = {
  type: 'promptString',
  id: KEY_INPUT,
  description: `${offer.title} ${offer.settings.apiKey.title} (${offer.settings.apiKey.description})`,
  password: true,
};

/** What VS Code asks the person for. */
export const inputs = [keyInput];

function asksHere(host: Host, entry: Entry): boolean {
  return host.asksForKey === true && JSON.stringify(entry).includes(`\${input:${KEY_INPUT}}`);
}

function getInputs(text: string, name: string): readonly unknown[] {
  const value = valueAt(text, ['inputs'], name);
  return Array.isArray(value) ? value : [];
}

function inputIndex(text: string, name: string): number {
  return getInputs(text, name).findIndex((input) => isObject(input) && input['id'] === KEY_INPUT);
}

/** The person's own settings of the environment stay; ours are as they are now. */
function mergeEnv(there: unknown, env: unknown): Entry | undefined {
  const kept = isObject(there) ? Object.entries(there).filter(([key]) => !OWN_ENV.includes(key)) : [];
  const all = { ...(isObject(env) ? env : {}), ...Object.fromEntries(kept) };
  return Object.keys(all).length > 0 ? all : undefined;
}

function valueAt(text: string, path: readonly string[], name: string): unknown {
  const node = nodeAt(parseJsonText(text, name), path, name);
  return node && getNodeValue(node);
}

import { inputs } from './entry-text.ts';
import { entryFor, type Host, type Wanted } from './hosts.ts';
import { offer } from './offer.ts';
import { quoted } from './start-line.ts';

const KEY = offer.settings.apiKey.env;

/** What stands in the host's file, in its own form, to be pasted or looked at. */
export function configurationFor(host: Host, wanted: Wanted): string {
  if (host.form === 'toml') return tomlFor(wanted);
  if (host.form === 'yaml') return yamlFor(wanted);
  const whole = {
    ...(host.asksForKey && wanted.key !== undefined ? { inputs } : {}),
    [host.at]: { [offer.name]: entryFor(host, wanted) },
  };
  return JSON.stringify(whole, null, 2);
}

/** The host's own command that does the same; undefined where it has none. */
export function commandFor(host: Host, wanted: Wanted, platform: NodeJS.Platform): string | undefined {
  const line = (words: readonly string[]) => words.map((word) => quote(word, platform)).join(' ');
  const { command, args, env, key } = wanted;
  const all = { ...env, ...(key === undefined ? {} : { [KEY]: key }) };
  const pairs = (option: string) =>
    Object.entries(all).flatMap(([name, value]) => [option, `${name}=${value}`]);
  const start = [command, ...args];
  if (host.id === 'claude-code')
    // The last option before the name takes one value only: `--env` would take the name too.
    return line([
      'claude',
      'mcp',
      'add',
      '--scope',
      'user',
      ...pairs('--env'),
      '--transport',
      'stdio',
      offer.name,
      '--',
      ...start,
    ]);
  if (host.id === 'codex')
    return line(['codex', 'mcp', 'add', offer.name, ...pairs('--env'), '--', ...start]);
  return undefined;
}

/** The host's own command that takes it out again. */
export function removalFor(host: Host): string | undefined {
  if (host.id === 'codex') return `codex mcp remove ${offer.name}`;
  if (host.id === 'goose') return 'goose configure   # Remove Extension → Docshare';
  return undefined;
}

/** A string of JSON is one of TOML and of YAML too, but for one character that TOML wants escaped. */
function text(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

function tomlFor({ command, args, env, key }: Wanted): string {
  const pairs = Object.entries(env).map(([name, value]) => `${name} = ${text(value)}`);
  return [
    `[mcp_servers.${offer.name}]`,
    `command = ${text(command)}`,
    `args = [${args.map(text).join(', ')}]`,
    ...(pairs.length > 0 ? [`env = { ${pairs.join(', ')} }`] : []),
    // Codex hands this one on from its own environment: no key in the file.
    ...(key === undefined ? [] : [`env_vars = [${text(KEY)}]`]),
  ].join('\n');
}

function yamlFor({ command, args, env, key }: Wanted): string {
  return [
    'extensions:',
    `  ${offer.name}:`,
    '    enabled: true',
    '    type: stdio',
    `    name: ${text(offer.title)}`,
    `    description: ${text(offer.description)}`,
    `    cmd: ${text(command)}`,
    `    args: [${args.map(text).join(', ')}]`,
    `    envs: { ${Object.entries(env)
      .map(([name, value]) => `${name}: ${text(value)}`)
      .join(', ')} }`,
    // Goose looks this one up in its keychain.
    ...(key === undefined ? [] : [`    env_keys: [${KEY}]`]),
    '    timeout: 300',
  ].join('\n');
}

function quote(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (platform === 'win32') return `"${word.replaceAll('"', '\\"')}"`;
  return quoted(word);
}

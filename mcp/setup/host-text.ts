import { inputs } from './host-entry.ts';
import { createEntry, type Entry, type HostDefinition, type Server } from './hosts.ts';
import { shellQuote } from './launch-command.ts';
import { serverInfo } from './server-info.ts';

const { apiKey, baseUrl } = serverInfo.settings;

/** What to paste into the host's file, in the file's own format. */
export function configurationFor(host: HostDefinition, server: Server): string {
  const entry = createEntry(host, server);
  const { serversKey, form } = host;
  if (form === 'json') {
    const whole = { ...inputsFor(host, server), [serversKey]: { [serverInfo.name]: entry } };
    return JSON.stringify(whole, null, 2);
  }
  const values = Object.entries(entry).map(([name, value]) => [name, inline(value, form)] as const);
  const lines =
    form === 'toml'
      ? [`[${serversKey}.${serverInfo.name}]`, ...values.map(([name, value]) => `${name} = ${value}`)]
      : [
          `${serversKey}:`,
          `  ${serverInfo.name}:`,
          ...values.map(([name, value]) => `    ${name}: ${value}`),
        ];
  return lines.join('\n');
}

/** The host's own command that adds the server; undefined if it has none. */
export function commandFor(
  host: HostDefinition,
  server: Server,
  platform: NodeJS.Platform,
): string | undefined {
  const words = addWords(host.id, server);
  return words?.map((word) => quoteWord(word, platform)).join(' ');
}

function addWords(id: string, server: Server): readonly string[] | undefined {
  const isRemote = 'url' in server;
  const key = isRemote || server.key === undefined ? {} : { [apiKey.env]: server.key };
  const env = isRemote ? [] : Object.entries({ ...server.env, ...key });
  const options = env.flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const start = isRemote ? [] : ['--', server.command, ...server.args];
  if (id === 'claude-code') {
    // The last option before the name takes one value only: `--env` would take the name too.
    const transport = ['--transport', isRemote ? 'http' : 'stdio', serverInfo.name];
    const words = ['claude', 'mcp', 'add', '--scope', 'user', ...options, ...transport, ...start];
    return isRemote ? [...words, server.url] : words;
  }
  if (id !== 'codex') return undefined;
  return ['codex', 'mcp', 'add', serverInfo.name, ...options, ...(isRemote ? ['--url', server.url] : start)];
}

/** The host's own command that removes the server. */
export function removalFor(host: HostDefinition): string | undefined {
  if (host.id === 'codex') return `codex mcp remove ${serverInfo.name}`;
  if (host.id === 'goose') return 'goose configure   # Remove Extension → Docshare';
  return undefined;
}

/** The link that adds the server at a click; undefined if the host has none. It holds no key. */
export function linkFor(host: HostDefinition, server: Server): string | undefined {
  const entry = createEntry(host, server);
  if (host.id === 'vscode') {
    const config = { name: serverInfo.name, ...entry, ...inputsFor(host, server) };
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;
  }
  const packed = `name=${serverInfo.name}&config=${encodeURIComponent(toBase64(entry))}`;
  if (host.id === 'cursor') return `cursor://anysphere.cursor-deeplink/mcp/install?${packed}`;
  if (host.id === 'lm-studio') return `lmstudio://add_mcp?${packed}`;
  if (host.id !== 'goose' || 'url' in server) return undefined;
  const query = [
    ['cmd', server.command],
    ...server.args.map((arg) => ['arg', arg]),
    ['id', serverInfo.name],
    ['name', serverInfo.title],
    ['description', serverInfo.description],
    // Goose asks for each of these and stores them in the keychain.
    ...Object.keys(server.env).map((name) => ['env', `${name}=${baseUrl.description}`]),
    ...(server.key === undefined ? [] : [['env', `${apiKey.env}=${apiKey.description}`]]),
  ];
  return `goose://extension?${query.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

function inputsFor(host: HostDefinition, server: Server): { inputs?: typeof inputs } {
  return host.asksForKey && !('url' in server) && server.key !== undefined ? { inputs } : {};
}

/** A value of TOML or YAML on one line: that of JSON, but for objects and one character that TOML wants escaped. */
function inline(value: unknown, form: 'toml' | 'yaml'): string {
  if (Array.isArray(value)) return `[${value.map((one) => inline(one, form)).join(', ')}]`;
  if (typeof value !== 'object' || value === null)
    return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
  const sign = form === 'toml' ? ' =' : ':';
  const members = Object.entries(value).map(([name, one]) => `${name}${sign} ${inline(one, form)}`);
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}';
}

function toBase64(entry: Entry): string {
  return Buffer.from(JSON.stringify(entry)).toString('base64');
}

function quoteWord(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : shellQuote(word);
}

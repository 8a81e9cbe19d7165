import { keyInput } from './host-entry.ts';
import { createEntry, type HostDefinition, type ServerToAdd } from './hosts.ts';
import { quoteArgument } from './launch-command.ts';
import { serverInfo } from './server-info.ts';

const { apiKey, baseUrl } = serverInfo.settings;

/** Renders the entry to paste into the host's file, in the file's format. */
export function renderHostConfig(host: HostDefinition, server: ServerToAdd): string {
  const entry = createEntry(host, server);
  const { serversKey, form } = host;
  if (form === 'json') {
    const whole = { ...getInputs(host, server), [serversKey]: { [serverInfo.name]: entry } };
    return JSON.stringify(whole, null, 2);
  }
  const values = Object.entries(entry).map(([name, value]) => [name, inline(value, form)] as const);
  const lines =
    form === 'toml'
      ? [`[${serversKey}.${serverInfo.name}]`, ...values.map(([name, value]) => `${name} = ${value}`)]
      : [`${serversKey}:`, `  ${serverInfo.name}:`, ...values.map(([name, value]) => `    ${name}: ${value}`)];
  return lines.join('\n');
}

/** Returns the host's own command to add the server, if it has one that a shell of the platform passes on unchanged. */
export function getAddCommand(
  host: HostDefinition,
  server: ServerToAdd,
  platform: NodeJS.Platform,
): string | undefined {
  const parts = getAddArguments(host.id, server);
  // PowerShell expands `$` and cmd.exe `%` within the quotes that both accept, and `"` can't be written for both.
  if (platform === 'win32' && parts?.some((part) => /[$%`"]/.test(part))) return undefined;
  return parts?.map((part) => quoteArgument(part, platform)).join(' ');
}

function getAddArguments(id: string, server: ServerToAdd): readonly string[] | undefined {
  const isRemote = 'url' in server;
  const key = isRemote || server.key === undefined ? {} : { [apiKey.env]: server.key };
  const env = isRemote ? [] : Object.entries({ ...server.env, ...key });
  const options = env.flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const start = isRemote ? [] : ['--', server.command, ...server.args];
  if (id === 'claude-code') {
    // The last option before the name must take one value: `--env` would consume the name.
    const transport = ['--transport', isRemote ? 'http' : 'stdio', serverInfo.name];
    const parts = ['claude', 'mcp', 'add', '--scope', 'user', ...options, ...transport, ...start];
    return isRemote ? [...parts, server.url] : parts;
  }
  if (id === 'copilot' && !isRemote) return ['copilot', 'mcp', 'add', serverInfo.name, ...options, ...start];
  if (id !== 'codex') return undefined;
  return ['codex', 'mcp', 'add', serverInfo.name, ...options, ...(isRemote ? ['--url', server.url] : start)];
}

/** Returns the host's own command to remove the server. */
export function getRemoveCommand(host: HostDefinition): string | undefined {
  if (host.id === 'codex') return `codex mcp remove ${serverInfo.name}`;
  if (host.id === 'goose') return 'goose configure   # Remove Extension → Docshare';
  return undefined;
}

/** Returns the host's install link, without a key, if it supports one. */
export function getInstallLink(host: HostDefinition, server: ServerToAdd): string | undefined {
  const entry = createEntry(host, server);
  if (host.id === 'vscode') {
    const config = { name: serverInfo.name, ...entry, ...getInputs(host, server) };
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;
  }
  const packed = `name=${serverInfo.name}&config=${encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'))}`;
  if (host.id === 'cursor') return `cursor://anysphere.cursor-deeplink/mcp/install?${packed}`;
  if (host.id === 'lm-studio') return `lmstudio://add_mcp?${packed}`;
  if (host.id !== 'goose' || 'url' in server) return undefined;
  const query = [
    ['cmd', server.command],
    ...server.args.map((arg) => ['arg', arg]),
    ['id', serverInfo.name],
    ['name', serverInfo.title],
    ['description', serverInfo.description],
    // Goose prompts for each of these and stores them in the keychain.
    ...Object.keys(server.env).map((name) => ['env', `${name}=${baseUrl.description}`]),
    ...(server.key === undefined ? [] : [['env', `${apiKey.env}=${apiKey.description}`]]),
  ];
  return `goose://extension?${query.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

function getInputs(host: HostDefinition, server: ServerToAdd): { inputs?: readonly unknown[] } {
  return host.asksForKey && !('url' in server) && server.key !== undefined ? { inputs: [keyInput] } : {};
}

/** Renders an inline TOML or YAML value: JSON, except for objects and one character that TOML requires escaped. */
function inline(value: unknown, form: 'toml' | 'yaml'): string {
  if (Array.isArray(value)) return `[${value.map((item) => inline(item, form)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
  const sign = form === 'toml' ? ' =' : ':';
  const members = Object.entries(value).map(([name, member]) => `${name}${sign} ${inline(member, form)}`);
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}';
}

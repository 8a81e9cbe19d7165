import { createEntry, type HostDefinition, keyInput, type LaunchConfig } from './hosts.ts';
import { shellQuote } from './launch-command.ts';
import { serverInfo } from './server-info.ts';

const API_KEY_ENV = serverInfo.settings.apiKey.env;

/** Renders the entry in the host's file format. */
export function renderHostConfig(host: HostDefinition, launchConfig: LaunchConfig): string {
  if (host.form === 'toml') return renderToml(launchConfig);
  if (host.form === 'yaml') return renderYaml(launchConfig);
  const whole = {
    ...(host.asksForKey && launchConfig.key !== undefined ? { inputs: [keyInput] } : {}),
    [host.serversKey]: { [serverInfo.name]: createEntry(host, launchConfig) },
  };
  return JSON.stringify(whole, null, 2);
}

/** Returns the host's own command to add the server, if it has one. */
export function getAddCommand(
  host: HostDefinition,
  launchConfig: LaunchConfig,
  platform: NodeJS.Platform,
): string | undefined {
  const toShellCommand = (parts: readonly string[]) =>
    parts.map((part) => quoteArgument(part, platform)).join(' ');
  const { command, args, env, key } = launchConfig;
  const all = { ...env, ...(key === undefined ? {} : { [API_KEY_ENV]: key }) };
  const pairs = (option: string) =>
    Object.entries(all).flatMap(([name, value]) => [option, `${name}=${value}`]);
  const launchArgs = [command, ...args];
  if (host.id === 'claude-code')
    // The last option before the name must take one value: `--env` would consume the name.
    return toShellCommand([
      'claude',
      'mcp',
      'add',
      '--scope',
      'user',
      ...pairs('--env'),
      '--transport',
      'stdio',
      serverInfo.name,
      '--',
      ...launchArgs,
    ]);
  if (host.id === 'codex')
    return toShellCommand(['codex', 'mcp', 'add', serverInfo.name, ...pairs('--env'), '--', ...launchArgs]);
  return undefined;
}

/** Returns the host's own command to remove the server. */
export function getRemoveCommand(host: HostDefinition): string | undefined {
  if (host.id === 'codex') return `codex mcp remove ${serverInfo.name}`;
  if (host.id === 'goose') return 'goose configure   # Remove Extension → Docshare';
  return undefined;
}

/** JSON strings are valid in TOML and YAML, except for one character that TOML requires escaped. */
function quoteString(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

function renderToml({ command, args, env, key }: LaunchConfig): string {
  const pairs = Object.entries(env).map(([name, value]) => `${name} = ${quoteString(value)}`);
  return [
    `[mcp_servers.${serverInfo.name}]`,
    `command = ${quoteString(command)}`,
    `args = [${args.map(quoteString).join(', ')}]`,
    ...(pairs.length > 0 ? [`env = { ${pairs.join(', ')} }`] : []),
    // Codex passes this variable on, so that no key is in the file.
    ...(key === undefined ? [] : [`env_vars = [${quoteString(API_KEY_ENV)}]`]),
  ].join('\n');
}

function renderYaml({ command, args, env, key }: LaunchConfig): string {
  return [
    'extensions:',
    `  ${serverInfo.name}:`,
    '    enabled: true',
    '    type: stdio',
    `    name: ${quoteString(serverInfo.title)}`,
    `    description: ${quoteString(serverInfo.description)}`,
    `    cmd: ${quoteString(command)}`,
    `    args: [${args.map(quoteString).join(', ')}]`,
    `    envs: { ${Object.entries(env)
      .map(([name, value]) => `${name}: ${quoteString(value)}`)
      .join(', ')} }`,
    // Goose reads this variable from its keychain.
    ...(key === undefined ? [] : [`    env_keys: [${API_KEY_ENV}]`]),
    '    timeout: 300',
  ].join('\n');
}

function quoteArgument(argument: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  if (platform === 'win32') return `"${argument.replaceAll('"', '\\"')}"`;
  return shellQuote(argument);
}

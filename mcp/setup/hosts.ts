import { serverInfo } from './server-info.ts';
import { SetupError } from './setup-error.ts';
import type { UserFolders } from './user-folders.ts';

/** An entry as a host reads it. */
export type Entry = Readonly<Record<string, unknown>>;

/** What every host is told, in no host's form yet. */
export interface LaunchConfig {
  readonly command: string;
  readonly args: readonly string[];
  /** Settings of the environment that are no secret. */
  readonly env: Readonly<Record<string, string>>;
  /** What stands for the key: its host's placeholder, or the key. Undefined: none is needed (`--sandbox`). */
  readonly key: string | undefined;
}

/** A server as a host gets it: one that the host starts, or one at an address. */
export type Server = LaunchConfig | { readonly url: string };

export interface HostDefinition {
  readonly id: string;
  readonly title: string;
  /** Files of the person's own settings, the usual one first. */
  readonly files: (userFolders: UserFolders) => readonly string[];
  /** The folder that it leaves beside its file, where that stands in the home itself. */
  readonly folder?: string;
  /** Json is edited; a file in another form is the host's own command's to edit. */
  readonly form: 'json' | 'toml' | 'yaml';
  /** Where servers stand in the file. */
  readonly serversKey: string;
  /** The entry of a server that the host starts, if it is not `command`, `args` and `env`. */
  readonly entry?: (launchConfig: LaunchConfig) => Entry;
  /** Further fields of that entry. */
  readonly extra?: Entry;
  /** The host asks for the key itself and keeps it: it never stands in the file. */
  readonly asksForKey?: true;
  /** How the file names the key of the host's own environment, where the host reads that. */
  readonly getKeyReference?: (name: string) => string;
  /** Matches what the host would replace in any value of its file. */
  readonly placeholderPattern?: RegExp;
  /** What is left to do. */
  readonly nextSteps: string;
  /** The entry of a server elsewhere, which signs people in; absent where its file takes none. */
  readonly createRemoteEntry?: (url: string) => Entry;
  /** What is left to do then. */
  readonly remoteNextSteps?: string;
  /** How it takes such a server instead. */
  readonly getRemoteHelp?: (url: string) => string;
}

export const KEY_INPUT = 'docshare-key';
const dollarReference = (name: string) => `\${${name}}`;
const envReference = (name: string) => `\${env:${name}}`;

/** Hosts as their own documentation describes their files. */
export const hosts: readonly HostDefinition[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    files: ({ settings, join }) => [join(settings, 'Claude', 'claude_desktop_config.json')],
    form: 'json',
    serversKey: 'mcpServers',
    nextSteps:
      'Quit Claude Desktop and open it again. (docshare-mcp.mcpb, opened with it, keeps the key in the system’s keychain instead.)',
    getRemoteHelp: (url) =>
      `Claude Desktop takes servers elsewhere in its own settings: Settings → Connectors → Add custom connector, with the address ${url}.`,
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    files: ({ home, env, join }) => [join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json')],
    folder: '.claude',
    form: 'json',
    serversKey: 'mcpServers',
    extra: { type: 'stdio' },
    getKeyReference: dollarReference,
    placeholderPattern: /\$\{/,
    nextSteps: 'Start a new session; /mcp shows the server.',
    createRemoteEntry: (url) => ({ type: 'http', url }),
    remoteNextSteps: 'Start a new session; /mcp shows the server and signs you in.',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    files: ({ home, join }) => [join(home, '.cursor', 'mcp.json')],
    form: 'json',
    serversKey: 'mcpServers',
    getKeyReference: envReference,
    placeholderPattern: /\$\{/,
    nextSteps: 'Cursor takes it up by itself; Settings → MCP shows the server.',
    createRemoteEntry: (url) => ({ url }),
    remoteNextSteps: 'Cursor takes it up by itself; Settings → MCP shows the server and signs you in.',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    files: ({ settings, join }) => [join(settings, 'Code', 'User', 'mcp.json')],
    form: 'json',
    serversKey: 'servers',
    extra: { type: 'stdio' },
    asksForKey: true,
    getKeyReference: () => `\${input:${KEY_INPUT}}`,
    placeholderPattern: /\$\{/,
    nextSteps: 'Run “MCP: List Servers” and start docshare: VS Code asks for the key once and keeps it.',
    createRemoteEntry: (url) => ({ type: 'http', url }),
    remoteNextSteps: 'Run “MCP: List Servers” and start docshare: VS Code signs you in.',
  },
  {
    id: 'lm-studio',
    title: 'LM Studio',
    files: ({ home, join }) => [
      join(home, '.lmstudio', 'mcp.json'),
      join(home, '.cache', 'lm-studio', 'mcp.json'),
    ],
    form: 'json',
    serversKey: 'mcpServers',
    nextSteps: 'LM Studio takes it up by itself; turn docshare on under Program → Integrations.',
    getRemoteHelp: () =>
      'LM Studio does not say that it signs people in at servers elsewhere: give it a key of its own, without --url.',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    files: ({ home, join }) => [join(home, '.gemini', 'settings.json')],
    form: 'json',
    serversKey: 'mcpServers',
    getKeyReference: dollarReference,
    placeholderPattern: /\$/,
    nextSteps: 'Start Gemini CLI again; /mcp shows the server.',
    createRemoteEntry: (url) => ({ httpUrl: url }),
    remoteNextSteps: 'Start Gemini CLI again; /mcp auth docshare signs you in.',
  },
  {
    id: 'zed',
    title: 'Zed',
    files: ({ config, windows, join }) => [join(config, windows ? 'Zed' : 'zed', 'settings.json')],
    form: 'json',
    serversKey: 'context_servers',
    nextSteps: 'Zed takes it up by itself; the Agent Panel’s settings show the server.',
    createRemoteEntry: (url) => ({ url }),
    remoteNextSteps: 'Zed takes it up by itself; the Agent Panel’s settings show the server and sign you in.',
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    files: ({ home, join }) => [join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    form: 'json',
    serversKey: 'mcpServers',
    getKeyReference: envReference,
    placeholderPattern: /\$\{/,
    nextSteps: 'Press Refresh in Cascade’s list of MCP servers.',
    createRemoteEntry: (url) => ({ serverUrl: url }),
    remoteNextSteps: 'Press Refresh in Cascade’s list of MCP servers, which signs you in.',
  },
  {
    id: 'codex',
    title: 'Codex',
    files: ({ home, env, join }) => [join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml')],
    form: 'toml',
    serversKey: 'mcp_servers',
    entry: ({ command, args, env, key }) => ({
      ...{ command, args },
      ...(Object.keys(env).length > 0 ? { env } : {}),
      // Codex passes this one on from its own environment: the file holds no key.
      ...(key === undefined ? {} : { env_vars: [serverInfo.settings.apiKey.env] }),
    }),
    nextSteps: 'Start a new session; /mcp shows the server.',
    createRemoteEntry: (url) => ({ url }),
    remoteNextSteps: 'codex mcp login docshare signs you in.',
  },
  {
    id: 'goose',
    title: 'Goose',
    files: ({ config, windows, join }) => [
      windows
        ? join(config, 'Block', 'goose', 'config', 'config.yaml')
        : join(config, 'goose', 'config.yaml'),
    ],
    form: 'yaml',
    serversKey: 'extensions',
    asksForKey: true,
    entry: ({ command, args, env, key }) => ({
      ...{ enabled: true, type: 'stdio', name: serverInfo.title, description: serverInfo.description },
      ...{ cmd: command, args, envs: env },
      // Goose looks this one up in its keychain.
      ...(key === undefined ? {} : { env_keys: [serverInfo.settings.apiKey.env] }),
      timeout: 300,
    }),
    nextSteps: 'Start a new session.',
    createRemoteEntry: (url) => ({
      ...{
        enabled: true,
        type: 'streamable_http',
        name: serverInfo.title,
        description: serverInfo.description,
      },
      ...{ uri: url, timeout: 300 },
    }),
    remoteNextSteps: 'Start a new session: Goose opens the sign-in.',
  },
];

/** The entry in its host's form. @throws SetupError if the host's file takes no server at an address. */
export function createEntry(host: HostDefinition, server: Server): Entry {
  if ('url' in server) {
    const { url } = server;
    if (!host.createRemoteEntry)
      throw new SetupError(`${host.getRemoteHelp?.(url) ?? host.nextSteps} Nothing was changed.`);
    if (host.placeholderPattern?.test(url))
      throw new SetupError(`${host.title} would replace a part of ${url}. Nothing was changed.`);
    return host.createRemoteEntry(url);
  }
  if (host.entry) return host.entry(server);
  const { command, args, env, key } = server;
  const all = { ...env, ...(key === undefined ? {} : { [serverInfo.settings.apiKey.env]: key }) };
  return { ...host.extra, command, args, ...(Object.keys(all).length > 0 ? { env: all } : {}) };
}

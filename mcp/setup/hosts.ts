import { serverInfo } from './server-info.ts';
import { SetupError } from './setup-error.ts';
import type { UserFolders } from './user-folders.ts';

/** Entry in a host's config. */
export type HostEntry = Readonly<Record<string, unknown>>;

/** How to launch the server, independent of the host. */
export interface LaunchConfig {
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables that are not secret. */
  readonly env: Readonly<Record<string, string>>;
  /** The key or the host's placeholder for it; undefined with `--sandbox`. */
  readonly key: string | undefined;
}

/** Server to add: one that the host starts, or a hosted one. */
export type ServerToAdd = LaunchConfig | { readonly url: string };

export interface HostDefinition {
  readonly id: string;
  readonly title: string;
  /** Name before the host was renamed. */
  readonly formerId?: string;
  /** User config files, the usual one first. */
  readonly files: (userFolders: UserFolders) => readonly string[];
  /** Folder that shows the host is installed, if its file is directly in the home folder. */
  readonly folder?: string;
  /** JSON files are edited; other formats only by the host's own command. */
  readonly form: 'json' | 'toml' | 'yaml';
  /** Key of the servers in the file. */
  readonly serversKey: string;
  /** Field of an entry with its environment. */
  readonly envField: string;
  /** Entry of a local server, if it is not `command`, `args` and `env`. */
  readonly entry?: (launchConfig: LaunchConfig) => HostEntry;
  /** Additional fields of a local entry. */
  readonly extra?: HostEntry;
  /** The host prompts for the key and stores it outside the file. */
  readonly asksForKey?: true;
  /** Placeholder for a variable of the host's environment, if supported. */
  readonly getKeyReference?: (name: string) => string;
  /** Matches text that the host would expand. */
  readonly placeholderPattern?: RegExp;
  /** The host starts servers in its own folder, so that they need `--files` to reach the user's files. */
  readonly startsElsewhere?: true;
  /** Instructions for the user after setup. */
  readonly nextSteps: string;
  /** Instructions that follow if the host asks for the key. */
  readonly keySteps?: string;
  /** Entry for a remote server; absent if the file supports none. */
  readonly createRemoteEntry?: (url: string) => HostEntry;
  /** Instructions for the user after the setup of a remote server. */
  readonly remoteNextSteps?: string;
  /** How to add a remote server instead. */
  readonly getRemoteHelp?: (url: string) => string;
}

export const KEY_INPUT = 'docshare-key';
const CLINE_FILE = 'cline_mcp_settings.json';
const dollarReference = (name: string) => `\${${name}}`;
const envReference = (name: string) => `\${env:${name}}`;

type Defaults = Pick<HostDefinition, 'form' | 'serversKey' | 'envField'>;

/** Hosts, following the documentation of their config files. */
const definitions: readonly (Omit<HostDefinition, keyof Defaults> & Partial<Defaults>)[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    files: ({ settings, getPackageFolders, join }) => {
      // The installer of the Windows store gives each program its own file system.
      const packaged = getPackageFolders('Claude_').map((folder) => join(folder, 'LocalCache', 'Roaming'));
      return (packaged.length > 0 ? packaged : [settings]).map((folder) =>
        join(folder, 'Claude', 'claude_desktop_config.json'),
      );
    },
    startsElsewhere: true,
    nextSteps:
      'Quit and reopen Claude Desktop. (Opening docshare-mcp.mcpb with it stores the key in the system keychain instead.)',
    getRemoteHelp: (url) =>
      `Claude Desktop adds remote servers in its own settings: Settings → Connectors → Add custom connector, with the URL ${url}.`,
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    files: ({ home, env, join }) => [join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json')],
    folder: '.claude',
    extra: { type: 'stdio' },
    getKeyReference: dollarReference,
    placeholderPattern: /\$\{/,
    nextSteps: 'Start a new session. /mcp shows the server.',
    createRemoteEntry: (url) => ({ type: 'http', url }),
    remoteNextSteps: 'Start a new session and sign in with /mcp.',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    files: ({ home, join }) => [join(home, '.cursor', 'mcp.json')],
    startsElsewhere: true,
    getKeyReference: envReference,
    placeholderPattern: /\$\{/,
    nextSteps: 'Cursor reloads automatically. Settings → MCP shows the server.',
    createRemoteEntry: (url) => ({ url }),
    remoteNextSteps: 'Cursor reloads automatically. Sign in at Settings → MCP.',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    files: ({ settings, join }) => [join(settings, 'Code', 'User', 'mcp.json')],
    serversKey: 'servers',
    extra: { type: 'stdio' },
    asksForKey: true,
    getKeyReference: () => `\${input:${KEY_INPUT}}`,
    placeholderPattern: /\$\{/,
    startsElsewhere: true,
    nextSteps: 'Run “MCP: List Servers” and start docshare.',
    keySteps: 'VS Code asks for the key once and stores it.',
    createRemoteEntry: (url) => ({ type: 'http', url }),
    remoteNextSteps: 'Run “MCP: List Servers” and start docshare. VS Code opens the sign-in.',
  },
  {
    id: 'lm-studio',
    title: 'LM Studio',
    files: ({ home, join }) => [join(home, '.lmstudio', 'mcp.json'), join(home, '.cache', 'lm-studio', 'mcp.json')],
    startsElsewhere: true,
    nextSteps: 'LM Studio reloads automatically. Turn docshare on under Program → Integrations.',
    getRemoteHelp: () =>
      'LM Studio does not document sign-in to remote servers. Use an API key instead, without --url.',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    files: ({ home, join }) => [join(home, '.gemini', 'settings.json')],
    getKeyReference: dollarReference,
    placeholderPattern: /\$/,
    nextSteps: 'Restart Gemini CLI in a folder that you trust: it starts no servers in others. /mcp shows the server.',
    createRemoteEntry: (url) => ({ httpUrl: url }),
    remoteNextSteps: 'Restart Gemini CLI and sign in with /mcp auth docshare.',
  },
  {
    id: 'qwen',
    title: 'Qwen Code',
    files: ({ home, join }) => [join(home, '.qwen', 'settings.json')],
    getKeyReference: dollarReference,
    placeholderPattern: /\$/,
    nextSteps: 'Restart Qwen Code. /mcp shows the server.',
    createRemoteEntry: (url) => ({ httpUrl: url }),
    remoteNextSteps: 'Restart Qwen Code and sign in with /mcp.',
  },
  {
    id: 'copilot',
    title: 'Copilot CLI',
    files: ({ home, env, join }) => [join(env['COPILOT_HOME'] || join(home, '.copilot'), 'mcp-config.json')],
    extra: { type: 'local', tools: ['*'] },
    getKeyReference: dollarReference,
    placeholderPattern: /\$/,
    nextSteps: 'Start a new session. /mcp show lists the server.',
    createRemoteEntry: (url) => ({ type: 'http', url, tools: ['*'] }),
    remoteNextSteps: 'Start a new session. Copilot CLI opens the sign-in.',
  },
  {
    id: 'opencode',
    title: 'opencode',
    files: ({ dotConfig, join }) =>
      ['json', 'jsonc'].map((ending) => join(dotConfig, 'opencode', `opencode.${ending}`)),
    serversKey: 'mcp',
    envField: 'environment',
    entry: ({ command, args, env, key }) => ({
      ...{ type: 'local', command: [command, ...args], enabled: true },
      ...withEnv('environment', env, key),
    }),
    getKeyReference: (name) => `{env:${name}}`,
    placeholderPattern: /\{(?:env|file):/,
    nextSteps: 'Restart opencode. opencode mcp list shows the server.',
    createRemoteEntry: (url) => ({ type: 'remote', url, enabled: true }),
    remoteNextSteps: 'Sign in with opencode mcp auth docshare.',
  },
  {
    id: 'cline',
    title: 'Cline',
    files: ({ home, settings, env, join }) => [
      env['CLINE_MCP_SETTINGS_PATH'] || join(home, '.cline', 'data', 'settings', CLINE_FILE),
      join(settings, 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings', CLINE_FILE),
    ],
    // In seconds. Its command line waits only three seconds for a server to start, and for each call.
    extra: { timeout: 300 },
    startsElsewhere: true,
    nextSteps: 'Cline reloads automatically. Its list of MCP servers shows docshare.',
    createRemoteEntry: (url) => ({ type: 'streamableHttp', url }),
    remoteNextSteps: 'Cline reloads automatically. Sign in from its list of MCP servers.',
  },
  {
    id: 'continue',
    title: 'Continue',
    files: ({ home, env, join }) => [
      join(env['CONTINUE_GLOBAL_DIR'] || join(home, '.continue'), 'mcpServers', 'docshare.json'),
    ],
    placeholderPattern: /\$\{/,
    startsElsewhere: true,
    nextSteps:
      'Reload Continue in your editor, then choose its agent mode. Its command line (cn) reads only mcpServers in config.yaml.',
    createRemoteEntry: (url) => ({ type: 'streamable-http', url }),
    remoteNextSteps: 'Reload Continue, then sign in from its list of MCP servers.',
  },
  {
    id: 'zed',
    title: 'Zed',
    files: ({ config, windows, join }) => [join(config, windows ? 'Zed' : 'zed', 'settings.json')],
    serversKey: 'context_servers',
    startsElsewhere: true,
    nextSteps: 'Zed reloads automatically. The Agent Panel’s settings show the server.',
    createRemoteEntry: (url) => ({ url }),
    remoteNextSteps: 'Zed reloads automatically. Sign in from the Agent Panel’s settings.',
  },
  {
    id: 'devin-desktop',
    title: 'Devin Desktop',
    formerId: 'windsurf',
    files: ({ home, config, join }) => [
      join(config, 'devin', 'mcp_config.json'),
      join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    ],
    placeholderPattern: /\$\{/,
    startsElsewhere: true,
    nextSteps: 'Open the list of MCP servers in the agent panel and refresh it.',
    createRemoteEntry: (url) => ({ url }),
    remoteNextSteps: 'Open the list of MCP servers in the agent panel and sign in.',
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
      // Codex passes this variable on, so that no key is in the file.
      ...(key === undefined ? {} : { env_vars: [serverInfo.settings.apiKey.env] }),
    }),
    nextSteps: 'Start a new session. /mcp shows the server.',
    createRemoteEntry: (url) => ({ url }),
    remoteNextSteps: 'Sign in with codex mcp login docshare.',
  },
  {
    id: 'goose',
    title: 'Goose',
    files: ({ config, windows, join }) => [
      windows ? join(config, 'Block', 'goose', 'config', 'config.yaml') : join(config, 'goose', 'config.yaml'),
    ],
    form: 'yaml',
    serversKey: 'extensions',
    asksForKey: true,
    entry: ({ command, args, env, key }) => ({
      ...{ enabled: true, type: 'stdio', name: serverInfo.title, description: serverInfo.description },
      ...{ cmd: command, args, envs: env },
      // Goose reads this variable from its keychain.
      ...(key === undefined ? {} : { env_keys: [serverInfo.settings.apiKey.env] }),
      timeout: 300,
    }),
    nextSteps: 'Start a new session.',
    createRemoteEntry: (url) => ({
      ...{ enabled: true, type: 'streamable_http', name: serverInfo.title, description: serverInfo.description },
      ...{ uri: url, timeout: 300 },
    }),
    remoteNextSteps: 'Start a new session. Goose opens the sign-in.',
  },
];

export const hosts: readonly HostDefinition[] = definitions.map((definition) => ({
  ...{ form: 'json', serversKey: 'mcpServers', envField: 'env' },
  ...definition,
}));

/** Returns the host's entry. @throws SetupError if the host's file does not support remote servers. */
export function createEntry(host: HostDefinition, server: ServerToAdd): HostEntry {
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
  return { ...host.extra, command, args, ...withEnv('env', env, key) };
}

function withEnv(field: string, env: LaunchConfig['env'], key: string | undefined): HostEntry {
  const all = { ...env, ...(key === undefined ? {} : { [serverInfo.settings.apiKey.env]: key }) };
  return Object.keys(all).length > 0 ? { [field]: all } : {};
}

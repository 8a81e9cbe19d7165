import { offer } from './offer.ts';
import type { Place } from './place.ts';

/** An entry as a host reads it. */
export type Entry = Readonly<Record<string, unknown>>;

/** What every host is told, in no host's form yet. */
export interface Wanted {
  readonly command: string;
  readonly args: readonly string[];
  /** Settings of the environment that are no secret. */
  readonly env: Readonly<Record<string, string>>;
  /** What stands for the key: its host's placeholder, or the key. Undefined: none is needed (`--sandbox`). */
  readonly key: string | undefined;
}

export interface Host {
  readonly id: string;
  readonly title: string;
  /** Files of the person's own settings, the usual one first. */
  readonly files: (place: Place) => readonly string[];
  /** The folder that it leaves beside its file, where that stands in the home itself. */
  readonly folder?: string;
  /** Json is edited; a file in another form is the host's own command's to edit. */
  readonly form: 'json' | 'toml' | 'yaml';
  /** Where servers stand in the file. */
  readonly at: string;
  /** What its entry says besides command, arguments and environment. */
  readonly extra?: Entry;
  /** The host asks for the key itself and keeps it: it never stands in the file. */
  readonly asksForKey?: true;
  /** How the file names the key of the host's own environment, where the host reads that. */
  readonly reference?: (name: string) => string;
  /** Matches what the host would replace in any value of its file. */
  readonly replaces?: RegExp;
  /** What is left to do. */
  readonly next: string;
  /** The entry of a server elsewhere, which signs people in; absent where its file takes none. */
  readonly remote?: (url: string) => Entry;
  /** What is left to do then. */
  readonly nextRemote?: string;
  /** How it takes such a server instead. */
  readonly noRemote?: (url: string) => string;
}

export const KEY_INPUT = 'docshare-key';
const dollar = (name: string) => `\${${name}}`;
const envDollar = (name: string) => `\${env:${name}}`;

/** Hosts as their own documentation describes their files. */
export const hosts: readonly Host[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    files: ({ settings, join }) => [join(settings, 'Claude', 'claude_desktop_config.json')],
    form: 'json',
    at: 'mcpServers',
    next: 'Quit Claude Desktop and open it again. (docshare-mcp.mcpb, opened with it, keeps the key in the system’s keychain instead.)',
    noRemote: (url) =>
      `Claude Desktop takes servers elsewhere in its own settings: Settings → Connectors → Add custom connector, with the address ${url}.`,
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    files: ({ home, env, join }) => [join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json')],
    folder: '.claude',
    form: 'json',
    at: 'mcpServers',
    extra: { type: 'stdio' },
    reference: dollar,
    replaces: /\$\{/,
    next: 'Start a new session; /mcp shows the server.',
    remote: (url) => ({ type: 'http', url }),
    nextRemote: 'Start a new session; /mcp shows the server and signs you in.',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    files: ({ home, join }) => [join(home, '.cursor', 'mcp.json')],
    form: 'json',
    at: 'mcpServers',
    reference: envDollar,
    replaces: /\$\{/,
    next: 'Cursor takes it up by itself; Settings → MCP shows the server.',
    remote: (url) => ({ url }),
    nextRemote: 'Cursor takes it up by itself; Settings → MCP shows the server and signs you in.',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    files: ({ settings, join }) => [join(settings, 'Code', 'User', 'mcp.json')],
    form: 'json',
    at: 'servers',
    extra: { type: 'stdio' },
    asksForKey: true,
    reference: () => `\${input:${KEY_INPUT}}`,
    replaces: /\$\{/,
    next: 'Run “MCP: List Servers” and start docshare: VS Code asks for the key once and keeps it.',
    remote: (url) => ({ type: 'http', url }),
    nextRemote: 'Run “MCP: List Servers” and start docshare: VS Code signs you in.',
  },
  {
    id: 'lm-studio',
    title: 'LM Studio',
    files: ({ home, join }) => [
      join(home, '.lmstudio', 'mcp.json'),
      join(home, '.cache', 'lm-studio', 'mcp.json'),
    ],
    form: 'json',
    at: 'mcpServers',
    next: 'LM Studio takes it up by itself; turn docshare on under Program → Integrations.',
    noRemote: () =>
      'LM Studio does not say that it signs people in at servers elsewhere: give it a key of its own, without --url.',
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    files: ({ home, join }) => [join(home, '.gemini', 'settings.json')],
    form: 'json',
    at: 'mcpServers',
    reference: dollar,
    replaces: /\$/,
    next: 'Start Gemini CLI again; /mcp shows the server.',
    remote: (url) => ({ httpUrl: url }),
    nextRemote: 'Start Gemini CLI again; /mcp auth docshare signs you in.',
  },
  {
    id: 'zed',
    title: 'Zed',
    files: ({ config, windows, join }) => [join(config, windows ? 'Zed' : 'zed', 'settings.json')],
    form: 'json',
    at: 'context_servers',
    next: 'Zed takes it up by itself; the Agent Panel’s settings show the server.',
    remote: (url) => ({ url }),
    nextRemote: 'Zed takes it up by itself; the Agent Panel’s settings show the server and sign you in.',
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    files: ({ home, join }) => [join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    form: 'json',
    at: 'mcpServers',
    reference: envDollar,
    replaces: /\$\{/,
    next: 'Press Refresh in Cascade’s list of MCP servers.',
    remote: (url) => ({ serverUrl: url }),
    nextRemote: 'Press Refresh in Cascade’s list of MCP servers, which signs you in.',
  },
  {
    id: 'codex',
    title: 'Codex',
    files: ({ home, env, join }) => [join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml')],
    form: 'toml',
    at: 'mcp_servers',
    next: 'Start a new session; /mcp shows the server.',
    remote: (url) => ({ url }),
    nextRemote: 'codex mcp login docshare signs you in.',
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
    at: 'extensions',
    asksForKey: true,
    next: 'Start a new session.',
    remote: (url) => ({
      ...{ enabled: true, type: 'streamable_http', name: offer.title, description: offer.description },
      ...{ uri: url, timeout: 300 },
    }),
    nextRemote: 'Start a new session: Goose opens the sign-in.',
  },
];

/** The entry in its host's form. */
export function entryFor(host: Host, { command, args, env, key }: Wanted): Entry {
  const all = { ...env, ...(key === undefined ? {} : { [offer.settings.apiKey.env]: key }) };
  return { ...host.extra, command, args, ...(Object.keys(all).length > 0 ? { env: all } : {}) };
}

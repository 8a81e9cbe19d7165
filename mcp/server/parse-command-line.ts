import { hostname } from 'node:os';
import {
  CommandLineError,
  choice,
  describeOptions,
  flag,
  formatRows,
  integer,
  list,
  parseOptions,
  text,
  texts,
} from '../../src/command-line.ts';
import { STDOUT_PATH } from '../audit/audit.ts';
import { LOG_LEVELS } from '../audit/log.ts';
import type { ConfirmMode } from '../call/call-tool.ts';
import { DEFAULT_ACTIONS_PER_HOUR } from '../confirm/action-budget.ts';

export { CommandLineError };

const CONFIRM_MODES = ['auto', 'always', 'unattended', 'off'] as const satisfies readonly ConfirmMode[];

/** Accepts every path except values that the option reserves. */
const isPathExcept =
  (...reserved: readonly string[]) =>
  (value: string) =>
    value.trim() !== '' && !reserved.includes(value);

/** Options of a server that a host starts, which `setup` writes to the host's entry. */
export const ENTRY_OPTIONS = {
  groups: list(
    'a,b',
    'offer only the tools of these groups: documents, links, rooms, agreements, proposals, templates, contacts, analytics, webhooks, billing',
    { expectedValues: 'names of groups, such as documents,links' },
  ),
  tools: list('a,b', 'offer only these tools, or these in addition to --groups', {
    expectedValues: 'names of tools, such as list_documents,create_link',
  }),
  exclude: list('a,b', 'do not offer these tools', { expectedValues: 'names of tools, such as delete_link' }),
  'read-only': flag('offer no tool that changes anything; overrides all other options'),
  confirm: choice(
    'MODE',
    'auto (default): a person confirms what is irreversible or widens access; always: every change; unattended: like auto, but the caller confirms with a token, so a model can approve its own actions; off: nothing is confirmed',
    { choices: CONFIRM_MODES, fallback: 'auto' },
  ),
  'actions-per-hour': integer(
    'N',
    'maximum number of confirmed actions per hour and sign-in; beyond it, each needs the confirmation page',
    { min: 1, max: 10_000, fallback: DEFAULT_ACTIONS_PER_HOUR },
  ),
  'host-asks': flag(
    'also mark the tools that may need confirmation, so that hosts that read this mark (Claude Code) ask at each call',
  ),
  files: texts('DIR', 'folder to read files from and to save files to (default: the working folder, if it is yours)', {
    expectedValues: 'a folder',
    conflicts: { hosted: 'a hosted server does not use local folders' },
    isPath: isPathExcept(),
  }),
  'any-file': flag("also upload files from --files DIR that aren't documents, or whose name looks like a secret", {
    needs: ['files'],
  }),
  sandbox: flag('run on the built-in emulator; needs no API key of yours'),
  data: text('DIR', 'store the sandbox in this folder, so that the next start continues from it', {
    expectedValues: 'a folder',
    needs: ['sandbox'],
    isPath: isPathExcept(),
  }),
  'log-level': choice(
    'LEVEL',
    'what is logged to stderr: silent, error, warn, info (default: writes and failures) or debug (every call)',
    { choices: LOG_LEVELS, fallback: 'info' },
  ),
  audit: text(
    'FILE',
    'append a JSON line to FILE before and after each write; writes are refused if FILE is not writable (hosted: - is stdout, and {replica} in the path is replaced by the replica’s name)',
    { expectedValues: 'a file', isPath: isPathExcept(STDOUT_PATH) },
  ),
  state: text(
    'DIR',
    'folder for the state that your servers share (declined actions, sent agreements, rate limit); memory: share nothing (default: docshare in your user state folder)',
    { expectedValues: 'a folder, or memory', isPath: isPathExcept('memory') },
  ),
} as const;

const MAX_PORT = 65_535;
const hostedOnly = { needs: ['hosted'] };
const listening = { needs: ['http', 'hosted'] };

export const OPTIONS = {
  ...ENTRY_OPTIONS,
  http: flag('serve HTTP at /mcp instead of stdio; each request has the key in Authorization: Bearer', {
    conflicts: { hosted: 'a hosted server already serves HTTP' },
  }),
  host: text('HOST', 'address to listen on (default: 127.0.0.1)', {
    // Node listens on every address if this is empty.
    expectedValues: 'an address of this machine; 0.0.0.0 is all of them',
    ...listening,
  }),
  port: integer('PORT', 'port to listen on; 0 picks a free one', {
    ...{ min: 0, max: MAX_PORT, fallback: 3000 },
    ...listening,
  }),
  hosted: flag(
    'serve many users over HTTP: each signs in with an API key in the browser (OAuth 2.1); needs DOCSHARE_SECRETS',
  ),
  'public-url': text('URL', 'public address of a hosted server, without a path: https://mcp.example.com', {
    expectedValues: 'an address such as https://mcp.example.com',
    ...hostedOnly,
  }),
  'access-ttl': text('TIME', 'how long an access token is valid: 30m, 8h, 1d (default: 8h)', hostedOnly),
  'trust-proxy': text(
    'N',
    'number of your own proxies in front that report the client’s address (default: 0)',
    hostedOnly,
  ),
  'allow-origin': list('URL', 'website whose pages may call a hosted server', {
    expectedValues: 'the origin of a website, such as https://host.example',
    ...hostedOnly,
  }),
  'no-client-documents': flag(
    'do not offer client ID metadata documents, which need outbound internet; apps then register',
    hostedOnly,
  ),
  organization: text(
    'FILE',
    'let employees sign in with the company account, and agents with their own credentials: identity provider, roles and sealed keys (see docs/hosting.md)',
    { expectedValues: 'a JSON file', isPath: isPathExcept(), ...hostedOnly },
  ),
  'metrics-port': integer(
    'N',
    'separate port for metrics (/metrics) and probes (/healthz, /readyz); 0 picks a free one',
    { min: 0, max: MAX_PORT, ...hostedOnly },
  ),
  replica: text('NAME', 'name of this replica in log, audit and /readyz (default: the machine’s name)', hostedOnly),
  replicas: integer('N', 'minimum number of replicas that share the rate limit (default: those that report)', {
    min: 1,
    max: 1000,
    ...hostedOnly,
  }),
  drain: integer('SECONDS', 'seconds to keep serving after SIGTERM while /readyz fails', {
    min: 0,
    max: 300,
    fallback: 5,
    ...hostedOnly,
  }),
  json: flag('print the report of doctor as JSON', { isHidden: true }),
  help: flag('print this help', { short: 'h' }),
  version: flag('print the version', { short: 'v' }),
} as const;

export const USAGE = `Usage: docshare-mcp [options]            start the server
       docshare-mcp doctor [--json]      check URL, key, scopes and rate limit
       docshare-mcp setup [HOST]         add the server to a host's settings: setup --help
       docshare-mcp seal                 encrypt a key for the file of --organization
       docshare-mcp learn [options]      write a profile of what the API document leaves open: learn --help

${formatRows(describeOptions(OPTIONS))}

Environment:
${formatRows([
  ['DOCSHARE_API_KEY', 'API key'],
  ['DOCSHARE_API_KEY__NAME', 'key of another workspace; each call then names its workspace'],
  ['DOCSHARE_BASE_URL', 'URL of the API (ends in /api/v1)'],
  ['DOCSHARE_SCOPES', 'scopes of the key, to hide the tools that it can’t use'],
  ['DOCSHARE_PROFILE', 'profile written by learn, which names the service’s fields'],
  [
    'DOCSHARE_SECRETS',
    'hosted: one or more secrets of at least 32 characters, separated by commas; the first encrypts, all decrypt',
  ],
  ['DOCSHARE_REDIS_URL', 'hosted: where replicas share their state (default: the folder of --state)'],
])}
`;

export type Command = ReturnType<typeof parseCommandLine>;

/** @throws CommandLineError for an unknown option or an invalid value. */
export function parseCommandLine(args: readonly string[]) {
  const { values, positionals } = parseOptions(args, { options: OPTIONS, hint: 'See --help.', allowPositionals: true });
  const doctor = positionals[0] === 'doctor';
  if (positionals.length > (doctor ? 1 : 0))
    throw new CommandLineError(
      'The only positional arguments are doctor, setup, seal and learn, and each comes first. See --help.',
    );
  if (values.json && !doctor) throw new CommandLineError('--json works only with doctor: docshare-mcp doctor --json.');
  if (values.hosted && values.confirm === 'unattended')
    throw new CommandLineError(
      '--confirm unattended can’t be combined with --hosted: everyone who signs in has a browser for the confirmation page.',
    );
  if (values.audit === STDOUT_PATH && !values.hosted)
    throw new CommandLineError('--audit - is stdout, which carries MCP unless the server is hosted. Use a file.');
  const replica =
    values.replica ??
    hostname()
      .replace(/[^\w.-]/g, '_')
      .slice(0, 64);
  if (!/^[\w.-]{1,64}$/.test(replica))
    throw new CommandLineError('--replica must contain only letters, digits, dots and hyphens.');
  if (values.port > 0 && values.port === values.metricsPort)
    throw new CommandLineError('--metrics-port must differ from --port; 0 picks a free port.');
  return {
    ...values,
    /** `doctor` checks the settings instead of serving. */
    doctor,
    host: values.host ?? '127.0.0.1',
    allowOrigins: values.allowOrigin ?? [],
    replica,
    drainMs: 1000 * values.drain,
  };
}

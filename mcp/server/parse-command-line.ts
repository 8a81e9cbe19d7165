import { hostname } from 'node:os';
import { describeBlankOption, parseCommandArgs } from '../../src/command-line.ts';
import { InputError } from '../../src/errors.ts';
import { STDOUT_PATH } from '../audit/audit.ts';
import { LOG_LEVELS, type ServerLogLevel } from '../audit/log.ts';
import type { ConfirmMode } from '../call/call-tool.ts';
import { findClosestMatch } from '../did-you-mean.ts';

export interface Command {
  readonly groups?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly readOnly: boolean;
  readonly sandbox: boolean;
  /** The folder that the sandbox is kept in. */
  readonly data: string | undefined;
  readonly confirm: ConfirmMode;
  readonly files: readonly string[];
  readonly http: boolean;
  readonly host: string;
  readonly port: number;
  /** Serves many people: each signs in with a key of their own, in the browser. */
  readonly hosted: boolean;
  readonly publicUrl: string | undefined;
  readonly accessTtl: string | undefined;
  /** How many proxies stand in front. */
  readonly trustProxy: string | undefined;
  readonly allowOrigins: readonly string[];
  /** A port of its own for metrics and probes; undefined: none. */
  readonly metricsPort: number | undefined;
  /** This server's name among its replicas. */
  readonly replica: string;
  /** There are at least so many. */
  readonly replicas: number | undefined;
  /** So long calls are still taken after the word to end. */
  readonly drainMs: number;
  readonly logLevel: ServerLogLevel;
  readonly audit: string | undefined;
  /** The folder of the state that servers share; `memory`: none. */
  readonly state: string | undefined;
  /** `doctor` checks the settings instead of serving. */
  readonly doctor: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

/** A command line that can't be meant; its message says what is known. */
export class CommandLineError extends Error {}

export const OPTIONS = {
  groups: { type: 'string', multiple: true },
  tools: { type: 'string', multiple: true },
  exclude: { type: 'string', multiple: true },
  'read-only': { type: 'boolean' },
  sandbox: { type: 'boolean' },
  data: { type: 'string' },
  confirm: { type: 'string' },
  files: { type: 'string', multiple: true },
  http: { type: 'boolean' },
  host: { type: 'string' },
  port: { type: 'string' },
  hosted: { type: 'boolean' },
  'public-url': { type: 'string' },
  'access-ttl': { type: 'string' },
  'trust-proxy': { type: 'string' },
  'allow-origin': { type: 'string', multiple: true },
  'metrics-port': { type: 'string' },
  replica: { type: 'string' },
  replicas: { type: 'string' },
  drain: { type: 'string' },
  'log-level': { type: 'string' },
  audit: { type: 'string' },
  state: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Given, these are not blank. */
const TAKES: Readonly<Record<string, string>> = {
  groups: 'names of groups, such as documents,links',
  tools: 'names of tools, such as list_documents,create_link',
  exclude: 'names of tools, such as delete_link',
  data: 'a folder',
  files: 'a folder',
  // Node listens at every address where it is given none.
  host: 'an address of this machine; 0.0.0.0 is all of them',
  'public-url': 'an address such as https://mcp.example.com',
  'allow-origin': 'the origin of a website, such as https://host.example',
  audit: 'a file',
  state: 'a folder, or memory',
};

/** Options that belong to `--hosted` alone. */
export const HOSTED_OPTIONS = [
  'public-url',
  'access-ttl',
  'trust-proxy',
  'allow-origin',
  'metrics-port',
  'replica',
  'replicas',
  'drain',
] as const;

export const USAGE = `Usage: docshare-mcp [options]            serve
       docshare-mcp doctor [--json]      check address, key, access and limit
       docshare-mcp setup [HOST]         put the server into a host's settings: setup --help
       docshare-mcp learn [options]      ask the service what its API document leaves open: learn --help

  --groups a,b        only tools of these groups (documents, links, rooms, agreements, proposals,
                      templates, contacts, analytics, webhooks, billing)
  --tools a,b         only these tools, or these besides --groups
  --exclude a,b       not these tools
  --read-only         no tool that changes anything; wins over all
  --confirm MODE      auto (default): acts that can't be undone or open something up need a person's word;
                      always: every change needs it; off: none does;
                      token: as auto, by token also where the host says that it shows forms
  --files DIR         folder that files may be read from and saved to; repeatable (default: the working folder)
  --sandbox           run on the embedded emulator; needs no key
  --data DIR          keeps the sandbox in this folder: the next start goes on where this one ended
  --http              serve HTTP at /mcp instead of stdio; the key comes with each request as Authorization: Bearer
  --host HOST         default 127.0.0.1
  --port PORT         default 3000; 0 picks a free one
  --hosted            serve many people over HTTP: each signs in with a key in the browser (OAuth 2.1); needs DOCSHARE_SECRETS
  --public-url URL    where people reach a hosted server: https://mcp.example.com, no path
  --access-ttl TIME   how long a host may call before it fetches a new token: 30m, 8h (default), 1d
  --trust-proxy N     how many proxies of yours stand in front and tell the caller's address; default 0
  --allow-origin URL  a website whose pages may call a hosted server; repeatable
  --metrics-port N    metrics (/metrics) and probes (/healthz, /readyz) of a hosted server on a port of their own; 0 picks one
  --replica NAME      its name in log, audit and /readyz; default: the machine's name
  --replicas N        how many share the limit at least; else those that are heard
  --drain SECONDS     for so long it still takes calls after SIGTERM, while /readyz says no; default 5
  --log-level LEVEL   what stderr gets: silent, error, warn, info (default: writes and failures) or debug (every call)
  --audit FILE        append two JSON lines to FILE for each write, before and after it; no line, no write
                      (hosted: - is stdout, and {replica} in the path its name)
  --state DIR         folder of what your servers share: refusals, sends, the limit; memory: nothing is shared
                      (default: docshare in your folder for program state)
  --help, --version

Environment: DOCSHARE_API_KEY, DOCSHARE_BASE_URL (ends in /api/v1), DOCSHARE_SCOPES (the key's scopes: hides what it can't do),
             DOCSHARE_PROFILE (what was learned of the service: names its fields);
             hosted: DOCSHARE_SECRETS (one or more, 32 characters at least, by commas; the first seals, all open),
             DOCSHARE_REDIS_URL (what replicas share; without it, the folder of --state)
`;

const NO_SUCH_COMMAND =
  'The only positional arguments are doctor, setup and learn, and each stands first. See --help.';

/** @throws CommandLineError for an unknown option or value. */
export function parseCommandLine(args: readonly string[]): Command {
  const known = Object.keys(OPTIONS);
  for (const arg of args) {
    if (arg === '--') throw new CommandLineError(NO_SUCH_COMMAND);
    const name = arg.match(/^--([^=]+)/)?.[1];
    if (name === undefined || known.includes(name)) continue;
    const near = findClosestMatch(name, known);
    throw new CommandLineError(
      `There is no option --${name}${near ? `; did you mean --${near}?` : '.'} Known: ${known.map((one) => `--${one}`).join(', ')}.`,
    );
  }
  const { values, positionals } = parse(args);
  const doctor = positionals[0] === 'doctor';
  if (positionals.length > (doctor ? 1 : 0)) throw new CommandLineError(NO_SUCH_COMMAND);
  if (values.json && !doctor)
    throw new CommandLineError('--json belongs to doctor: docshare-mcp doctor --json.');
  const blank = describeBlankOption(values, TAKES);
  if (blank) throw new CommandLineError(blank);
  const { confirm = 'auto', port = '3000' } = values;
  const own = HOSTED_OPTIONS.find((name) => values[name] !== undefined);
  if (own !== undefined && !values.hosted)
    throw new CommandLineError(`--${own} belongs to --hosted: docshare-mcp --hosted --public-url URL.`);
  if (values.hosted && values.http)
    throw new CommandLineError('--hosted serves HTTP already: leave out --http.');
  const served = (['host', 'port'] as const).find((name) => values[name] !== undefined);
  if (served !== undefined && !values.hosted && !values.http)
    throw new CommandLineError(`--${served} belongs to --http and --hosted: without them nothing listens.`);
  if (values.hosted && values.files)
    throw new CommandLineError(
      '--files belongs to a server on your own machine: a hosted one uses no folder.',
    );
  if (values.audit === STDOUT_PATH && !values.hosted)
    throw new CommandLineError(
      '--audit - is stdout, where only a hosted server writes its lines: over stdio it carries MCP. Give a file.',
    );
  const {
    replica = hostname()
      .replace(/[^\w.-]/g, '_')
      .slice(0, 64),
  } = values;
  if (!/^[\w.-]{1,64}$/.test(replica))
    throw new CommandLineError('--replica takes a name of letters, digits, dots and hyphens.');
  if (!isConfirmMode(confirm)) throw new CommandLineError('--confirm takes auto, always, token or off.');
  if (values.data !== undefined && !values.sandbox)
    throw new CommandLineError('--data belongs to --sandbox: the folder that the sandbox is kept in.');
  const ports = { port: numberOf('port', port, { from: 0, to: 65_535 }), metricsPort: portOf(values) };
  if (ports.port > 0 && ports.port === ports.metricsPort)
    throw new CommandLineError('--metrics-port takes another port than --port; 0 picks a free one.');
  return {
    groups: splitNames(values.groups),
    tools: splitNames(values.tools),
    exclude: splitNames(values.exclude),
    readOnly: values['read-only'] ?? false,
    sandbox: values.sandbox ?? false,
    data: values.data,
    confirm,
    files: values.files ?? [],
    http: values.http ?? false,
    host: values.host ?? '127.0.0.1',
    ...ports,
    hosted: values.hosted ?? false,
    publicUrl: values['public-url'],
    accessTtl: values['access-ttl'],
    trustProxy: values['trust-proxy'],
    allowOrigins: splitNames(values['allow-origin']) ?? [],
    replica,
    replicas:
      values.replicas === undefined
        ? undefined
        : numberOf('replicas', values.replicas, { from: 1, to: 1000 }),
    drainMs: 1000 * numberOf('drain', values.drain ?? '5', { from: 0, to: 300 }),
    logLevel: parseLevel(values['log-level']),
    audit: values.audit,
    state: values.state,
    doctor,
    json: values.json ?? false,
    help: values.help ?? false,
    version: values.version ?? false,
  };
}

function isConfirmMode(given: string): given is ConfirmMode {
  return ['auto', 'always', 'token', 'off'].includes(given);
}

function numberOf(option: string, given: string, { from, to }: { from: number; to: number }): number {
  const number = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (!(number >= from && number <= to))
    throw new CommandLineError(`--${option} takes a number from ${from} to ${to}.`);
  return number;
}

function portOf({ 'metrics-port': given }: { 'metrics-port'?: string | undefined }): number | undefined {
  return given === undefined ? undefined : numberOf('metrics-port', given, { from: 0, to: 65_535 });
}

function parseLevel(given = 'info'): ServerLogLevel {
  const level = LOG_LEVELS.find((known) => known === given);
  if (!level) throw new CommandLineError(`--log-level takes ${LOG_LEVELS.join(', ')}.`);
  return level;
}

function parse(args: readonly string[]) {
  try {
    return parseCommandArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    if (error instanceof InputError) throw new CommandLineError(`${error.message} See --help.`);
    throw error;
  }
}

/** Names of a repeatable, comma-separated option; undefined where it was not given. */
export function splitNames(values: readonly string[] | undefined): readonly string[] | undefined {
  return values?.flatMap((value) => value.split(/[\s,]+/)).filter((name) => name !== '');
}

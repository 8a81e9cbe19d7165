import { resolve } from 'node:path';
import { describeBlankOption, parseCommandArgs } from '../../src/command-line.ts';
import { InputError } from '../../src/errors.ts';
import { findClosestMatch } from '../did-you-mean.ts';
import { type HostDefinition, hosts } from './hosts.ts';
import { parseEndpointUrl } from './remote-server.ts';
import { SetupError } from './setup-error.ts';

type OptionSpecs = Readonly<
  Record<
    string,
    { readonly type: 'string' | 'boolean'; readonly multiple?: boolean; readonly short?: string }
  >
>;

/** The options that serve; what is given of them goes into the host's entry as it is. */
export interface ServerOptionSpec {
  readonly options: OptionSpecs;
  /** Throws where the server itself would refuse these. */
  readonly check: (args: readonly string[]) => unknown;
}

export interface SetupOptions {
  readonly host: HostDefinition | undefined;
  readonly print: boolean;
  readonly remove: boolean;
  readonly yes: boolean;
  readonly envKey: boolean;
  readonly file: string | undefined;
  readonly baseUrl: string | undefined;
  /** The endpoint of a hosted server, in place of one that the host starts. */
  readonly url: string | undefined;
  readonly sandbox: boolean;
  readonly help: boolean;
  /** Folders that the server may use. */
  readonly folders: readonly string[];
  /** Arguments of the server in the host's entry. */
  readonly args: readonly string[];
}

const SETUP_OPTIONS: OptionSpecs = {
  print: { type: 'boolean' },
  remove: { type: 'boolean' },
  yes: { type: 'boolean' },
  'env-key': { type: 'boolean' },
  file: { type: 'string' },
  'base-url': { type: 'string' },
  url: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};

/** Given, these are not blank. */
const VALUE_DESCRIPTIONS = {
  file: "the host's settings file",
  'base-url': 'the address of the API, which ends in /api/v1',
  url: 'the address of a hosted server, such as https://mcp.example.com',
} as const;

/** Without a host nothing is put anywhere. */
const HOST_ONLY_OPTIONS = Object.keys(SETUP_OPTIONS).filter((name) => name !== 'help');

/** Options that make no sense in an entry that a host starts over stdio. */
const UNSUPPORTED_OPTIONS = new Set('http host port json version'.split(' '));

export const SETUP_USAGE = `Usage: docshare-mcp setup                     which hosts are here, and which have the server
       docshare-mcp setup HOST [options]      put it into the host's settings, after asking
       docshare-mcp setup HOST --print        only print what would be put there
       docshare-mcp setup HOST --remove       take it out again

  HOST                ${hosts.map(({ id }) => id).join(', ')}
  --yes               do it without asking
  --file FILE         the host's settings file, where it is not the usual one
  --base-url URL      address of the API (ends in /api/v1); else DOCSHARE_BASE_URL, else you are asked
  --url URL           a server that somebody hosts for you, in place of one on this machine: you sign in in the browser, and no
                      key stands in the file
  --env-key           let the host read DOCSHARE_API_KEY from its own environment, so that no key stands in the file
  Any option of the server (--files, --read-only, --groups, --sandbox …) goes into the host's entry.

The key comes from DOCSHARE_API_KEY, else you are asked. A host that asks for keys itself never gets it.
`;

/** @throws SetupError for an unknown host or option. */
export function parseSetupOptions(args: readonly string[], serverSpec: ServerOptionSpec): SetupOptions {
  const allOptions: OptionSpecs = { ...serverSpec.options, ...SETUP_OPTIONS };
  const { values, positionals, tokens } = parse(args, allOptions);
  const [id, ...extra] = positionals;
  if (extra.length > 0)
    throw new SetupError(`setup takes one host at a time. See docshare-mcp setup --help.`);
  const passedOptions = tokens.flatMap((token) =>
    token.kind === 'option' && !Object.hasOwn(SETUP_OPTIONS, token.name)
      ? [{ name: token.name, value: token.value }]
      : [],
  );
  const misplaced = passedOptions.find(({ name }) => UNSUPPORTED_OPTIONS.has(name));
  if (misplaced) throw new SetupError(`--${misplaced.name} can't stand in a host's settings.`);
  const serverArgs = passedOptions.flatMap(({ name, value }) => {
    if (value === undefined) return [`--${name}`];
    return [`--${name}`, isPath(name, value) ? resolve(value) : value];
  });
  const blank = describeBlankOption(values, VALUE_DESCRIPTIONS);
  if (blank) throw new SetupError(blank);
  const url = getLastText(values['url']);
  if (url !== undefined)
    rejectLocalOptions([
      ...passedOptions.map(({ name }) => name),
      ...LOCAL_ONLY_OPTIONS.filter((name) => values[name]),
    ]);
  serverSpec.check(serverArgs);
  const unusedOption =
    id === undefined ? HOST_ONLY_OPTIONS.find((name) => values[name] !== undefined) : undefined;
  if (unusedOption)
    throw new SetupError(`--${unusedOption} is for a host: docshare-mcp setup HOST --${unusedOption}.`);
  return {
    host: id === undefined ? undefined : findHost(id),
    print: values['print'] === true,
    remove: values['remove'] === true,
    yes: values['yes'] === true,
    envKey: values['env-key'] === true,
    file: getLastText(values['file']),
    baseUrl: getLastText(values['base-url']),
    url: url === undefined ? undefined : parseEndpointUrl(url),
    sandbox: values['sandbox'] === true,
    help: values['help'] === true,
    folders: serverArgs.filter((_, index) => serverArgs[index - 1] === '--files'),
    args: serverArgs,
  };
}

/** What a host starts by itself: a server elsewhere was started by somebody else. */
const LOCAL_ONLY_OPTIONS = ['base-url', 'env-key'];

function rejectLocalOptions([name]: readonly string[]): void {
  if (name !== undefined)
    throw new SetupError(
      `--${name} is for a server on this machine: leave it or --url out. What the app may do is chosen at the sign-in.`,
    );
}

function findHost(id: string): HostDefinition {
  const knownHosts = hosts.map((host) => host.id).join(', ');
  if (id.trim() === '') throw new SetupError(`setup takes the name of a host: ${knownHosts}.`);
  const normalize = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  const found = hosts.find(
    (host) => normalize(host.id) === normalize(id) || normalize(host.title) === normalize(id),
  );
  if (found) return found;
  const suggestion = findClosestMatch(
    id,
    hosts.map((host) => host.id),
  );
  throw new SetupError(
    // What was typed in a host's place may be a key.
    `There is no such host${suggestion ? `; did you mean ${suggestion}?` : '.'} Known: ${knownHosts}.`,
  );
}

/** Values of options for paths that are none: the server says what it takes of them, and what not. */
const NON_PATH_VALUES: Readonly<Record<string, readonly string[]>> = {
  files: [],
  data: [],
  audit: ['-'],
  state: ['memory'],
};

/** A host starts the server in a folder of its own: a path is meant from where the person stands now. */
function isPath(name: string, value: string): boolean {
  return value.trim() !== '' && NON_PATH_VALUES[name]?.includes(value) === false;
}

function parse(args: readonly string[], options: OptionSpecs) {
  for (const arg of args) {
    const name = arg.match(/^--([^=]+)/)?.[1];
    if (arg === '--' || (name !== undefined && !Object.hasOwn(options, name))) {
      const suggestion = name === undefined ? undefined : findClosestMatch(name, Object.keys(options));
      throw new SetupError(
        `setup knows no option --${name ?? ''}${suggestion ? `; did you mean --${suggestion}?` : '.'} See docshare-mcp setup --help.`,
      );
    }
  }
  try {
    return parseCommandArgs({
      args: [...args],
      options: { ...options },
      allowPositionals: true,
      tokens: true,
    });
  } catch (error) {
    if (error instanceof InputError) throw new SetupError(`${error.message} See docshare-mcp setup --help.`);
    throw error;
  }
}

function getLastText(value: unknown): string | undefined {
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' ? last : undefined;
}

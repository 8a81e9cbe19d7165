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

/** Server options, which are copied into the host's entry. */
export interface ServerOptionSpec {
  readonly options: OptionSpecs;
  /** Throws if the server would reject these arguments. */
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
  /** Endpoint of a hosted server, instead of a local one. */
  readonly url: string | undefined;
  readonly sandbox: boolean;
  readonly help: boolean;
  /** Allowed folders of the server. */
  readonly folders: readonly string[];
  /** Server arguments in the host's entry. */
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

/** Options that must not be blank, with what they expect. */
const VALUE_DESCRIPTIONS = {
  file: "the host's settings file",
  'base-url': 'the URL of the API, which ends in /api/v1',
  url: 'the URL of a hosted server, such as https://mcp.example.com',
} as const;

/** Options that require a host. */
const HOST_ONLY_OPTIONS = Object.keys(SETUP_OPTIONS).filter((name) => name !== 'help');

/** Options that an entry started over stdio can't have. */
const UNSUPPORTED_OPTIONS = new Set('http host port json version'.split(' '));

export const SETUP_USAGE = `Usage: docshare-mcp setup                     list hosts on this machine
       docshare-mcp setup HOST [options]      add the server to the host's settings, after asking
       docshare-mcp setup HOST --print        print the settings without changing anything
       docshare-mcp setup HOST --remove       remove the server from the host's settings

  HOST                ${hosts.map(({ id }) => id).join(', ')}
  --yes               do not ask for confirmation
  --file FILE         the host's settings file, if it is not the usual one
  --base-url URL      URL of the API (ends in /api/v1); default: DOCSHARE_BASE_URL, otherwise you are asked
  --url URL           use a hosted server instead of a local one; you sign in in the browser, and no key is
                      written to the file
  --env-key           let the host read DOCSHARE_API_KEY from its environment, so that no key is written to
                      the file
  Server options (--files, --read-only, --groups, --sandbox …) are added to the host's entry.

The key is read from DOCSHARE_API_KEY; otherwise you are asked. Hosts that prompt for keys never receive it.
`;

/** @throws SetupError for an unknown host or option. */
export function parseSetupOptions(args: readonly string[], serverSpec: ServerOptionSpec): SetupOptions {
  const allOptions: OptionSpecs = { ...serverSpec.options, ...SETUP_OPTIONS };
  const { values, positionals, tokens } = parse(args, allOptions);
  const [id, ...extra] = positionals;
  if (extra.length > 0)
    throw new SetupError('setup accepts one host at a time. See docshare-mcp setup --help.');
  const passedOptions = tokens.flatMap((token) =>
    token.kind === 'option' && !Object.hasOwn(SETUP_OPTIONS, token.name)
      ? [{ name: token.name, value: token.value }]
      : [],
  );
  const misplaced = passedOptions.find(({ name }) => UNSUPPORTED_OPTIONS.has(name));
  if (misplaced)
    throw new SetupError(`--${misplaced.name} can't be used in a host's settings. Leave it out.`);
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
    throw new SetupError(`--${unusedOption} needs a host: docshare-mcp setup HOST --${unusedOption}.`);
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

/** Setup options for local servers only. */
const LOCAL_ONLY_OPTIONS = ['base-url', 'env-key'];

function rejectLocalOptions([name]: readonly string[]): void {
  if (name !== undefined)
    throw new SetupError(
      `--${name} can't be combined with --url. With a hosted server, you choose permissions when you sign in.`,
    );
}

function findHost(id: string): HostDefinition {
  const knownHosts = hosts.map((host) => host.id).join(', ');
  if (id.trim() === '') throw new SetupError(`setup needs the name of a host: ${knownHosts}.`);
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
    // The argument is not quoted, because it may be a key.
    `Unknown host${suggestion ? `. Did you mean ${suggestion}?` : '.'} Known: ${knownHosts}.`,
  );
}

/** Path options, with the values that are not paths. */
const NON_PATH_VALUES: Readonly<Record<string, readonly string[]>> = {
  files: [],
  data: [],
  audit: ['-'],
  state: ['memory'],
};

/** Hosts start the server in another folder, so paths must be absolute. */
function isPath(name: string, value: string): boolean {
  return value.trim() !== '' && NON_PATH_VALUES[name]?.includes(value) === false;
}

function parse(args: readonly string[], options: OptionSpecs) {
  for (const arg of args) {
    const name = arg.match(/^--([^=]+)/)?.[1];
    if (arg === '--' || (name !== undefined && !Object.hasOwn(options, name))) {
      const suggestion = name === undefined ? undefined : findClosestMatch(name, Object.keys(options));
      throw new SetupError(
        `Unknown option --${name ?? ''}${suggestion ? `. Did you mean --${suggestion}?` : '.'} See docshare-mcp setup --help.`,
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

import { resolve } from 'node:path';
import { describeOptions, flag, formatRows, type Options, parseOptions, text } from '../../src/command-line.ts';
import { findClosestMatch } from '../../src/did-you-mean.ts';
import { isLoopbackHostname } from '../../src/loopback.ts';
import { parseWebUrl } from '../../src/web-url.ts';
import { type HostDefinition, hosts } from './hosts.ts';
import { SetupError } from './setup-error.ts';

/** Server options that a host's entry may have. */
export interface ServerOptionSpec {
  readonly options: Options;
  /** Throws if the server would reject these arguments. */
  readonly check: (args: readonly string[]) => unknown;
}

export type SetupOptions = ReturnType<typeof parseSetupOptions>;

const LOCAL_ONLY = 'it is for a local server; with a hosted one, you choose permissions when you sign in';

const SETUP_OPTIONS = {
  print: flag('only print what would be written', { conflicts: { remove: 'it shows what would be added' } }),
  remove: flag('remove the server from the settings'),
  yes: flag('do not ask before the change'),
  file: text('FILE', "the host's settings file, if it is not in the usual place", {
    expectedValues: "the host's settings file",
  }),
  'base-url': text('URL', 'URL of the API, which ends in /api/v1 (default: DOCSHARE_BASE_URL, otherwise setup asks)', {
    expectedValues: 'the URL of the API, which ends in /api/v1',
    conflicts: { url: LOCAL_ONLY },
  }),
  url: text(
    'URL',
    'use a hosted server instead of a local one: you sign in in the browser, and no key is written to the file',
    { expectedValues: 'the URL of a hosted server, such as https://mcp.example.com' },
  ),
  'env-key': flag('let the host read DOCSHARE_API_KEY from its environment, so that no key is written to the file', {
    conflicts: { url: LOCAL_ONLY },
  }),
  help: flag('print this help', { short: 'h' }),
};

const HOST_IDS = hosts.map(({ id }) => id);

export const SETUP_USAGE = `Usage: docshare-mcp setup                     list the hosts on this machine, and which have the server
       docshare-mcp setup HOST [options]      add the server to the host's settings, after asking

${formatRows([['HOST', HOST_IDS.join(', ')], ...describeOptions(SETUP_OPTIONS)])}

Server options (--files, --read-only, --groups, --sandbox …) are added to the host's entry.
The key is read from DOCSHARE_API_KEY; otherwise setup asks. Hosts that prompt for keys never receive it.
`;

/** @throws SetupError for an unknown host or option. */
export function parseSetupOptions(args: readonly string[], serverSpec: ServerOptionSpec) {
  const { values, positionals, seenOptions } = parseOptions(args, {
    options: { ...serverSpec.options, ...SETUP_OPTIONS },
    hint: 'See docshare-mcp setup --help.',
    allowPositionals: true,
  });
  const [id, ...extra] = positionals;
  if (extra.length > 0) throw new SetupError('setup accepts one host at a time. See docshare-mcp setup --help.');
  const serverArgs = seenOptions.filter(({ name }) => !Object.hasOwn(SETUP_OPTIONS, name));
  const [first] = serverArgs;
  if (values.url !== undefined && first)
    throw new SetupError(`--${first.name} can't be combined with --url: ${LOCAL_ONLY}.`);
  // A host starts the server in another folder, so a relative path is resolved now.
  const entryArgs = serverArgs.flatMap(({ name, value }) => {
    if (value === undefined) return [`--${name}`];
    return [`--${name}`, serverSpec.options[name]?.isPath?.(value) ? resolve(value) : value];
  });
  serverSpec.check(entryArgs);
  const unusedOption =
    id === undefined && seenOptions.find(({ name }) => name !== 'help' && Object.hasOwn(SETUP_OPTIONS, name));
  if (unusedOption)
    throw new SetupError(`--${unusedOption.name} needs a host: docshare-mcp setup HOST --${unusedOption.name}.`);
  return {
    ...values,
    host: id === undefined ? undefined : findHost(id),
    /** Endpoint of a hosted server, instead of a local one. */
    url: values.url === undefined ? undefined : parseEndpoint(values.url),
    sandbox: serverArgs.some(({ name }) => name === 'sandbox'),
    /** Folders after --files. */
    folders: entryArgs.filter((_, index) => entryArgs[index - 1] === '--files'),
    /** Server arguments in the host's entry. */
    args: entryArgs,
  };
}

function findHost(id: string): HostDefinition {
  const knownHosts = HOST_IDS.join(', ');
  if (id.trim() === '') throw new SetupError(`setup needs the name of a host: ${knownHosts}.`);
  const normalize = (word: string) => word.toLowerCase().replace(/[^a-z]/g, '');
  const found = hosts.find((host) =>
    [host.id, host.title, host.formerId ?? host.id].some((name) => normalize(name) === normalize(id)),
  );
  if (found) return found;
  const suggestion = findClosestMatch(id, HOST_IDS);
  throw new SetupError(
    // The argument is not quoted, because it may be a key.
    `Unknown host${suggestion ? `. Did you mean ${suggestion}?` : '.'} Known: ${knownHosts}.`,
  );
}

/** Parses `--url` to the endpoint of a hosted server. @throws SetupError for an invalid URL. */
function parseEndpoint(input: string): string {
  const { url, problem } = parseWebUrl(input.trim());
  if (!url) throw new SetupError(`--url ${problem}. Nothing was changed.`);
  if (url.protocol === 'http:' && !isLoopbackHostname(url.hostname))
    throw new SetupError('--url must be the https:// URL of a hosted server. Nothing was changed.');
  if (url.search || url.hash)
    throw new SetupError(
      '--url must not contain a query or fragment; you sign in in the browser. Nothing was changed.',
    );
  // Users often pass the site instead of the endpoint.
  return url.pathname === '/' ? `${url.origin}/mcp` : url.href;
}

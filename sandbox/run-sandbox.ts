import {
  choice,
  describeOptions,
  flag,
  formatRows,
  integer,
  isWorkingFolderMissing,
  parseOptions,
  text,
  texts,
  WORKING_FOLDER_MISSING,
} from '../src/command-line.ts';
import { sanitizeForTerminal } from '../src/sanitize-for-terminal.ts';
import { version } from '../src/version.ts';
import { PROFILE_NAMES } from './profile/presets.ts';

export const SANDBOX_OPTIONS = {
  port: integer('N', 'port on 127.0.0.1; 0 picks a free port', { min: 0, max: 65_535, fallback: 4010 }),
  profile: text(
    'NAME',
    `behavior of the service: ${PROFILE_NAMES.join(', ')}, random:SEED, a profile string such as preset:legacy+errors=html, or a file written by docshare learn (docshare.profile.json)`,
  ),
  empty: flag('start without demo data'),
  fixtures: text('FILE', 'initial data: a JSON file, or a JavaScript or TypeScript module', {
    expectedValues: 'a file',
  }),
  data: text('DIR', 'store everything in this folder; the next start continues from it', {
    expectedValues: 'a folder',
  }),
  seed: integer('N', 'make IDs, data, keys and secrets repeatable', { min: 0, max: 999_999_999 }),
  at: text(
    'TIME',
    'start time of the clock, such as 2026-01-01T09:00Z (UTC without a time zone); implies --clock manual unless --clock real is given',
  ),
  clock: choice('KIND', 'real (runs by itself) or manual (moves only when advanced)', {
    choices: ['real', 'manual'],
    fallback: undefined,
  }),
  cors: texts('ORIGIN', 'origin of a website that may call the API; * allows all (local pages always may)'),
  help: flag('print this help', { short: 'h' }),
  version: flag('print the version'),
} as const;

const USAGE = `Usage: docshare-sandbox [options]

${formatRows(describeOptions(SANDBOX_OPTIONS))}
`;

/** Runs the command: prints the base URL and a key, and serves until a signal ends it. */
export async function runSandbox(args: readonly string[]): Promise<void> {
  // The reader of a pipe may exit first, like `head`.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode ||= 1;
    });
  const options = readOptions(args);
  if (options === null) return;
  // Loaded late, so that --help and option errors are fast.
  const [{ createSandbox }, { describeService }] = await Promise.all([
    import('./create-sandbox.ts'),
    import('./render/learned/resolve-service.ts'),
  ]);
  const sandbox = await createSandbox(options).catch((error: NodeJS.ErrnoException) => {
    fail(
      error.code === 'EADDRINUSE'
        ? `Port ${options.port} is in use. Choose another with --port`
        : isWorkingFolderMissing(error)
          ? WORKING_FOLDER_MISSING
          : error.message,
    );
  });
  if (!sandbox) return;
  const dataNote = options.dataFolder ? `data is stored in ${options.dataFolder}` : 'no data is stored';
  const key = sandbox.key();
  process.stdout.write(
    `Docshare sandbox, profile ${describeService(sandbox)}\n\n  Base URL  ${sandbox.url}\n  API key   ${key}\n  Console   ${sandbox.origin}/\n\n` +
      `Try it: curl -H 'Authorization: Bearer ${key}' ${sandbox.url}/documents\nPress Ctrl-C to stop; ${dataNote}.\n`,
  );
  process.stderr.write(`${JSON.stringify({ event: 'ready', url: sandbox.url })}\n`);
  const stop = () => {
    sandbox.close().then(
      () => process.exit(0),
      (error: Error) => {
        fail(`The last changes could not be saved: ${error.message}`);
        process.exit();
      },
    );
  };
  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseOptions(args, { options: SANDBOX_OPTIONS, hint: 'See --help.' });
    if (values.help || values.version) {
      process.stdout.write(values.help ? USAGE : `${version}\n`);
      return null;
    }
    const { help: _help, version: _version, empty, data: dataFolder, ...options } = values;
    return { ...options, dataFolder, data: empty ? ('empty' as const) : undefined };
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), USAGE);
    return null;
  }
}

function fail(sentence: string, usage?: string): void {
  process.stderr.write(`${sanitizeForTerminal(sentence)}\n${usage === undefined ? '' : `\n${usage}`}`);
  process.exitCode = 1;
}

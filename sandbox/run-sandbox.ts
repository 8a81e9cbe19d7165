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
  port: integer('N', 'port on 127.0.0.1; 0 picks a free one', { min: 0, max: 65_535, fallback: 4010 }),
  profile: text(
    'NAME',
    `how the service answers: ${PROFILE_NAMES.join(', ')}, random:SEED, a line such as preset:legacy+errors=html, or a file that docshare learn wrote (docshare.profile.json)`,
  ),
  empty: flag('start without the example company'),
  fixtures: text('FILE', 'what exists at the start: JSON, or a JavaScript or TypeScript module', {
    expectedValues: 'a file',
  }),
  data: text('DIR', 'store everything in this folder, so that the next start continues from it', {
    expectedValues: 'a folder',
  }),
  seed: integer('N', 'make ids, data, keys and secrets repeatable', { min: 0, max: 999_999_999 }),
  at: text(
    'TIME',
    'when the clock starts, such as 2026-01-01T09:00Z (UTC if no zone is given); it stands still until it is advanced, unless --clock real is given',
  ),
  clock: choice('KIND', 'real (runs by itself) or manual (stands still)', {
    choices: ['real', 'manual'],
    fallback: undefined,
  }),
  cors: texts('ORIGIN', 'a website whose scripts may call the API besides this machine’s; * for all'),
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
    import('./render/learned/choose-service.ts'),
  ]);
  const sandbox = await createSandbox(options).catch((error: NodeJS.ErrnoException) => {
    fail(
      error.code === 'EADDRINUSE'
        ? `Port ${options.port} is taken: choose another with --port`
        : isWorkingFolderMissing(error)
          ? WORKING_FOLDER_MISSING
          : error.message,
    );
  });
  if (!sandbox) return;
  const dataNote = options.dataFolder ? `everything is kept in ${options.dataFolder}` : 'nothing is kept';
  const key = sandbox.key();
  process.stdout.write(
    `Docshare sandbox, profile ${describeService(sandbox)}\n\n  base URL  ${sandbox.url}\n  API key   ${key}\n  in a browser  ${sandbox.origin}/\n\n` +
      `Try it: curl -H 'Authorization: Bearer ${key}' ${sandbox.url}/documents\nCtrl-C ends it; ${dataNote}.\n`,
  );
  process.stderr.write(`${JSON.stringify({ event: 'ready', url: sandbox.url })}\n`);
  const stop = () => {
    sandbox.close().then(
      () => process.exit(0),
      (error: Error) => {
        fail(`The last changes were not kept: ${error.message}`);
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
    const { profile, at, seed, clock, data, fixtures, cors, empty, port } = values;
    return {
      port,
      ...(profile === undefined ? {} : { profile }),
      ...(seed === undefined ? {} : { seed }),
      ...(at === undefined ? {} : { at }),
      ...(clock === undefined ? {} : { clock }),
      ...(data === undefined ? {} : { dataFolder: data }),
      ...(fixtures === undefined ? {} : { fixtures }),
      ...(cors.length === 0 ? {} : { cors }),
      ...(empty ? { data: 'empty' as const } : {}),
    };
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), USAGE);
    return null;
  }
}

function fail(sentence: string, usage?: string): void {
  process.stderr.write(`${sanitizeForTerminal(sentence)}\n${usage === undefined ? '' : `\n${usage}`}`);
  process.exitCode = 1;
}

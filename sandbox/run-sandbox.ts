import {
  describeBlankOption,
  isWorkingFolderMissing,
  parseCommandArgs,
  WORKING_FOLDER_MISSING,
} from '../src/command-line.ts';
import { sanitizeForTerminal } from '../src/sanitize-for-terminal.ts';
import { version } from '../src/version.ts';
import { PROFILE_NAMES } from './profile/presets.ts';

const USAGE = `Usage: docshare-sandbox [options]

  --port N         port on 127.0.0.1 (default 4010; 0 picks a free one)
  --profile NAME   how the service answers: ${PROFILE_NAMES.join(', ')},
                   random:SEED, a line such as preset:legacy+errors=html, or the file
                   that \`docshare learn\` wrote: docshare.profile.json
  --empty          starts without the example company
  --fixtures FILE  what exists at the start: JSON, or a JavaScript or TypeScript module
  --data DIR       keeps everything in this folder: the next start goes on where this one ended
  --seed N         makes ids, data, keys and secrets repeatable
  --at TIME        when the clock starts, such as 2026-01-01T09:00Z (without a zone: UTC); it stands still until
                   it is advanced
  --clock KIND     real (runs on by itself) or manual (stands still)
  --cors ORIGIN    a website whose programs may call the API besides this machine's; repeatable, * for all
  -h, --help       prints this
  --version        prints the version
`;

/** Starts the sandbox for people: prints its base URL and a key, runs until it is told to stop. */
export async function runSandbox(args: readonly string[]): Promise<void> {
  // Whoever reads the output may be gone first, as `head` is: that is no fault.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode ||= 1;
    });
  const options = readOptions(args);
  if (options === null) return;
  // The whole service: who asks for help, or mistyped an option, need not wait for it.
  const [{ createSandbox }, { describeService }] = await Promise.all([
    import('./create-sandbox.ts'),
    import('./learned/choose-service.ts'),
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
  // The last one: the terminal is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseCommandArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '4010' },
        profile: { type: 'string' },
        seed: { type: 'string' },
        at: { type: 'string' },
        clock: { type: 'string' },
        data: { type: 'string' },
        fixtures: { type: 'string' },
        cors: { type: 'string', multiple: true },
        empty: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      return null;
    }
    if (values.version) {
      process.stdout.write(`${version}\n`);
      return null;
    }
    const { profile, at, seed, clock, data, fixtures, cors, empty } = values;
    const blankMessage = describeBlankOption(values, { data: 'a folder', fixtures: 'a file' });
    if (blankMessage) throw new RangeError(blankMessage);
    return {
      port: parsePort(values.port),
      ...(profile === undefined ? {} : { profile }),
      ...(seed === undefined ? {} : { seed: parseInteger('--seed', seed) }),
      ...(at === undefined ? {} : { at }),
      ...(clock === undefined ? {} : { clock: parseChoice('--clock', clock, ['real', 'manual'] as const) }),
      ...(data === undefined ? {} : { dataFolder: data }),
      ...(fixtures === undefined ? {} : { fixtures }),
      ...(cors === undefined ? {} : { cors }),
      ...(empty ? { data: 'empty' as const } : {}),
    };
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), USAGE);
    return null;
  }
}

function parseChoice<const T extends string>(flag: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw new RangeError(`${flag} needs ${choices.join(' or ')}, not "${text}"`);
  return choice;
}

function parsePort(text: string): number {
  const port = parseInteger('--port', text);
  if (port > 65_535) throw new RangeError('--port takes a number from 0 to 65535');
  return port;
}

function parseInteger(flag: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`${flag} needs a whole number, not "${text}"`);
  return Number(text);
}

function fail(sentence: string, usage?: string): void {
  process.stderr.write(`${sanitizeForTerminal(sentence)}\n${usage === undefined ? '' : `\n${usage}`}`);
  process.exitCode = 1;
}

import { parseArgs } from 'node:util';
import { createSandbox } from './create-sandbox.ts';
import { PROFILE_NAMES } from './profile/presets.ts';

const USAGE = `Usage: docshare-sandbox [--port N] [--profile NAME] [--seed N] [--empty]

  --port N        port on 127.0.0.1 (default 4010; 0 picks a free one)
  --profile NAME  how the service answers: ${PROFILE_NAMES.join(', ')},
                  random:SEED, or a line such as preset:legacy+errors=html
  --seed N        makes ids and data repeatable (default 1)
  --empty         starts without the example company
`;

/** Starts the sandbox for people: prints its base URL and a key, runs until it is told to stop. */
export async function runSandbox(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options === null) return;
  const sandbox = await createSandbox(options).catch((error: NodeJS.ErrnoException) => {
    fail(
      error.code === 'EADDRINUSE'
        ? `Port ${options.port} is taken: choose another with --port`
        : error.message,
    );
  });
  if (!sandbox) return;
  process.stdout.write(
    `Docshare sandbox, profile ${options.profile}\n\n  base URL  ${sandbox.url}\n  API key   ${sandbox.key()}\n  in a browser  ${sandbox.origin}/\n\n` +
      `Try it: curl -H "Authorization: Bearer $KEY" ${sandbox.url}/documents\nCtrl-C ends it; nothing is kept.\n`,
  );
  process.stderr.write(`${JSON.stringify({ event: 'ready', url: sandbox.url })}\n`);
  const stop = () => {
    void sandbox.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '4010' },
        profile: { type: 'string', default: 'modern' },
        seed: { type: 'string', default: '1' },
        empty: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      return null;
    }
    return {
      port: wholeNumber('--port', values.port),
      seed: wholeNumber('--seed', values.seed),
      profile: values.profile,
      data: values.empty ? ('empty' as const) : ('company' as const),
    };
  } catch (error) {
    fail(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return null;
  }
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`${flag} needs a whole number, not "${text}"`);
  return Number(text);
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

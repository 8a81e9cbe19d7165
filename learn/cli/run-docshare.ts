import { findTypo } from '../../src/did-you-mean.ts';
import { version } from '../../src/version.ts';
import { runLearn } from './run-learn.ts';

const USAGE = `Usage: docshare learn [options]     learns what the API document leaves open (see learn --help)
       docshare --version           prints the version

The client itself is a library: import { createClient } from 'docshare'.
`;

const COMMANDS = ['learn'];

/** Runs the command line and sets the exit code of the process. */
export async function runDocshare(args: readonly string[]): Promise<void> {
  // A reader such as `head` may close the pipe early; that is not an error.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode ||= 1;
    });
  const [command, ...rest] = args;
  if (command === 'learn') process.exitCode = await runLearnCli(rest);
  else if (command === undefined || command === '--help' || command === '-h') process.stdout.write(USAGE);
  else if (command === '--version' || command === '-v') process.stdout.write(`${version}\n`);
  else {
    const suggestion = findTypo(command, COMMANDS);
    process.stderr.write(
      // The input is not echoed: it may be an API key.
      `Unknown command${suggestion ? `; did you mean ${suggestion}?` : '.'}\n\n${USAGE}`,
    );
    process.exitCode = 2;
  }
}

/** Runs `learn` with the streams, environment and signals of this process. Returns the exit code. */
export async function runLearnCli(args: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const onSignal = () => {
    // A second signal exits at once; the cleanup process removes the created objects.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
    process.stderr.write('Stopping: removing created objects and saving results. Repeat to exit at once.\n');
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const { execPath, execArgv, argv } = process;
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await runLearn(args, {
      env: process.env,
      print: (text) => void process.stdout.write(text),
      printStatus: (text) => void process.stderr.write(text),
      signal: stop.signal,
      cleanupCommand: [execPath, ...execArgv, argv[1] ?? '', 'learn', '--cleanup-process'],
    });
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

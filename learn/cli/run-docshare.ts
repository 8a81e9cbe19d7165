import { findTypo } from '../../src/did-you-mean.ts';
import { version } from '../../src/version.ts';
import { runLearn } from './run-learn.ts';

const USAGE = `Usage: docshare learn [options]     asks the service what its API document leaves open: learn --help
       docshare --version           prints the version

The client itself is a library: import { createClient } from 'docshare'.
`;

const COMMANDS = ['learn'];

/** Runs the command line and sets the exit code of the process. */
export async function runDocshare(args: readonly string[]): Promise<void> {
  // Whoever reads the output may be gone first, as `head` is: that is no fault.
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
      // What was typed in a command's place may be a key.
      `There is no such command${suggestion ? `; did you mean ${suggestion}?` : '.'}\n\n${USAGE}`,
    );
    process.exitCode = 2;
  }
}

/** Runs `learn` with this process's own streams, environment and signals; gives the exit code. */
export async function runLearnCli(args: readonly string[]): Promise<number> {
  const stop = new AbortController();
  const onSignal = () => {
    // The second time nobody wants to wait: the cleanup process removes what is there.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
    process.stderr.write(
      'Stopping: what was made is removed, and what was learned is written. Once more ends at once.\n',
    );
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await runLearn(args, {
      env: process.env,
      print: (text) => void process.stdout.write(text),
      printStatus: (text) => void process.stderr.write(text),
      signal: stop.signal,
      cleanupCommand: [
        process.execPath,
        ...process.execArgv,
        process.argv[1] ?? '',
        'learn',
        '--cleanup-process',
      ],
    });
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

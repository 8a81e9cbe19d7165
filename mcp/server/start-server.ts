import { isWorkingFolderMissing, WORKING_FOLDER_MISSING } from '../../src/command-line.ts';
import { InputError } from '../../src/errors.ts';
import { version } from '../../src/version.ts';
import { logReady } from '../audit/log.ts';
import { getSystemErrorCode } from '../error-code.ts';
import { StateConfigError } from '../state/encryptor.ts';
import { assembleServer, type HostedDependencies } from './assemble-server.ts';
import { printBanner } from './banner.ts';
import { type Command, CommandLineError, parseCommandLine, USAGE } from './parse-command-line.ts';
import { exitWithError, installShutdownHandlers, logUncaughtErrors } from './process-shutdown.ts';
import { openHttp, openStdio, type RunningServer } from './running-server.ts';
import { guardStdout } from './stdout-guard.ts';
import { runDoctorCommand, runLearnCommand, runSetupCommand } from './subcommands.ts';

/** Validates settings and returns a function that starts the hosted server. @throws CommandLineError */
export type PrepareHosted = (
  command: Command,
  env: NodeJS.ProcessEnv,
) => Promise<(dependencies: HostedDependencies) => Promise<RunningServer>>;

/** The reader of the output may exit first, as `head` does; that is not an error. Other failures set the exit code. */
function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (getSystemErrorCode(error) !== 'EPIPE') process.exitCode ||= 1;
    });
}

/** Runs the command line. Exits with one sentence if it is invalid. */
export async function startServer(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  transports: { hosted: PrepareHosted; seal: (env: NodeJS.ProcessEnv) => Promise<void> },
): Promise<void> {
  ignoreBrokenPipes();
  try {
    if (args[0] === 'setup') return await runSetupCommand(args.slice(1), env);
    if (args[0] === 'seal') return await transports.seal(env);
    if (args[0] === 'learn') return await runLearnCommand(args.slice(1));
    const command = parseCommandLine(args);
    if (command.help) process.stdout.write(USAGE);
    else if (command.version) process.stdout.write(`${version}\n`);
    else if (command.doctor) await runDoctorCommand(command, env);
    else await runServer(command, env, transports);
  } catch (error) {
    exitWithError(getErrorMessage(error));
  }
}

function getErrorMessage(error: unknown): string {
  if ([CommandLineError, StateConfigError, InputError].some((Kind) => error instanceof Kind))
    return (error as Error).message;
  if (isWorkingFolderMissing(error)) return WORKING_FOLDER_MISSING;
  const code = getSystemErrorCode(error);
  return `the server could not start${code === 'unknown' ? '' : ` (${code})`}.`;
}

async function runServer(
  command: Command,
  env: NodeJS.ProcessEnv,
  transports: { hosted: PrepareHosted },
): Promise<void> {
  const protocolOutput = command.http || command.hosted ? undefined : guardStdout();
  const startHosted = command.hosted ? await transports.hosted(command, env) : undefined;
  const { factory, log, tools, sandboxServer, dependencies, end, close } = await assembleServer(command, env);
  const opening = startHosted
    ? startHosted(dependencies)
    : protocolOutput
      ? openStdio(factory, { input: process.stdin, protocolOutput, log, end })
      : openHttp(factory, { command, log, end });
  const server = await opening.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  logUncaughtErrors(log);
  const { url, publicUrl, metricsUrl, ended, shutdownTimeoutMs } = server;
  installShutdownHandlers(
    async (immediate) => {
      // The server closes first, so that running calls still have what they need.
      await server.close(immediate);
      await close();
    },
    { ended, timeoutMs: shutdownTimeoutMs },
  );
  // Each request over HTTP brings its own key.
  const required = [
    'DOCSHARE_BASE_URL',
    ...(protocolOutput && !dependencies.services.mode.workspaces ? ['DOCSHARE_API_KEY'] : []),
  ];
  const missing = sandboxServer ? [] : required.filter((name) => !env[name]?.trim());
  logReady({
    url,
    ...(publicUrl === undefined ? {} : { public_url: publicUrl }),
    ...(metricsUrl === undefined ? {} : { metrics_url: metricsUrl }),
    tools,
    ...(sandboxServer ? { sandbox: sandboxServer.url } : {}),
    ...(missing.length > 0 ? { missing } : {}),
  });
  // Hosts use pipes; at a terminal, a person is trying it out.
  if (process.stdin.isTTY && process.stderr.isTTY)
    printBanner({ server, sandbox: sandboxServer, data: command.data, missing });
}

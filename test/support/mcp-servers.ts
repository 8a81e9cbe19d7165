/** The server that a test's host connects to, in this process or in a separate one. Both use JSON lines. */
import { PassThrough } from 'node:stream';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type AssembleOptions, assembleServer } from '../../mcp/server/assemble-server.ts';
import { CommandLineError, parseCommandLine } from '../../mcp/server/parse-command-line.ts';
import { openStdio } from '../../mcp/server/running-server.ts';
import { collectText } from './collect-text.ts';
import { mcpMain } from './entry.ts';

export interface RunningServer {
  /** The client's transport, for either version of the SDK. */
  readonly transport: object;
  stderr(): string;
  /** Settles when the server has ended, after its client closed. */
  closed(): Promise<void>;
}

export function processOf(
  args: readonly string[],
  options: { kind: string; env: Record<string, string>; cwd: string | undefined },
): RunningServer {
  const { kind, env, cwd } = options;
  const Transport = kind === 'sdk 1.x' ? LegacyStdio : ModernStdio;
  const transport = new Transport({
    command: process.execPath,
    args: [mcpMain, ...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe',
    ...(cwd === undefined ? {} : { cwd }),
  });
  const stderr = transport.stderr ? collectText(transport.stderr) : () => '';
  return { transport, stderr, closed: async () => undefined };
}

/** Builds the server that a command line describes, without a transport. By default its log is discarded. */
export function assemble(
  args: readonly string[],
  env: Record<string, string>,
  options: AssembleOptions = {},
): ReturnType<typeof assembleServer> {
  return assembleServer(parseCommandLine(args), env, { write: () => undefined, ...options });
}

/** Returns the message of a start that fails with a CommandLineError. @throws any other error. */
export async function getStartError(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  try {
    await (await assemble(args, env)).close();
    return 'It started';
  } catch (error) {
    if (error instanceof CommandLineError) return error.message;
    throw error;
  }
}

/** The whole server except its process: command line, tools, state, log, and its own transport. */
export async function openServer(
  args: readonly string[],
  env: Record<string, string>,
  openBrowser: (url: string) => Promise<boolean> = async () => false,
  { minAnswerMs = 0, pageWaitMs = 20_000 }: { minAnswerMs?: number; pageWaitMs?: number } = {},
): Promise<RunningServer> {
  let errors = '';
  const server = await assemble(args, env, {
    write: (line) => {
      errors += line;
    },
    // Test hosts answer at once.
    minAnswerMs,
    pageWaitMs,
    openBrowser,
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const door = await openStdio(server.factory, { input, protocolOutput: output, log: server.log, end: server.end });
  const closed = door.ended.then(async () => {
    await door.close();
    await server.close();
  });
  return { transport: lines(output, input), stderr: () => errors, closed: () => closed };
}

/** A client's transport over two streams. */
function lines(from: PassThrough, to: PassThrough): object {
  let rest = '';
  const transport = {
    onmessage: undefined as ((message: unknown) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    async start() {
      from.setEncoding('utf8').on('data', (chunk: string) => {
        const whole = (rest + chunk).split('\n');
        rest = whole.pop() ?? '';
        for (const line of whole) transport.onmessage?.(JSON.parse(line));
      });
      from.once('end', () => transport.onclose?.());
    },
    send: (message: object) =>
      new Promise<void>((resolve) => void to.write(`${JSON.stringify(message)}\n`, () => resolve())),
    async close() {
      to.end();
      transport.onclose?.();
    },
  };
  return transport;
}

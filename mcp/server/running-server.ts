import type { Readable, Writable } from 'node:stream';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { Log } from '../audit/log.ts';
import type { ShutdownSignals } from '../call/shutdown-signals.ts';
import { getSystemErrorCode } from '../error-code.ts';
import { createListenError } from './listen-error.ts';
import type { Command } from './parse-command-line.ts';
import { FLUSH_TIMEOUT_MS, SHUTDOWN_TIMEOUT_MS, STDIO_SHUTDOWN_TIMEOUT_MS } from './process-shutdown.ts';

export interface RunningServer {
  readonly url: string;
  /** Public URL, if it differs. */
  readonly publicUrl?: string;
  /** URL of metrics and probes. */
  readonly metricsUrl?: string | undefined;
  /** Resolves when the client disconnects; never over HTTP. */
  readonly ended: Promise<void>;
  readonly shutdownTimeoutMs?: number;
  close(immediate?: boolean): Promise<void>;
}

/** Serves MCP over two streams: this process's own, or those of an embedding program. */
export async function openStdio(
  factory: McpServerFactory,
  { input, protocolOutput, log, end }: { input: Readable; protocolOutput: Writable; log: Log; end: ShutdownSignals },
): Promise<RunningServer> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createStdioTransport } = await import('./stdio-transport.ts');
  const transport = createStdioTransport(input, protocolOutput, ({ code }) => log.warn('line_rejected', { code }));
  const handle = serveStdio(factory, {
    transport,
    onerror: (error) => log.warn('protocol_error', { message: error.message }),
  });
  return {
    url: 'stdio:',
    ended: transport.ended,
    shutdownTimeoutMs: STDIO_SHUTDOWN_TIMEOUT_MS,
    async close() {
      // A caller that piped in all its calls still reads the responses.
      const timeoutMs = STDIO_SHUTDOWN_TIMEOUT_MS - FLUSH_TIMEOUT_MS;
      end.start({ readTimeoutMs: timeoutMs, writeTimeoutMs: timeoutMs });
      await transport.drain(STDIO_SHUTDOWN_TIMEOUT_MS);
      await handle.close();
      await new Promise<void>((resolve) => protocolOutput.end(() => resolve()));
    },
  };
}

/** Serves MCP over HTTP for one person. */
export async function openHttp(
  factory: McpServerFactory,
  { command, log, end }: { command: Command; log: Log; end: ShutdownSignals },
): Promise<RunningServer> {
  const { host, port } = command;
  const { startHttpServer } = await import('./http-server.ts');
  const onError = (error: Error) => log.warn('protocol_error', { message: error.message });
  const server = await startHttpServer(factory, { host, port, onError }).catch((error: unknown) => {
    throw createListenError(`--host ${host} --port ${port}`, getSystemErrorCode(error));
  });
  return {
    ...server,
    ended: new Promise(() => undefined),
    close() {
      end.start({ readTimeoutMs: 0, writeTimeoutMs: SHUTDOWN_TIMEOUT_MS - FLUSH_TIMEOUT_MS });
      return server.close();
    },
  };
}

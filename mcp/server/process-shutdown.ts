import { sanitizeForTerminal } from '../../src/sanitize-for-terminal.ts';
import type { Log } from '../audit/log.ts';

/** Time for running calls to finish at shutdown. */
export const SHUTDOWN_TIMEOUT_MS = 5000;
/** Over stdio, the SDK's client sends SIGTERM 2 s after closing stdin, and SIGKILL 2 s later. */
export const STDIO_SHUTDOWN_TIMEOUT_MS = 1900;
/** The last part of either time, to report aborted calls to the host and the audit log. */
export const FLUSH_TIMEOUT_MS = 400;

/**
 * Exits when the connection ends or on a signal; timers of the rate limiter would keep the process alive.
 * @param close called with `immediate` for Ctrl-C; abandoned after `timeoutMs`.
 */
export function installShutdownHandlers(
  close: (immediate: boolean) => Promise<void>,
  { ended, timeoutMs = SHUTDOWN_TIMEOUT_MS }: { ended: Promise<void>; timeoutMs?: number | undefined },
): void {
  let isShuttingDown = false;
  const shutDown = async (immediate: boolean) => {
    if (isShuttingDown) return;
    isShuttingDown = true;
    setTimeout(() => process.exit(0), timeoutMs + 1500).unref();
    await close(immediate).catch(() => undefined);
    process.exit(0);
  };
  void ended.then(() => shutDown(false));
  process.on('SIGINT', () => shutDown(true));
  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => shutDown(false));
}

/**
 * Logs uncaught errors instead of exiting, because they concern one call. Messages may quote users' text, so
 * only the type is logged.
 */
export function logUncaughtErrors(log: Log): void {
  const logError = (error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'none';
    log.error('unexpected', { kind: error instanceof Error ? error.name : typeof error, code });
  };
  // Reporting a broken stderr would fail again.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', logError);
  process.on('unhandledRejection', logError);
}

export function exitWithError(message: string): void {
  process.stderr.write(`docshare-mcp: ${sanitizeForTerminal(message)}\n`, () => process.exit(1));
}

import { sanitizeForTerminal } from '../../src/sanitize-for-terminal.ts';
import type { Log } from '../audit/log.ts';

/** How long what is under way may go on when the server is told to end. */
export const SHUTDOWN_TIMEOUT_MS = 5000;
/** Over stdio: hosts close stdin, and the SDK's client kills two seconds after its SIGTERM, which comes two seconds later. */
export const STDIO_SHUTDOWN_TIMEOUT_MS = 1900;
/** The last of either time, for what was given up to say so: to the host, and in the audit. */
export const FLUSH_TIMEOUT_MS = 400;

/**
 * Ends the process with the connection or a signal; timers of the limiter would keep it alive for a minute.
 * @param close told to hurry where a person at a terminal waits for it; given up after `timeoutMs`.
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
  // The latter: the terminal is closed.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => shutDown(false));
}

/** What nobody caught belongs to one call, and must not end all others. Its words may quote what people wrote: only its kind is told. */
export function logUncaughtErrors(log: Log): void {
  const logError = (error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'none';
    log.error('unexpected', { kind: error instanceof Error ? error.name : typeof error, code });
  };
  // Nobody reads it any more: telling that would fail again.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', logError);
  process.on('unhandledRejection', logError);
}

/** Ends the process with one sentence, whatever has been started already. */
export function exitWithError(message: string): void {
  process.stderr.write(`docshare-mcp: ${sanitizeForTerminal(message)}\n`, () => process.exit(1));
}

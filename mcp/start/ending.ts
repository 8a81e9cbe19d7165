import { sanitizeForTerminal } from '../../src/for-terminal.ts';
import type { Log } from '../record/log.ts';

/** How long what is under way may go on when the server is told to end. */
export const SHUTDOWN_TIMEOUT_MS = 5000;
/** Over stdio: hosts close stdin, and the SDK's client kills two seconds after its SIGTERM, which comes two seconds later. */
export const STDIO_SHUTDOWN_TIMEOUT_MS = 1900;
/** The last of either time, for what was given up to say so: to the host, and in the audit. */
export const FLUSH_TIMEOUT_MS = 400;

/**
 * Ends the process with the connection or a signal; timers of the limiter would keep it alive for a minute.
 * @param close told to hurry where a person at a terminal waits for it; given up after `withinMs`.
 */
export function endWith(
  close: (hurry: boolean) => Promise<void>,
  { ended, withinMs = SHUTDOWN_TIMEOUT_MS }: { ended: Promise<void>; withinMs?: number | undefined },
): void {
  let isEnding = false;
  const end = async (hurry: boolean) => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(0), withinMs + 1500).unref();
    await close(hurry).catch(() => undefined);
    process.exit(0);
  };
  void ended.then(() => end(false));
  process.on('SIGINT', () => end(true));
  // The latter: the terminal is closed.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(false));
}

/** What nobody caught belongs to one call, and must not end all others. Its words may quote what people wrote: only its kind is told. */
export function surviveFaults(log: Log): void {
  const tell = (fault: unknown) => {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : 'none';
    log.error('unexpected', { kind: fault instanceof Error ? fault.name : typeof fault, code });
  };
  // Nobody reads it any more: telling that would fail again.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
}

/** Ends the process with one sentence, whatever has been started already. */
export function endFailed(sentence: string): void {
  process.stderr.write(`docshare-mcp: ${sanitizeForTerminal(sentence)}\n`, () => process.exit(1));
}

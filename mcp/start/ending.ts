import type { Log } from '../record/log.ts';

/** How long calls that run may go on when the server is told to end. */
export const GRACE_MS = 5000;

/** Ends the process with the connection or a signal; timers of the limiter would keep it alive for a minute. */
export function endWith(close: () => Promise<void>, ended: Promise<void>): void {
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(0), GRACE_MS + 2000).unref();
    await close().catch(() => undefined);
    process.exit(0);
  };
  void ended.then(end);
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
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
  process.stderr.write(`docshare-mcp: ${sentence}\n`, () => process.exit(1));
}

import type { CleanupCommand } from '../write/cleanup-process.ts';

/** Environment and streams of one command-line run. */
export interface CommandIo {
  readonly env: NodeJS.ProcessEnv;
  /** Writes to stdout. */
  readonly print: (text: string) => void;
  /** Writes to stderr. */
  readonly printStatus: (text: string) => void;
  readonly signal?: AbortSignal;
  /** Command that starts this program as the cleanup process. */
  readonly cleanupCommand?: CleanupCommand;
}

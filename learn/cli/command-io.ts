import type { CleanupCommand } from '../write/cleanup-process.ts';

/** What a run of the command line has of its process. */
export interface CommandIo {
  readonly env: NodeJS.ProcessEnv;
  /** What was asked for. */
  readonly print: (text: string) => void;
  /** What goes on meanwhile. */
  readonly printStatus: (text: string) => void;
  readonly signal?: AbortSignal;
  /** What starts this program again, as the cleanup process. */
  readonly cleanupCommand?: CleanupCommand;
}

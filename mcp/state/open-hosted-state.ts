import { deriveKey, StateConfigError } from './encryptor.ts';
import { createMemoryState } from './memory-state.ts';
import { parseRedisUrl } from './redis-config.ts';
import type { SharedState, StateStatus } from './shared-state.ts';
import { createStateProvider } from './state-provider.ts';

interface HostedStateOptions {
  /** DOCSHARE_REDIS_URL. Without it a file is used, and without a folder, memory. */
  readonly redisUrl?: string | undefined;
  readonly folder?: string | undefined;
  /** DOCSHARE_SECRETS: the first encrypts, all decrypt. */
  readonly secrets: readonly string[];
  /** Minimum number of replicas. */
  readonly replicas?: number | undefined;
  /** How long a Redis that lost its history delays requests; default: one rate limit window. */
  readonly holdMs?: number | undefined;
  /** Called when Redis becomes unavailable or available, with an error code. */
  readonly onStatusChange: (status: StateStatus, code?: string) => void;
  /** Called when the file can't be used and memory takes over. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Opens the state that replicas share. An unavailable Redis is not an error: it reconnects. @throws
 * StateConfigError for invalid settings.
 */
export async function openHostedState(options: HostedStateOptions): Promise<SharedState> {
  const { redisUrl, folder, secrets, replicas, holdMs, onStatusChange, onFailure } = options;
  const [currentSecret, ...olderSecrets] = secrets;
  if (!currentSecret) throw new StateConfigError('DOCSHARE_SECRETS is missing. It encrypts what replicas share.');
  if (redisUrl !== undefined) {
    const address = parseRedisUrl(redisUrl);
    const { openRedisState } = await import('./redis-state.ts');
    return openRedisState({ address, secrets: [currentSecret, ...olderSecrets], replicas, holdMs, onStatusChange });
  }
  if (folder !== undefined) return createStateProvider({ folder, onFailure })();
  // Derived, so that issued tokens survive a restart.
  return createMemoryState({ secret: deriveKey(currentSecret, 'state') });
}

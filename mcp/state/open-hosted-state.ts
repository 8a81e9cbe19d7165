import { deriveKey, StateConfigError } from './encryptor.ts';
import { createMemoryState } from './memory-state.ts';
import { parseRedisUrl } from './redis-config.ts';
import type { SharedState, StateStatus } from './shared-state.ts';
import { createStateProvider } from './state-provider.ts';

export interface HostedStateOptions {
  /** DOCSHARE_REDIS_URL; without it, one machine's file; without that, this process alone. */
  readonly redisUrl?: string | undefined;
  readonly folder?: string | undefined;
  /** DOCSHARE_SECRETS: the first seals, all open. */
  readonly secrets: readonly string[];
  /** There are at least so many replicas. */
  readonly replicas?: number | undefined;
  /** So long a Redis that lost its history holds all starts; a window of the limit, but for tests. */
  readonly holdMs?: number | undefined;
  /** Told when Redis goes and comes back, with the code of what is wrong. */
  readonly onStatusChange: (status: StateStatus, code?: string) => void;
  /** Told when a file can't be used and memory takes over. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Opens the state that the replicas of a hosted server share. A Redis that is away is no error: it is looked for until it
 * comes. @throws StateSettingError for settings that can't be meant.
 */
export async function openHostedState(options: HostedStateOptions): Promise<SharedState> {
  const { redisUrl, folder, secrets, replicas, holdMs, onStatusChange, onFailure } = options;
  const [currentSecret, ...olderSecrets] = secrets;
  if (!currentSecret)
    throw new StateConfigError('DOCSHARE_SECRETS is missing: it seals what replicas share.');
  if (redisUrl !== undefined) {
    const address = parseRedisUrl(redisUrl);
    const { openRedisState } = await import('./redis-state.ts');
    return openRedisState({
      address,
      secrets: [Buffer.from(currentSecret), ...olderSecrets.map((one) => Buffer.from(one))],
      onStatusChange,
      ...(replicas === undefined ? {} : { replicas }),
      ...(holdMs === undefined ? {} : { holdMs }),
    });
  }
  if (folder !== undefined) return createStateProvider({ folder, onFailure })();
  // Tokens that were given out stay good over a new start.
  return createMemoryState({ secret: deriveKey(currentSecret, 'state') });
}

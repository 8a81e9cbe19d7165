import type { Cluster, Redis } from 'ioredis';
import type { RedisConfig } from './redis-config.ts';
import { getRedisErrorCode, WRONG_DB } from './redis-error-code.ts';
import { SCRIPTS } from './redis-scripts.ts';

const PLAIN_COMMANDS = ['get', 'set', 'del', 'zrem'] as const;

/** Redis commands that the state uses, including its scripts. */
export type RedisCommands = Pick<Redis, (typeof PLAIN_COMMANDS)[number]> &
  Readonly<Record<keyof typeof SCRIPTS, (...args: readonly (string | number)[]) => Promise<unknown>>>;

interface RedisClient {
  readonly commands: RedisCommands;
  disconnect(): void;
}

/** Closes a connection that does not answer a command for this long. */
const SOCKET_TIMEOUT_MS = 3000;

/**
 * Creates a client for one Redis, a Sentinel master or a cluster. It reconnects forever, never queues
 * commands, and sends nothing if selecting the database failed.
 */
export async function createRedisClient(
  address: RedisConfig,
  handlers: { error(error: Error): void; ready(): void },
): Promise<RedisClient> {
  // Imported late, because most servers need no Redis. A CommonJS bundle has only the default export.
  const { Redis, Cluster } = (await import('ioredis')).default;
  const { kind, nodes, tls, username, password, db, master, sentinelPassword } = address;
  const getRetryDelayMs = (times: number) => Math.min(50 * times, 400);
  const commonOptions = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(db === undefined ? {} : { db }),
    ...(tls ? { tls: {} } : {}),
    connectionName: 'docshare',
    connectTimeout: 2000,
    socketTimeout: SOCKET_TIMEOUT_MS,
    // An unanswered command may have run: the caller decides what that means.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  };
  const singleNodeOptions = {
    ...commonOptions,
    enableOfflineQueue: false,
    retryStrategy: getRetryDelayMs,
    lazyConnect: true,
  };
  const [firstNode] = nodes;
  const redis: Redis | Cluster =
    kind === 'cluster'
      ? new Cluster([...nodes], {
          redisOptions: commonOptions,
          enableOfflineQueue: false,
          lazyConnect: true,
          clusterRetryStrategy: getRetryDelayMs,
          slotsRefreshTimeout: 2000,
          slotsRefreshInterval: 5000,
        })
      : kind === 'sentinel'
        ? new Redis({
            ...singleNodeOptions,
            sentinels: [...nodes],
            name: master ?? '',
            sentinelRetryStrategy: getRetryDelayMs,
            ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
            ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
          })
        : new Redis({ ...singleNodeOptions, ...firstNode });
  let selectError: Error | undefined;
  redis.on('error', (error: Error) => {
    if (isSelectError(error)) {
      // ioredis would continue in database 0, which is not ours.
      selectError = getRedisErrorCode(error) === 'ERR' ? Object.assign(error, { code: WRONG_DB }) : error;
      redis.disconnect(true);
    }
    handlers.error(error);
  });
  redis.on('close', () => {
    selectError = undefined;
  });
  redis.on('ready', handlers.ready);
  for (const [name, { lua, numberOfKeys }] of Object.entries(SCRIPTS))
    redis.defineCommand(name, { lua, ...(numberOfKeys === undefined ? {} : { numberOfKeys }) });
  void redis.connect().catch(() => undefined);
  // ioredis adds defined commands dynamically, without types.
  const all = redis as unknown as Record<keyof RedisCommands, (...args: unknown[]) => Promise<unknown>>;
  const names = [...PLAIN_COMMANDS, ...Object.keys(SCRIPTS)] as (keyof RedisCommands)[];
  const commands = names.map((name) => [
    name,
    (...args: unknown[]) => (selectError ? Promise.reject(selectError) : all[name](...args)),
  ]);
  return { commands: Object.fromEntries(commands), disconnect: () => redis.disconnect() };
}

function isSelectError(error: Error): boolean {
  const { command } = error as { command?: { name?: unknown } };
  return command?.name === 'select';
}

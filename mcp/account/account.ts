import { randomBytes } from 'node:crypto';
import type { Contradiction, ServiceProfile, Transport } from '../../src/index.ts';
import { type OpenClient, toOpenClient } from '../../src/open-client.ts';
import { setBounded } from '../bounded-map.ts';
import { computeHmac } from '../canonical-json.ts';
import type { StateProvider } from '../state/shared-state.ts';
import type { KeyStatus } from '../tool/key-status.ts';
import { ToolError } from '../tool-error.ts';
import { createKeyObserver, type KeyObserver } from './key-observer.ts';

/** One API key: its fingerprints, and a client created on demand. */
export interface Account {
  /** Identifies the key within this process without revealing it. */
  readonly fingerprint: string;
  /** Values that must never appear in a result. */
  readonly secrets: readonly string[];
  /** Identifies key and service on all servers that share the secret. */
  getSharedFingerprint(secret: Buffer): string;
  readonly keyStatus: KeyStatus;
  /** Hash of the person behind a key that several people share. */
  readonly subject?: string | undefined;
  /** @throws ToolError if the key or the base URL is missing or invalid, saying what to set. */
  client(): Promise<OpenClient>;
}

export type Accounts = ReturnType<typeof createAccounts>;

const MAX_ACCOUNTS = 256;
/** A longer wait for the rate limit ends in an error that says when to retry. */
const MAX_WAIT_MS = 50_000;

/** Accounts by key. All clients share one connection pool, and the rate limit of all servers that share the state. */
export function createAccounts(options: {
  baseUrl: string | undefined;
  missingKey: string;
  state: StateProvider;
  profile?: ServiceProfile | undefined;
  /** Called once per fact of the profile that a response contradicts. */
  onContradiction?: (contradiction: Contradiction) => void;
}) {
  const reportedFacts = new Set<string>();
  const salt = randomBytes(32);
  const accounts = new Map<string, Account>();
  let transport: (Transport & { close(): Promise<void> }) | undefined;

  const listeners: ((account: Account) => void)[] = [];

  function notifyOnce(contradiction: Contradiction): void {
    if (reportedFacts.has(contradiction.fact)) return;
    reportedFacts.add(contradiction.fact);
    options.onContradiction?.(contradiction);
  }

  async function connect(
    apiKey: string | undefined,
    { keyObserver, onKeyRejected }: { keyObserver: KeyObserver; onKeyRejected: () => void },
  ): Promise<OpenClient> {
    // Imported late: undici and the limiter would double the time to the list of tools.
    const { AuthenticationError, createClient, createUndiciTransport, InputError, operations } = await import(
      '../../src/index.ts'
    );
    if (!apiKey) throw new ToolError('no_key', options.missingKey);
    if (!options.baseUrl)
      throw new ToolError(
        'no_base_url',
        'No base URL is set. Set DOCSHARE_BASE_URL in the server’s environment to the URL that ends in /api/v1, and restart the server.',
      );
    const { limit } = await options.state();
    transport ??= createUndiciTransport();
    try {
      const client = createClient({
        apiKey,
        baseUrl: options.baseUrl,
        transport: keyObserver.observeTransport(transport),
        hooks: [
          keyObserver.hooks((name) => operations.find((entry) => entry.name === name)?.operation.scope),
          { onRequestEnd: ({ error }) => (error instanceof AuthenticationError ? onKeyRejected() : undefined) },
          ...(options.profile ? [{ onContradiction: notifyOnce }] : []),
        ],
        maxWaitMs: MAX_WAIT_MS,
        profile: options.profile,
        ...(limit ? { limitStore: limit } : {}),
      });
      return toOpenClient(client);
    } catch (error) {
      if (error instanceof InputError) throw new ToolError('bad_settings', error.message);
      throw error;
    }
  }

  return {
    get(apiKey: string | undefined): Account {
      const key = apiKey?.trim() || undefined;
      let account = accounts.get(key ?? '');
      if (!account) {
        // Computed once, because each call of a tool needs it.
        let shared: { readonly secret: Buffer; readonly fingerprint: string } | undefined;
        let client: Promise<OpenClient> | undefined;
        const keyObserver = createKeyObserver(options.baseUrl);
        const newAccount: Account = {
          fingerprint: computeHmac(salt, key ?? ''),
          secrets: key ? [key] : [],
          getSharedFingerprint(secret) {
            if (shared?.secret !== secret)
              shared = {
                secret,
                fingerprint: computeKeyFingerprint(secret, { baseUrl: options.baseUrl, apiKey: key }),
              };
            return shared.fingerprint;
          },
          keyStatus: keyObserver,
          client: () => {
            client ??= connect(key, {
              keyObserver,
              onKeyRejected: () => listeners.forEach((listener) => void listener(newAccount)),
            });
            return client;
          },
        };
        account = newAccount;
        setBounded(accounts, MAX_ACCOUNTS, [key ?? '', account]);
      }
      return account;
    },
    /** Calls `listener` whenever the service rejects a key. */
    onKeyRejected: (listener: (account: Account) => void) => void listeners.push(listener),
    close: async () => transport?.close(),
  };
}

/** See `Account.getSharedFingerprint`. */
export function computeKeyFingerprint(
  secret: Buffer,
  { baseUrl, apiKey = '' }: { baseUrl: string | undefined; apiKey: string | undefined },
): string {
  return computeHmac(secret, `${getOrigin(baseUrl)}\n${apiKey}`);
}

/** The rate limiter identifies services by origin, too. */
function getOrigin(baseUrl = ''): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}

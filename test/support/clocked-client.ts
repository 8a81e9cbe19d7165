import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts';
import { type Client, type Contradiction, createClient, type ServiceProfile, type Transport } from '../../src/index.ts';
import { withoutSocket, withoutWaiting } from './without-socket.ts';

export interface Clocked {
  readonly client: Client;
  readonly sandbox: Sandbox;
  /** What the client sends with, but for the clock. */
  readonly transport: Transport;
  /** Requests that the client has sent. */
  sent(): number;
  /** What came otherwise than it had been learned. */
  readonly contradictions: readonly Contradiction[];
}

/**
 * A sandbox of this making and a client of it, for each of whose calls a second goes by on the service's clock: its limit is
 * the subject of other tests. Without a socket, unless a transport is given.
 */
export async function withClockedClient<Result>(
  { transport, ...options }: Pick<SandboxOptions, 'profile'> & { transport?: Transport },
  act: (clocked: Clocked) => Promise<Result>,
): Promise<Result> {
  const sandbox = await createSandbox({ ...options, clock: 'manual' });
  try {
    return await withClientOf(sandbox, { transport }, act);
  } finally {
    await sandbox.close();
  }
}

/** The same of a sandbox that is there, with a key of its own, so that no limit is another's. */
export async function withClientOf<Result>(
  sandbox: Sandbox,
  { profile, transport = withoutSocket }: { profile?: ServiceProfile; transport?: Transport | undefined },
  act: (clocked: Clocked) => Promise<Result>,
): Promise<Result> {
  let sent = 0;
  const contradictions: Contradiction[] = [];
  const client = createClient({
    apiKey: sandbox.key(),
    baseUrl: sandbox.url,
    profile,
    transport: withoutWaiting(sandbox, 1000, (request) => {
      sent += 1;
      return transport(request);
    }),
    hooks: { onContradiction: (seen) => contradictions.push(seen) },
  });
  return act({ client, sandbox, transport, sent: () => sent, contradictions });
}

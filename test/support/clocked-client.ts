import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts';
import { type Client, type Contradiction, createClient, type ServiceProfile, type Transport } from '../../src/index.ts';
import { withoutSocket, withoutWaiting } from './without-socket.ts';

export interface Clocked {
  readonly client: Client;
  readonly sandbox: Sandbox;
  /** The transport, without the clock. */
  readonly transport: Transport;
  /** Requests that the client has sent. */
  sent(): number;
  /** Contradictions of the profile. */
  readonly contradictions: readonly Contradiction[];
}

/** A sandbox with this profile, and a client, by default without a socket. Each call advances the clock by a second. */
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

/** The same for an existing sandbox, with its own key, so that it shares no rate limit. */
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

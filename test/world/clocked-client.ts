import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts';
import { type Client, type Contradiction, createClient, createUndiciTransport } from '../../src/index.ts';
import type { LearnedProfile } from '../../src/profile/format.ts';

export interface Clocked {
  readonly client: Client;
  readonly sandbox: Sandbox;
  /** Requests that the client has sent. */
  sent(): number;
  /** What came otherwise than it had been learned. */
  readonly contradictions: readonly Contradiction[];
}

/**
 * A sandbox of this making and a client of it, for each of whose calls a second goes by on the service's clock: its limit is
 * the subject of other tests.
 */
export async function withClockedClient<Result>(
  options: Pick<SandboxOptions, 'profile'>,
  act: (clocked: Clocked) => Promise<Result>,
): Promise<Result> {
  const sandbox = await createSandbox({ ...options, clock: 'manual' });
  try {
    return await withClientOf(sandbox, {}, act);
  } finally {
    await sandbox.close();
  }
}

/** The same of a sandbox that is there, with a key of its own, so that no limit is another's. */
export async function withClientOf<Result>(
  sandbox: Sandbox,
  { profile }: { profile?: LearnedProfile },
  act: (clocked: Clocked) => Promise<Result>,
): Promise<Result> {
  const transport = createUndiciTransport();
  let sent = 0;
  const contradictions: Contradiction[] = [];
  const client = createClient({
    apiKey: sandbox.key(),
    baseUrl: sandbox.url,
    profile,
    transport: async (request) => {
      sent += 1;
      await sandbox.clock.advance(1000);
      return transport(request);
    },
    hooks: { onContradiction: (seen) => contradictions.push(seen) },
  });
  try {
    return await act({ client, sandbox, sent: () => sent, contradictions });
  } finally {
    await transport.close();
  }
}

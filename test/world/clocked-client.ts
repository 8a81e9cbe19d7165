import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts';
import { type Client, createClient, createUndiciTransport } from '../../src/index.ts';

/**
 * A sandbox of this making and a client of it, for each of whose calls a second goes by on the service's clock: its limit is
 * the subject of other tests.
 */
export async function withClockedClient(
  options: Pick<SandboxOptions, 'profile'>,
  act: (client: Client, sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const sandbox = await createSandbox({ ...options, clock: 'manual' });
  const transport = createUndiciTransport();
  const client = createClient({
    apiKey: sandbox.key(),
    baseUrl: sandbox.url,
    transport: async (request) => {
      await sandbox.clock.advance(1000);
      return transport(request);
    },
  });
  try {
    await act(client, sandbox);
  } finally {
    await transport.close();
    await sandbox.close();
  }
}

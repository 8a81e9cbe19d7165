import { type Learned, type LearnOptions, learn } from '../../learn/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { createUndiciTransport } from '../../src/index.ts';

/** Learns from a sandbox whose clock stands still: more than half a second goes by with each call, so that no limit makes a test wait. */
export async function learnFrom(sandbox: Sandbox, options: LearnOptions = {}): Promise<Learned> {
  const wire = createUndiciTransport();
  try {
    const transport: typeof wire = Object.assign((request: Parameters<typeof wire>[0]) => {
      sandbox.clock.advance(600);
      return wire(request);
    }, wire);
    return await learn({ apiKey: sandbox.key(), baseUrl: sandbox.url, transport, ...options });
  } finally {
    await wire.close();
  }
}

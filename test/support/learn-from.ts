import { type LearnOptions, type LearnResult, learn } from '../../learn/index.ts';
import { createSandbox, type Sandbox, type ServiceInput } from '../../sandbox/index.ts';
import type { ServiceProfile } from '../../src/index.ts';
import { withoutWaiting } from './without-socket.ts';

/** Learns from a sandbox whose clock stands still, except for more than half a second per call. */
export function learnFrom(sandbox: Sandbox, options: LearnOptions = {}): Promise<LearnResult> {
  const transport = withoutWaiting(sandbox, 600);
  return learn({ apiKey: sandbox.key(), baseUrl: sandbox.url, transport, ...options });
}

/** Learns from a new sandbox with this profile. */
export async function learnOf(profile: ServiceInput): Promise<ServiceProfile> {
  const sandbox = await createSandbox({ seed: 1, clock: 'manual', profile });
  try {
    return (await learnFrom(sandbox)).profile;
  } finally {
    await sandbox.close();
  }
}

/** Removes what differs between runs, and the numbers of observations. */
export function lasting({ operations, resources, rejections, facts, scopes }: ServiceProfile): unknown {
  const text = JSON.stringify({ operations, resources, rejections, facts, scopes }, (name, value) =>
    ['x-seen', 'seen', 'examples', 'ttlSeconds', 'x-internal'].includes(name) ? undefined : value,
  );
  return JSON.parse(text);
}

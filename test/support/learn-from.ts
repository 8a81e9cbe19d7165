import { type LearnOptions, type LearnResult, learn } from '../../learn/index.ts';
import { createSandbox, type Sandbox, type ServiceInput } from '../../sandbox/index.ts';
import type { ServiceProfile } from '../../src/index.ts';
import { withoutWaiting } from './without-socket.ts';

/** Learns from a sandbox whose clock stands still, but for more than half a second with each call. */
export function learnFrom(sandbox: Sandbox, options: LearnOptions = {}): Promise<LearnResult> {
  const transport = withoutWaiting(sandbox, 600);
  return learn({ apiKey: sandbox.key(), baseUrl: sandbox.url, transport, ...options });
}

/** What is learned of a sandbox of its own, which answers as `profile` says. */
export async function learnOf(profile: ServiceInput): Promise<ServiceProfile> {
  const sandbox = await createSandbox({ seed: 1, clock: 'manual', profile });
  try {
    return (await learnFrom(sandbox)).profile;
  } finally {
    await sandbox.close();
  }
}

/** Without what differs from start to start, and how often something was seen. */
export function lasting({ operations, resources, rejections, facts, scopes }: ServiceProfile): unknown {
  const text = JSON.stringify({ operations, resources, rejections, facts, scopes }, (name, value) =>
    ['x-seen', 'seen', 'examples', 'ttlSeconds', 'x-internal'].includes(name) ? undefined : value,
  );
  return JSON.parse(text);
}

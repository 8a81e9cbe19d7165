import { type LearnOptions, type LearnResult, learn } from '../../learn/index.ts';
import { createSandbox, type Sandbox, type ServiceInput } from '../../sandbox/index.ts';
import type { ServiceProfile } from '../../src/index.ts';
import { withoutWaiting } from './without-socket.ts';

/** Learns from a sandbox whose clock stands still, except for more than half a second per call. */
export function learnFrom(sandbox: Sandbox, options: LearnOptions = {}): Promise<LearnResult> {
  return learn({ apiKey: sandbox.key(), baseUrl: sandbox.url, transport: withoutWaiting(sandbox, 600), ...options });
}

/** Learns from a new sandbox with this profile. */
export async function learnOf(profile: ServiceInput): Promise<ServiceProfile> {
  // Never at a full second, where a URL's lifetime has one second less.
  const at = Math.floor(Date.now() / 1000) * 1000 + 500;
  const sandbox = await createSandbox({ seed: 1, clock: 'manual', at, profile });
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

/** Learns a sandbox and resets it. Nested lists get the pagination of the others, and all lists their maximum size. */
export async function learnAll(sandbox: Sandbox): Promise<ServiceProfile> {
  const { profile } = await learnFrom(sandbox, { budget: 120, write: { apiKey: sandbox.key() } });
  sandbox.reset();
  const { next, size } = profile.operations['documents.list']?.list ?? {};
  const known = { ...(next && { next }), size: { ...size, max: Number(sandbox.profile.maxPageSize) } };
  const operations = Object.entries(profile.operations).map(([name, { list, ...operation }]) => [
    name,
    { ...operation, ...(list && { list: { ...known, ...list, size: known.size } }) },
  ]);
  return { ...profile, operations: Object.fromEntries(operations) };
}

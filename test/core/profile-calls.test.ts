/** How many requests an operation needs, of a service that was learned and of one that was not. */
import { afterAll, expect, test } from 'vitest';
import { PAGING_STYLE_NAMES } from '../../sandbox/http/paging-styles.ts';
import { createSandbox, PROFILE_NAMES } from '../../sandbox/index.ts';
import { createClient, createUndiciTransport, type OperationName, operations } from '../../src/index.ts';
import { callEach } from '../world/every-operation.ts';
import { learnByHand } from '../world/learned-by-hand.ts';
import { createRandom } from '../world/random.ts';

const random = createRandom(20_261_121);
const drawn = Array.from({ length: 10 }, () => `random:${Math.floor(random() * 1_000_000)}`);
const pagings = PAGING_STYLE_NAMES.map((name) => `modern+paging=${name}+pageSize=3+envelope=resource`);

/** Requests an operation, of each service: without a profile, and with it. */
const figures: [number, number][] = [];
afterAll(() => {
  const mean = (at: 0 | 1) => figures.reduce((sum, figure) => sum + figure[at], 0) / figures.length;
  const most = Math.max(...figures.map(([without]) => without));
  console.log(
    `${figures.length} services: ${mean(0).toFixed(2)} requests an operation (up to ${most.toFixed(2)}), once learned ${mean(1).toFixed(2)}`,
  );
});

const needed = (requests: Record<string, number>) =>
  Object.fromEntries(Object.entries(requests).filter(([, count]) => count > 1));

test.each([...PROFILE_NAMES, ...pagings, ...drawn])(
  'of %s, once learned, each of the 42 operations needs one request',
  async (name) => {
    const without = await requestsOf(name, false);
    const learned = await requestsOf(name, true);
    expect(Object.keys(learned.requests).sort()).toEqual(operations.map(({ name }) => name).sort());
    expect(learned.contradictions).toEqual([]);
    expect(needed(learned.requests), `without: ${JSON.stringify(needed(without.requests))}`).toEqual({});
    figures.push([average(without.requests), average(learned.requests)]);
  },
);

function average(requests: Record<string, number>): number {
  const counts = Object.values(requests);
  return counts.reduce((sum, count) => sum + count, 0) / counts.length;
}

async function requestsOf(name: string, isLearned: boolean) {
  const sandbox = await createSandbox({ profile: name, clock: 'manual' });
  const profile = isLearned ? await learnByHand(sandbox, name) : undefined;
  const transport = createUndiciTransport();
  let sent = 0;
  const contradictions: unknown[] = [];
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
  const requests: Record<string, number> = {};
  async function step<Result>(operation: OperationName, run: () => PromiseLike<Result>): Promise<Result> {
    const before = sent;
    const result = await run();
    requests[operation] = sent - before;
    return result;
  }
  try {
    await callEach(client, { sandbox, step });
    return { requests, contradictions };
  } finally {
    await transport.close();
    await sandbox.close();
  }
}

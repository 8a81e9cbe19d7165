/** No create, send or update runs twice, whatever breaks; every read and delete recovers. Told by the service's own log. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSandbox, type FaultRule, type Sandbox } from '../sandbox/index.ts';
import {
  createClient,
  createLimiter,
  NetworkError,
  NotFoundError,
  type OwnedClient,
  operations,
  ServerError,
  UnexpectedResponseError,
  UnknownOutcomeError,
} from '../src/index.ts';
import type { NamedOperation } from '../src/operations/index.ts';
import { isRepeatable } from '../src/retry.ts';

let sandbox: Sandbox;
let client: OwnedClient;
beforeAll(async () => {
  sandbox = await createSandbox();
  client = createClient({
    apiKey: sandbox.key(),
    baseUrl: sandbox.url,
    limiter: createLimiter(),
    retry: { baseDelayMs: 1, maxDelayMs: 20 },
    timeoutMs: 5000,
  });
});
afterEach(() => {
  sandbox.reset();
});
afterAll(async () => {
  await client.close();
  await sandbox.close();
});

const FAULTS: Readonly<Record<string, FaultRule>> = {
  'a reset after it took effect': { when: 'after', cut: 'reset' },
  'a drop after it took effect': { when: 'after', cut: 'drop' },
  'a drop before it ran': { cut: 'drop' },
  'a 502 after it took effect': { when: 'after', status: 502 },
  'a 504 after it took effect': { when: 'after', status: 504 },
};

const writes = operations.filter(({ operation }) => /^(POST|PATCH)/.test(operation.route));
const repeatables = operations.filter(({ operation }) => isRepeatable(operation.route.split(' ')[0] ?? ''));

test('the writes and the rest are the 42 operations', () => {
  expect([writes.length, repeatables.length]).toEqual([19, 23]);
});

test.each(Object.entries(FAULTS))('after %s a POST or PATCH is seen once and its outcome said to be unknown', async (_, rule) => {
  for (const named of writes) {
    sandbox.reset();
    sandbox.faults.add({ ...rule, operation: named.name });
    const error = await invoke(named).catch((reason: unknown) => reason);
    expect(error, named.name).toBeInstanceOf(UnknownOutcomeError);
    expect(String(error)).toContain(`List the ${named.group} and look before you try again`);
    expect(seen(named), named.name).toHaveLength(1);
  }
});

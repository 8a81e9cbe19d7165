import { expect, test } from 'vitest';
import { createClient, NetworkError } from '../../../src/index.ts';
import { texts } from '../texts.ts';

test('a call to a port without a server is tried only twice, because each attempt counts against the limit', async () => {
  const retries: number[] = [];
  const client = createClient({
    apiKey: 'nobody-listens',
    // Port 1 is reserved and closed.
    baseUrl: 'http://127.0.0.1:1/api/v1',
    retry: { baseDelayMs: 1 },
    hooks: { onRetry: ({ attempt }) => retries.push(attempt) },
  });
  const failure = await client.billing.usage().catch((error: unknown) => error);
  await client.close();
  expect(failure).toBeInstanceOf(NetworkError);
  expect(String(failure)).toMatch(texts.couldReachedHttp127);
  expect(retries).toEqual([1]);
});

import { expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { createClient, createLimiter } from '../../../src/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { openInProcess } from '../../support/mcp-in-process.ts';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));

function clientWith(options: { requests: number; windowMs: number; maxWaitMs?: number }) {
  const { maxWaitMs = 60_000, ...limit } = options;
  return createClient({ apiKey: sandbox.key(), baseUrl: sandbox.url, limiter: createLimiter(limit), maxWaitMs });
}

test('a wait for the rate limit is shown as progress, then the call continues', async () => {
  const client = await closeAfterTest(clientWith({ requests: 1, windowMs: 1500 }));
  const host = await closeAfterTest(openInProcess({ client }));
  const heard: string[] = [];
  const onprogress = ({ message }: { message?: string | undefined }) => heard.push(message ?? '');
  await host.client.callTool({ name: 'get_usage' }, undefined, { onprogress });
  const result = await host.client.callTool({ name: 'get_usage' }, undefined, { onprogress });
  expect(result.isError).toBeFalsy();
  expect(heard).toEqual([expect.stringMatching(/^waiting [12] s for the rate limit$/)]);
});

test('a wait above the maximum is an error that says when to retry', async () => {
  const client = await closeAfterTest(clientWith({ requests: 1, windowMs: 60_000, maxWaitMs: 1000 }));
  const host = await closeAfterTest(openInProcess({ client }));
  await host.client.callTool({ name: 'get_usage' });
  const { content, isError } = await host.client.callTool({ name: 'get_usage' });
  const { error } = JSON.parse((content as { text: string }[])[0]?.text ?? '');
  expect(isError).toBe(true);
  expect(error).toMatchObject({ code: 'rate_limited', retry_after_s: expect.any(Number) });
  expect(error.message).toMatch(/try again in \d+ s/);
});

test('a cancelled wait starts no request', async () => {
  const client = await closeAfterTest(clientWith({ requests: 1, windowMs: 1200 }));
  const host = await closeAfterTest(openInProcess({ client }));
  await host.client.callTool({ name: 'get_usage' });
  sandbox.log.clear();
  const abort = new AbortController();
  const call = host.client.callTool({ name: 'get_usage' }, undefined, { signal: abort.signal });
  setTimeout(() => abort.abort(), 100);
  await expect(call).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(sandbox.log.entries()).toEqual([]);
});

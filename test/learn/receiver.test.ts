import { afterEach, expect, test } from 'vitest';
import { startWebhookReceiver } from '../../learn/probes/webhook-receiver.ts';

let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
afterEach(() => receiver.close());

test('nothing is taken for a delivery but what is posted under the name of this run', async () => {
  receiver = await startWebhookReceiver({ port: 0, marker: 'docshare-learn-0123456789ab' });
  const ask = async (path: string, method = 'POST') => {
    const body = method === 'POST' ? path : undefined;
    const { status } = await fetch(`${receiver.url}${path}`, { method, ...(body && { body }) });
    return status;
  };
  // Whoever knows the public address may call it.
  expect(await ask('/docshare-learn-ba9876543210')).toBe(404);
  expect(await ask('/')).toBe(404);
  expect(await ask('/docshare-learn-0123456789ab', 'GET')).toBe(404);
  expect(await ask('/docshare-learn-0123456789ab')).toBe(204);
  const came = await receiver.waitForDeliveries(0, AbortSignal.abort());
  expect(came.map(({ body }) => body.toString())).toEqual(['/docshare-learn-0123456789ab']);
});

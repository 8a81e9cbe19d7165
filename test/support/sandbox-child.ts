/**
 * A sandbox in a process of its own, so that its memory can be measured: run with `--expose-gc`. It says where it is, then
 * answers each message with the bytes it holds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createSandbox } from '../../sandbox/index.ts';

const sandbox = await createSandbox({ seed: 1, clock: 'manual' });
process.send?.({ url: sandbox.url, origin: sandbox.origin, key: sandbox.key() });

process.on('message', async () => {
  const readings: number[] = [];
  // The least of several: what is about to be freed is not held.
  for (let reading = 0; reading < 6; reading++) {
    globalThis.gc?.();
    await sleep(50);
    readings.push(process.memoryUsage().rss);
  }
  process.send?.({ rss: Math.min(...readings), heap: process.memoryUsage().heapUsed });
});
process.on('disconnect', () => void sandbox.close().then(() => process.exit(0)));

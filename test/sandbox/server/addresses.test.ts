import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Env } from '../../../sandbox/server/exchange.ts';
import { startServer } from '../../../sandbox/server/listen.ts';

// Of so many, some twenty would come under the address of one before: the system draws from some thousands.
test('no server comes under an address that another of its process had, whose requests a client still counts', async () => {
  const origins = new Set<string>();
  for (let nth = 0; nth < 600; nth += 1) {
    const { origin, close } = await startServer(new Hono<Env>(), 0);
    await close();
    origins.add(origin);
  }
  expect(origins.size).toBe(600);
});

test('a port that is asked for is taken again and again, and a taken one is refused', async () => {
  const first = await startServer(new Hono<Env>(), 0);
  const port = Number(new URL(first.origin).port);
  await expect(startServer(new Hono<Env>(), port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await first.close();
  const again = await startServer(new Hono<Env>(), port);
  expect(again.origin).toBe(first.origin);
  await again.close();
});

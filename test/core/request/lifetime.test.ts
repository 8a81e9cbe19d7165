/** `lifetimeMs`: the total time of a client. */
import { createServer } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { createClient, InputError, TimeoutError, UnknownOutcomeError } from '../../../src/index.ts';
import { listenForTest } from '../../support/listen.ts';
import { untyped } from '../../support/untyped.ts';

let baseUrl: string;
let asked = 0;
beforeEach(async () => {
  asked = 0;
  const server = createServer((request) => {
    asked += 1;
    request.resume();
  });
  baseUrl = `${await listenForTest(server)}/api/v1`;
});
const client = (lifetimeMs: number) => createClient({ apiKey: `k${Math.random()}`, baseUrl, lifetimeMs });

test('at its end a read rejects with a TimeoutError, a write and an upload with an UnknownOutcomeError', async () => {
  const docshare = client(150);
  const ends = await Promise.allSettled([
    docshare.rooms.list(),
    docshare.rooms.create({ name: 'x' }),
    docshare.upload(Buffer.alloc(9), { name: 'x.txt' }),
  ]);
  const reasons = ends.map((end) => (end.status === 'rejected' ? end.reason : undefined));
  expect(reasons[0]).toBeInstanceOf(TimeoutError);
  expect(reasons[1]).toBeInstanceOf(UnknownOutcomeError);
  // All bytes were sent.
  expect(reasons[2]).toBeInstanceOf(UnknownOutcomeError);
});

test('a later call sends nothing, even with a longer deadline', async () => {
  const docshare = client(30);
  await new Promise((resolve) => setTimeout(resolve, 60));
  await expect(docshare.rooms.create({ name: 'x' }, { deadlineMs: 60_000 })).rejects.toThrow(TimeoutError);
  expect(asked).toBe(0);
});

test('an invalid lifetimeMs is rejected', () => {
  for (const lifetimeMs of [0, -1, Number.NaN, untyped<number>('5')])
    expect(() => client(lifetimeMs)).toThrow(InputError);
});

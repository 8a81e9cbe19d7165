import { expect, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../sandbox/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { runSession } from '../support/scripted-session.ts';

const at = '2026-01-01T09:00Z';

async function run(options: SandboxOptions) {
  const sandbox = await createSandbox(options);
  try {
    return { responses: await runSession(sandbox), port: Number(new URL(sandbox.origin).port) };
  } finally {
    await sandbox.close();
  }
}

/** The same run again, after many changes and a reset. */
async function runTwice(options: SandboxOptions) {
  const sandbox = await createSandbox(options);
  try {
    const responses = await runSession(sandbox);
    sandbox.use('legacy');
    sandbox.faults.add({ probability: 0.5, status: 500, method: 'GET' });
    await sandbox.clock.advance(86_400_000);
    sandbox.reset();
    return { responses, again: await runSession(sandbox), port: Number(new URL(sandbox.origin).port) };
  } finally {
    await sandbox.close();
  }
}

test('two runs of 100 calls return the same bytes, and so does a run after a reset', async () => {
  const first = await runTwice({ seed: 42, at });
  expect(first.responses.length).toBeGreaterThanOrEqual(100);
  expect(first.again).toEqual(first.responses);
  expect((await run({ seed: 42, at, port: first.port })).responses).toEqual(first.responses);
  expect((await run({ seed: 43, at, port: first.port })).responses).not.toEqual(first.responses);
});

test('a reset repeats the bytes even without a seed, and two such sandboxes have different secrets', async () => {
  const first = await runTwice({ at });
  expect(first.again).toEqual(first.responses);
  const keys = await Promise.all(
    [{}, {}].map(async (options) => {
      const sandbox = await createSandbox(options);
      await sandbox.close();
      return sandbox.key();
    }),
  );
  expect(new Set(keys).size).toBe(2);
});

test('a given start time stops the clock', async () => {
  const sandbox = await closeAfterTest(createSandbox({ at }));
  expect(new Date(sandbox.clock.now()).toISOString()).toBe('2026-01-01T09:00:00.000Z');
  await sandbox.clock.advance(1e9);
  for (const ms of [1e30, Number.POSITIVE_INFINITY, Number.NaN, -1])
    await expect(sandbox.clock.advance(ms)).rejects.toThrow(RangeError);
  sandbox.reset();
  expect(new Date(sandbox.clock.now()).toISOString()).toBe('2026-01-01T09:00:00.000Z');
});

test('a reset deletes later keys, restores the first one and removes stored data', async () => {
  const sandbox = await closeAfterTest(createSandbox({ clock: 'manual' }));
  const first = sandbox.key();
  const later = sandbox.key(['links:read']);
  const get = async (key: string) =>
    (await fetch(`${sandbox.url}/links`, { headers: { authorization: `Bearer ${key}` } })).status;
  for (let count = 0; count < 120; count++) await get(first);
  expect([await get(first), await get(later)]).toEqual([429, 200]);
  sandbox.revoke(first);
  sandbox.reset();
  expect(sandbox.log.entries()).toEqual([]);
  expect([await get(first), await get(later)]).toEqual([200, 401]);
  expect(sandbox.key()).toBe(first);
  expect(sandbox.key(['links:read'])).toBe(later);
});

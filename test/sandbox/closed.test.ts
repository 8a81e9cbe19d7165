/** A closed sandbox: its data stays readable, and its methods are rejected. */
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';

async function closedOne() {
  const sandbox = await createSandbox({ data: 'empty', clock: 'manual' });
  const key = sandbox.key();
  await fetch(`${sandbox.url}/rooms`, { headers: { authorization: `Bearer ${key}` } });
  await sandbox.close();
  return { sandbox, key };
}

test('the data of a closed sandbox stays readable', async () => {
  const { sandbox } = await closedOne();
  expect(sandbox.log.entries()).toMatchObject([{ operation: 'rooms.list', status: 200 }]);
  expect(sandbox.snapshot().state.usage.api_requests).toBe(1);
  expect(sandbox.deliveries.entries()).toEqual([]);
  await sandbox.deliveries.settled();
  expect(sandbox.clock.now()).toBeGreaterThan(0);
  await expect(fetch(sandbox.url)).rejects.toThrow();
});

test('each method of a closed sandbox fails with its name and changes nothing', async () => {
  const { sandbox, key } = await closedOne();
  const before = sandbox.snapshot();
  const acts: Record<string, (closed: Sandbox) => unknown> = {
    key: (closed) => closed.key(),
    revoke: (closed) => closed.revoke(key),
    rotate: (closed) => closed.rotate(key),
    use: (closed) => closed.use('legacy'),
    'faults.add': (closed) => closed.faults.add({ status: 500 }),
    'clock.advance': (closed) => closed.clock.advance(1),
    'deliveries.redeliver': (closed) => closed.deliveries.redeliver('d'),
    visit: (closed) => closed.visit('l'),
    sign: (closed) => closed.sign('a'),
    endAgreement: (closed) => closed.endAgreement('a', 'declined'),
    reset: (closed) => closed.reset(),
    restore: (closed) => closed.restore(before),
  };
  for (const [name, act] of Object.entries(acts))
    await expect((async () => act(sandbox))(), name).rejects.toThrow(
      new Error(`The sandbox is closed: call ${name} before close`),
    );
  expect(sandbox.snapshot()).toEqual(before);
});

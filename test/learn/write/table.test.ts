import { expect, test } from 'vitest';
import { createSandbox, PROFILE_NAMES } from '../../../sandbox/index.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { learnFrom } from '../../support/learn-from.ts';
import { learnTable } from '../../support/learn-table.ts';

// `tools/learn-scale.ts` tests fifty more random services.
test.for([...PROFILE_NAMES, 'random:7', 'random:23', 'random:42'])('reading alone learns all of %s', async (choice) => {
  const row = await learnTable(choice, { mode: 'read' });
  expect(row).toMatchObject({ missed: [], left: {}, ended: undefined });
  expect(row.calls).toBeLessThanOrEqual(60);
});

test.for(['modern', 'legacy', 'queued', 'minimal', 'random:7', 'random:23'])(
  'with throwaway objects, every setting of %s is learned, and nothing is left behind',
  async (choice) => {
    const row = await learnTable(`${choice}+undocumentedDeletes=all`, { mode: 'write' });
    expect(row).toMatchObject({ missed: [], left: {}, ended: undefined });
  },
);

test.for([36, 45, 52, 60])('nothing is left behind if the budget ends after %i calls', async (budget) => {
  const { left, ended, calls } = await learnTable('modern+undocumentedDeletes=all', { mode: 'write', budget });
  expect({ left, isEnded: ended !== undefined }).toEqual({ left: {}, isEnded: true });
  expect(calls).toBeLessThanOrEqual(budget + 2);
});

test('nothing else is created if the service deletes only what its document shows', async () => {
  const row = await learnTable('modern+undocumentedDeletes=documented', { mode: 'write' });
  expect(row).toMatchObject({ missed: [], left: {}, ended: undefined });
});

test('a webhook is the only object that its topic creates', async () => {
  const sandbox = await closeAfterTest(createSandbox({ seed: 1, clock: 'manual' }));
  await learnFrom(sandbox, { topics: ['webhooks'], write: { apiKey: sandbox.key() } });
  const created = sandbox.log.entries().filter(({ method, status }) => method === 'POST' && status < 300);
  expect(new Set(created.map(({ operation }) => operation))).toEqual(new Set(['webhooks.create']));
});

test.for(['newest', 'oldest'] as const)('a list of equal times is %s first by its new document', async (order) => {
  const created_at = '2026-01-05T09:00:00.000Z';
  const documents = [1, 2, 3].map((number) => ({ id: `d${number}`, name: `Leaf ${number}`, created_at }));
  const profile = `modern+order=${order}+undocumentedDeletes=all`;
  const sandbox = await closeAfterTest(createSandbox({ seed: 1, clock: 'manual', profile, fixtures: { documents } }));
  const { profile: learned } = await learnFrom(sandbox, { write: { apiKey: sandbox.key() } });
  expect(learned.operations['documents.list']?.list?.order).toBe(order);
});

import { expect, onTestFinished, test } from 'vitest';
import { createSandbox, PROFILE_NAMES } from '../../../sandbox/index.ts';
import { learnFrom } from '../../support/learn-from.ts';
import { learnTable } from '../../support/learn-table.ts';

// `tools/learn-scale.ts` has fifty drawn services more.
test.for([...PROFILE_NAMES, 'random:7', 'random:23', 'random:42'])(
  'by reading, %s is learned switch by switch as it was set',
  async (choice) => {
    const row = await learnTable(choice, { mode: 'read' });
    expect(row).toMatchObject({ missed: [], left: {}, ended: undefined });
    expect(row.calls).toBeLessThanOrEqual(60);
  },
);

test.for(['modern', 'legacy', 'queued', 'minimal', 'random:7', 'random:23'])(
  'with throwaway objects, %s is learned switch by switch, and nothing of them is left',
  async (choice) => {
    const row = await learnTable(`${choice}+undocumentedDeletes=all`, { mode: 'write' });
    expect(row).toMatchObject({ missed: [], left: {}, ended: undefined });
  },
);

test.for([36, 45, 52, 60])('nothing is left if the budget ends after %i calls', async (budget) => {
  const { left, ended, calls } = await learnTable('modern+undocumentedDeletes=all', { mode: 'write', budget });
  expect({ left, isEnded: ended !== undefined }).toEqual({ left: {}, isEnded: true });
  expect(calls).toBeLessThanOrEqual(budget + 2);
});

test('where the service removes only what its document shows, nothing else is made', async () => {
  const row = await learnTable('modern+undocumentedDeletes=documented', { mode: 'write' });
  expect(row).toMatchObject({ missed: [], left: {}, ended: undefined });
});

test.for(['newest', 'oldest'] as const)(
  'a list of equal times is %s first by the place of a new document',
  async (order) => {
    const created_at = '2026-01-05T09:00:00.000Z';
    const documents = [1, 2, 3].map((number) => ({ id: `d${number}`, name: `Leaf ${number}`, created_at }));
    const profile = `modern+order=${order}+undocumentedDeletes=all`;
    const sandbox = await createSandbox({ seed: 1, clock: 'manual', profile, fixtures: { documents } });
    onTestFinished(() => sandbox.close());
    const { profile: learned } = await learnFrom(sandbox, { write: { apiKey: sandbox.key() } });
    expect(learned.operations['documents.list']?.list?.order).toBe(order);
  },
);

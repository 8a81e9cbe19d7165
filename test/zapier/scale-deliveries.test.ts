/** Smaller runs of `npm run zapier:scale` for workspaces, deliveries and actions, and the maximum size of the app. */
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { measureActions } from '../../tools/scale-actions.ts';
import { measureDeliveries } from '../../tools/scale-deliveries.ts';
import { measureWorkspace, type Workspace } from '../../tools/scale-workspace.ts';
import { missed } from '../support/scale-rows.ts';
import { unzipArtefact } from '../support/zapier-artefact.ts';

const LONG_MS = 240_000;

test.each(['modern', 'raw'] as const)(
  'with deliveries in random order on a service like "%s" each true event runs once, and no forged one runs',
  async (profile) => {
    expect(missed(await measureDeliveries(profile, 75))).toEqual([]);
  },
  LONG_MS,
);

test(
  'as many actions as the throttle allows per minute stay within the limit',
  async () => {
    expect(missed(await measureActions())).toEqual([]);
  },
  LONG_MS,
);

test('the zip has at most 1.2 MB', async () => {
  const { size } = statSync(`${await unzipArtefact()}/build.zip`);
  expect(size).toBeLessThanOrEqual(1_200_000);
});

const WORKSPACES: readonly Workspace[] = [
  { order: 'newest', maxPageSize: '25', listFilters: 'filters' },
  { order: 'oldest', maxPageSize: '100', listFilters: 'none' },
  { order: 'oldest', maxPageSize: '25', listFilters: 'filters+sort' },
];

test.each(WORKSPACES)(
  'with 3,000 records, $order first, $maxPageSize per page, every new and changed one is found with the stated number of requests',
  async (workspace) => {
    const rows = await measureWorkspace(workspace, ['contacts']);
    expect(rows.length).toBeGreaterThan(12);
    expect(missed(rows)).toEqual([]);
  },
  LONG_MS,
);

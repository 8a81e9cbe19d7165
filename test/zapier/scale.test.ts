/** A smaller run of `npm run zapier:scale` for a large workspace, with one kind of record. */
import { expect, test } from 'vitest';
import { measureWorkspace, type Workspace } from '../../tools/scale-workspace.ts';
import { missed } from '../support/scale-rows.ts';

const LONG_MS = 240_000;

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

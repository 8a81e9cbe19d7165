/** What `npm run zapier:scale` measures of a large workspace, on one kind of record. */
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
  'of 3,000 records, $order first, $maxPageSize a page, every new and changed one is found for its price',
  async (workspace) => {
    const rows = await measureWorkspace(workspace, ['contacts']);
    expect(rows.length).toBeGreaterThan(12);
    expect(missed(rows)).toEqual([]);
  },
  LONG_MS,
);

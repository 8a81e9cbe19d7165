/**
 * Measures the built Zapier app on 3,000 records of each kind in either order of the service's lists, and on 1,000
 * deliveries in random order, through the handler of its zip: `npm run zapier:scale`. Fails where a number misses its goal.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { exitWithUsageError } from '../scripts/read-options.ts';
import { missed } from '../test/support/scale-rows.ts';
import type { Row, Workspace } from './scale-workspace.ts';

// Imported late: who names a part that there is not need not wait for the app.
const records = (kind: Workspace) => async () => (await import('./scale-workspace.ts')).measureWorkspace(kind);
const deliveries = (profile: 'modern' | 'raw') => async () =>
  (await import('./scale-deliveries.ts')).measureDeliveries(profile);
const PARTS: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  'newest-100': records({ order: 'newest', maxPageSize: '100', listFilters: 'none' }),
  'newest-25': records({ order: 'newest', maxPageSize: '25', listFilters: 'none' }),
  'newest-25-filters': records({ order: 'newest', maxPageSize: '25', listFilters: 'filters' }),
  'oldest-100': records({ order: 'oldest', maxPageSize: '100', listFilters: 'none' }),
  'oldest-25': records({ order: 'oldest', maxPageSize: '25', listFilters: 'none' }),
  'oldest-25-sorted': records({ order: 'oldest', maxPageSize: '25', listFilters: 'filters+sort' }),
  signed: deliveries('modern'),
  unsigned: deliveries('raw'),
  actions: async () => (await import('./scale-actions.ts')).measureActions(),
};

const [, , part] = process.argv;
if (part !== undefined && !Object.hasOwn(PARTS, part))
  exitWithUsageError(`There is no part "${part}". Known: ${Object.keys(PARTS).join(', ')}.`);
const measure = part === undefined ? undefined : PARTS[part];
if (measure) {
  // The platform repeats each line of a run's log on the console.
  console.log = () => undefined;
  const rows = await measure();
  const missedRows = missed(rows);
  for (const row of rows) {
    const { workspace, metric, number, goal, exact } = row;
    process.stdout.write(
      `${missedRows.includes(row) ? '!' : ' '} ${workspace.padEnd(42)} ${metric.padEnd(62)} ${String(number).padStart(5)}   ${exact ? ' =' : '<='} ${goal}\n`,
    );
  }
  if (missedRows.length > 0) process.exitCode = 1;
} else {
  // Each in a process of its own: the platform ends one that has made many runs and grown large.
  for (const name of Object.keys(PARTS)) {
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}

/**
 * Measures the built Zapier app through its Lambda handler: 3,000 records of each kind in both list orders, and 1,000 deliveries
 * in random order. Run it with `npm run zapier:scale`. Fails if a figure misses its goal.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { exitWithUsageError } from '../scripts/read-options.ts';
import { missed } from '../test/support/scale-rows.ts';
import type { Row, Workspace } from './scale-workspace.ts';

// Imported late, so that a mistyped name is reported at once.
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
  // The platform also writes each log line to the console.
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
  // Each in its own process, since the platform exits after many runs that used much memory.
  for (const name of Object.keys(PARTS)) {
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}

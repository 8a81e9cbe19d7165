/** Learns every preset and random profiles, prints learned beside configured facts, and fails below the goal. */
import { PROFILE_NAMES } from '../sandbox/index.ts';
import { readOptions } from '../scripts/read-options.ts';
import { learnTable, type Row } from '../test/support/learn-table.ts';

readOptions({});

const RANDOM_PROFILES = 50;
const MIN_LEARNED_SHARE = { read: 0.95, write: 0.99 } as const;

const choices = [...PROFILE_NAMES, ...Array.from({ length: RANDOM_PROFILES }, (_, index) => `random:${index + 1}`)];

for (const mode of ['read', 'write'] as const) {
  const rows: Row[] = [];
  for (const choice of choices) {
    // Creates removable documents, so that more can be learned.
    const row = await learnTable(mode === 'write' ? `${choice}+undocumentedDeletes=all` : choice, { mode });
    rows.push(row);
    const share = `${row.visible.length - row.missed.length}/${row.visible.length}`;
    console.log(
      [
        mode.padEnd(6),
        choice.padEnd(12),
        share.padStart(6),
        `${row.calls} calls`.padStart(10),
        ...row.missed,
        row.ended ?? '',
      ]
        .join('  ')
        .trimEnd(),
    );
    if (Object.keys(row.left).length > 0) throw new Error(`${choice}: left behind ${JSON.stringify(row.left)}`);
  }
  const visible = rows.reduce((sum, row) => sum + row.visible.length, 0);
  const missed = rows.reduce((sum, row) => sum + row.missed.length, 0);
  const calls = rows.map((row) => row.calls).sort((a, b) => a - b);
  const share = 1 - missed / visible;
  console.log(
    `\n${mode}: ${visible - missed} of ${visible} switches learned (${(100 * share).toFixed(2)} %), ${calls[0]} to ${calls.at(-1)} calls, ${calls[Math.floor(calls.length / 2)]} in the middle\n`,
  );
  if (share < MIN_LEARNED_SHARE[mode]) process.exitCode = 1;
}

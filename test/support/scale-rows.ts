import type { Row } from '../../tools/scale-workspace.ts';

/** Returns the rows that miss their target. */
export function missed(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ number, goal, exact }) => (exact ? number !== goal : number > goal));
}

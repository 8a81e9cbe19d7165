import type { Row } from '../../tools/scale-workspace.ts';

/** The rows that miss their goal. */
export function missed(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ number, goal, exact }) => (exact ? number !== goal : number > goal));
}

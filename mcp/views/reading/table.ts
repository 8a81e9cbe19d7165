import { html } from '../kit/element.ts';
import type { Formatter } from '../kit/formatter.ts';

const MAX_ROWS = 500;

/** Table of pages, with a note for those that are not shown. `renderCells` returns the cells of a row. */
export function renderTable<Row>(
  columns: readonly string[],
  rows: readonly Row[],
  table: { caption: string; formatter: Formatter; renderCells: (row: Row, index: number) => readonly Node[] },
): Node {
  const { caption, formatter, renderCells } = table;
  const omitted = rows.length - MAX_ROWS;
  return html(
    'div',
    html(
      'table',
      html('caption.sr', caption),
      html('thead', html('tr', ...columns.map((name) => html('th', name)))),
      html('tbody', ...rows.slice(0, MAX_ROWS).map((row, index) => html('tr', ...renderCells(row, index)))),
    ),
    omitted > 0 && html('p.soft.small', `${formatter.count(omitted)} more pages not shown`),
  );
}

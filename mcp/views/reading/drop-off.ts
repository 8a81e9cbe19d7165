import { html, svg } from '../kit/element.ts';
import type { Formatter } from '../kit/formatter.ts';
import type { ReadingReport } from './reading-report.ts';
import { renderTable } from './table.ts';

const [WIDTH, HEIGHT] = [600, 120];

/** Views per page as a curve, with the same data as text and as a table. */
export function renderDropOff({ readersByPage }: ReadingReport, formatter: Formatter): Node {
  const maxCount = Math.max(1, ...readersByPage);
  const lastIndex = Math.max(1, readersByPage.length - 1);
  const points = readersByPage.map((count, index) => {
    const [x, y] = [(WIDTH * index) / lastIndex, HEIGHT - (HEIGHT * count) / maxCount];
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const line = readersByPage.length === 1 ? `${points[0]} ${WIDTH},0` : points.join(' ');
  return html(
    'section',
    html('h2', 'Views per page'),
    svg(
      'svg',
      {
        class: 'curve',
        viewBox: `0 -4 ${WIDTH} ${HEIGHT + 8}`,
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': describeDropOff(readersByPage, formatter),
      },
      svg('polygon', { class: 'area', points: `0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}` }),
      svg('polyline', { class: 'line', points: line, 'vector-effect': 'non-scaling-stroke' }),
    ),
    html(
      'p',
      { class: 'row spread small soft axis', 'aria-hidden': 'true' },
      html('span', `Page 1: ${formatter.count(readersByPage[0] ?? 0)}`),
      readersByPage.length > 1 &&
        html('span', `Page ${readersByPage.length}: ${formatter.count(readersByPage.at(-1) ?? 0)}`),
    ),
    html('p.small', describeSteepestDrop(readersByPage)),
    renderCountTable(readersByPage, formatter),
  );
}

function describeDropOff(reached: readonly number[], formatter: Formatter): string {
  return `${formatter.count(reached[0] ?? 0)} opened page 1, ${formatter.count(reached.at(-1) ?? 0)} opened page ${reached.length}. ${describeSteepestDrop(reached)}`.trim();
}

function describeSteepestDrop(reached: readonly number[]): string {
  const steepestIndex = findSteepestDrop(reached);
  return steepestIndex === undefined ? '' : `Most leave after page ${steepestIndex + 1}.`;
}

/** Index of the page after which the most readers leave. */
export function findSteepestDrop(reached: readonly number[]): number | undefined {
  const drops = reached.slice(1).map((count, index) => (reached[index] ?? 0) - count);
  const maxDrop = Math.max(0, ...drops);
  return maxDrop > 0 ? drops.indexOf(maxDrop) : undefined;
}

/** Rows are rendered when the table is opened. */
function renderCountTable(reached: readonly number[], formatter: Formatter): Node {
  const details = html('details', html('summary.small', 'Show as table'));
  const renderCells = (count: number, index: number) => [html('td', index + 1), html('td', formatter.count(count))];
  const show = () =>
    details.append(
      renderTable(['Page', 'Viewers'], reached, { caption: 'Viewers of each page', formatter, renderCells }),
    );
  details.addEventListener('toggle', show, { once: true });
  return details;
}

import { html, svg } from '../kit/element.ts';
import { type Formatter, toPlainLine } from '../kit/formatter.ts';
import type { Reader } from './reading-report.ts';
import { renderTable } from './table.ts';

const LEVEL_COUNT = 6;
/** Seconds on a page from which each color level applies. */
const LEVEL_SECONDS = [0, 5, 15, 30, 60, 120];

function getLevel(seconds: number): number {
  return LEVEL_SECONDS.findLastIndex((minSeconds) => seconds >= minSeconds) + 1;
}

/** One reader's pages as a strip; darker means longer. The label says the same as text. */
export function renderHeatStrip(
  reader: Reader,
  { pageCount, formatter }: { pageCount: number; formatter: Formatter },
): Node {
  const { pages } = reader;
  if (!pages) return html('span.soft.small', 'Pages not loaded');
  const paths = new Array<string>(LEVEL_COUNT + 1).fill('');
  for (const [page, seconds] of pages)
    if (page >= 1 && page <= pageCount) paths[getLevel(seconds)] += `M${page - 1} 0h1v10h-1z`;
  return svg(
    'svg',
    {
      class: 'strip',
      viewBox: `0 0 ${Math.max(1, pageCount)} 10`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': describePages(pages, formatter),
    },
    svg('rect', { class: 'h0', width: Math.max(1, pageCount), height: 10 }),
    ...paths.map((path, level) => path !== '' && svg('path', { class: `h${level}`, d: path })),
  );
}

function describePages(pages: ReadonlyMap<number, number>, formatter: Formatter): string {
  if (pages.size === 0) return 'no pages viewed';
  let [longestPage, maxSeconds] = [0, -1];
  for (const [page, seconds] of pages) if (seconds > maxSeconds) [longestPage, maxSeconds] = [page, seconds];
  const amount = pages.size === 1 ? '1 page' : `${formatter.count(pages.size)} pages`;
  return `${amount} viewed, longest on page ${longestPage}: ${formatter.duration(maxSeconds)}`;
}

export function renderHeatLegend(): Node {
  const names = ['<5 s', '5–15 s', '15–30 s', '30–60 s', '1–2 min', '>2 min'];
  return html(
    'p.row.small.soft.legend',
    'Time per page:',
    ...names.map((name, index) =>
      html(
        'span.row.key',
        svg(
          'svg',
          { width: 14, height: 14, 'aria-hidden': 'true' },
          svg('rect', { class: `h${index + 1}`, width: 14, height: 14 }),
        ),
        name,
      ),
    ),
  );
}

/** Table of a reader's pages with the time on each. */
export function renderPageTable(reader: Reader, formatter: Formatter): Node {
  const pages = [...(reader.pages ?? [])].sort(([first], [second]) => first - second);
  const maxSeconds = pages.reduce((max, [, seconds]) => Math.max(max, seconds), 1);
  return renderTable(['Page', 'Time', ''], pages, {
    caption: `Pages viewed by ${toPlainLine(reader.name)}`,
    formatter,
    renderCells: ([page, seconds]) => [
      html('td', page),
      html('td', formatter.duration(seconds)),
      html('td.bar', renderBar(getLevel(seconds), seconds / maxSeconds)),
    ],
  });
}

/** Bar of a share of the whole width; the text beside it says the same. */
export function renderBar(level: number, share: number): Node {
  return svg(
    'svg',
    { viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect', { class: `h${level}`, width: 100 * share, height: 8 }),
  );
}

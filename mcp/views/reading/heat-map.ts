import { html, svg } from '../kit/element.ts';
import { plainText, type Wording } from '../kit/wording.ts';
import type { Reader } from './reading.ts';

const LEVELS = 6;
/** Seconds on a page from which each deeper colour begins; a minute on one page is long. */
const STEPS = [0, 5, 15, 30, 60, 120];

function getLevel(seconds: number): number {
  let level = 1;
  for (let step = 1; step < STEPS.length; step++) if (seconds >= (STEPS[step] ?? 0)) level = step + 1;
  return level;
}

/** One reader's pages side by side, each as deep in colour as it was read long. Its words say the same. */
export function heatStrip(
  reader: Reader,
  { pageCount, wording }: { pageCount: number; wording: Wording },
): Node {
  if (reader.pageTotal === undefined) return html('span', { class: 'soft small' }, 'Pages not read yet');
  const pages = reader.pages();
  const paths = new Array<string>(LEVELS + 1).fill('');
  for (const [page, seconds] of pages)
    if (page >= 1 && page <= pageCount) paths[getLevel(seconds)] += `M${page - 1} 0h1v10h-1z`;
  return svg(
    'svg',
    {
      class: 'strip',
      viewBox: `0 0 ${Math.max(1, pageCount)} 10`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': inWords(pages, wording),
    },
    svg('rect', { class: 'h0', width: Math.max(1, pageCount), height: 10 }),
    ...paths.map((path, level) => path !== '' && svg('path', { class: `h${level}`, d: path })),
  );
}

/** What the strip shows, for those who hear it. */
function inWords(pages: ReadonlyMap<number, number>, wording: Wording): string {
  if (pages.size === 0) return 'no page read';
  let [longest, most] = [0, -1];
  for (const [page, seconds] of pages) if (seconds > most) [longest, most] = [page, seconds];
  const amount = pages.size === 1 ? '1 page' : `${wording.count(pages.size)} pages`;
  return `${amount} read, longest page ${longest}: ${wording.span(most)}`;
}

export function heatLegend(): Node {
  const names = ['under 5 s', '5 s', '15 s', '30 s', '1 min', '2 min or more'];
  return html(
    'p',
    { class: 'row small soft legend' },
    'Time on a page:',
    ...names.map((name, index) =>
      html(
        'span',
        { class: 'row key' },
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

/** More rows than this are no table that anybody reads, and slow to draw. */
const TABLE_ROWS = 500;

/** A reader's pages one by one, with bars and figures. */
export function pageTable(reader: Reader, wording: Wording): Node {
  const all = [...reader.pages()].sort(([one], [other]) => one - other);
  const pages = all.slice(0, TABLE_ROWS);
  const most = Math.max(1, ...pages.map(([, seconds]) => seconds));
  const table = html(
    'table',
    {},
    html('caption', { class: 'sr' }, `Pages that ${plainText(reader.name)} read`),
    html('thead', {}, html('tr', {}, html('th', {}, 'Page'), html('th', {}, 'Time'), html('th', {}, ''))),
    html(
      'tbody',
      {},
      ...pages.map(([page, seconds]) =>
        html(
          'tr',
          {},
          html('td', {}, page),
          html('td', {}, wording.span(seconds)),
          html(
            'td',
            { class: 'bar' },
            svg(
              'svg',
              { viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
              svg('rect', { class: `h${getLevel(seconds)}`, width: (100 * seconds) / most, height: 8 }),
            ),
          ),
        ),
      ),
    ),
  );
  if (all.length <= TABLE_ROWS) return table;
  const rest = `${wording.count(all.length - TABLE_ROWS)} more pages are not shown.`;
  return html('div', {}, table, html('p', { class: 'soft small' }, rest));
}

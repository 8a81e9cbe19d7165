import { html, svg } from '../kit/element.ts';
import type { Wording } from '../kit/wording.ts';
import type { Reading } from './reading.ts';

const [WIDTH, HEIGHT] = [600, 120];
const PICTURES = 40;
/** More rows than this are no table that anybody reads; each reader's own table still has all pages. */
const TABLE_ROWS = 500;

/** How many opened each page, as a falling curve, with the same as words and as a table. */
export function dropOff({ reached, pictures }: Reading, wording: Wording): Node {
  const most = Math.max(1, ...reached);
  const last = Math.max(1, reached.length - 1);
  const points = reached.map((count, index) => {
    const [x, y] = [(WIDTH * index) / last, HEIGHT - (HEIGHT * count) / most];
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const line = reached.length === 1 ? `${points[0]} ${WIDTH},0` : points.join(' ');
  return html(
    'section',
    {},
    html('h2', {}, 'Who opened which page'),
    svg(
      'svg',
      {
        class: 'curve',
        viewBox: `0 -4 ${WIDTH} ${HEIGHT + 8}`,
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': inWords(reached, wording),
      },
      svg('polygon', { class: 'area', points: `0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}` }),
      svg('polyline', { class: 'line', points: line, 'vector-effect': 'non-scaling-stroke' }),
    ),
    html(
      'p',
      { class: 'row spread small soft axis', 'aria-hidden': 'true' },
      html('span', {}, `Page 1: ${wording.count(reached[0] ?? 0)}`),
      reached.length > 1 && html('span', {}, `Page ${reached.length}: ${wording.count(reached.at(-1) ?? 0)}`),
    ),
    html('p', { class: 'small' }, fallInWords(reached)),
    pictures.size > 0 && pageRow(reached, { pictures, wording }),
    table(reached, wording),
  );
}

/** What the pages look like, each with how many opened it. */
function pageRow(
  reached: readonly number[],
  { pictures, wording }: { pictures: Reading['pictures']; wording: Wording },
): Node {
  const shown = [...pictures].sort(([one], [other]) => one - other).slice(0, PICTURES);
  return html(
    'ul',
    { class: 'plain row pages' },
    ...shown.map(([page, src]) =>
      html(
        'li',
        { class: 'small soft' },
        html('img', { src, alt: `Page ${page}` }),
        `Page ${page}: ${wording.count(reached[page - 1] ?? 0)}`,
      ),
    ),
  );
}

function inWords(reached: readonly number[], wording: Wording): string {
  return `${wording.count(reached[0] ?? 0)} opened page 1, ${wording.count(reached.at(-1) ?? 0)} opened page ${reached.length}. ${fallInWords(reached)}`.trim();
}

function fallInWords(reached: readonly number[]): string {
  const at = steepestFall(reached);
  return at === undefined ? '' : `Most leave after page ${at + 1}.`;
}

/** The page after which the most readers are gone. */
export function steepestFall(reached: readonly number[]): number | undefined {
  let [at, most] = [-1, 0];
  for (let page = 0; page + 1 < reached.length; page++) {
    const fall = (reached[page] ?? 0) - (reached[page + 1] ?? 0);
    if (fall > most) [at, most] = [page, fall];
  }
  return at < 0 ? undefined : at;
}

/** Made when it is opened: hundreds of rows cost more than the curve. */
function table(reached: readonly number[], wording: Wording): Node {
  const details = html('details', {}, html('summary', { class: 'small' }, 'As a table'));
  details.addEventListener(
    'toggle',
    () => {
      const rows = reached
        .slice(0, TABLE_ROWS)
        .map((count, index) =>
          html('tr', {}, html('td', {}, index + 1), html('td', {}, wording.count(count))),
        );
      const head = html('thead', {}, html('tr', {}, html('th', {}, 'Page'), html('th', {}, 'Opened by')));
      details.append(html('table', {}, head, html('tbody', {}, ...rows)));
      if (reached.length > TABLE_ROWS)
        details.append(
          html('p', { class: 'soft small' }, `${reached.length - TABLE_ROWS} more pages are not shown.`),
        );
    },
    { once: true },
  );
  return details;
}

import { isObject } from '../../../src/records/fields.ts';
import { button, html } from '../kit/element.ts';
import { type Formatter, toPlainLine } from '../kit/formatter.ts';
import type { ViewContext } from '../kit/start-view.ts';
import { renderHeatLegend, renderHeatStrip, renderPageTable } from './heat-map.ts';
import { parseReadingReport, type Reader } from './reading-report.ts';

const ROWS = 25;

const COMPARATORS = {
  'Longest time': (first: Reader, second: Reader) => second.seconds - first.seconds,
  'Last seen': (first: Reader, second: Reader) =>
    parseTimestamp(second.last ?? second.first) - parseTimestamp(first.last ?? first.first),
  Name: (first: Reader, second: Reader) => first.name.localeCompare(second.name),
  'Pages viewed': (first: Reader, second: Reader) => (second.pages?.size ?? 0) - (first.pages?.size ?? 0),
} as const;
type Order = keyof typeof COMPARATORS;

function parseTimestamp(text: string | undefined): number {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? 0 : time;
}

/** Heat map with one row per reader, sortable and paged. */
export function renderReaders(readers: readonly Reader[], viewContext: ViewContext & { pageCount: number }): Node {
  const { formatter } = viewContext;
  const list = html('ul.plain.readers');
  const pager = html('p.row.spread.small');
  const orders = html('div', { class: 'row', role: 'group', 'aria-label': 'Sort by' });
  let order: Order = 'Longest time';
  let sorted = [...readers].sort(COMPARATORS[order]);
  let from = 0;

  const showFrom = (to: number) => {
    from = to;
    render();
    list.querySelector('button')?.focus();
  };
  const sortBy = (name: Order) => {
    order = name;
    sorted = [...readers].sort(COMPARATORS[name]);
    from = 0;
    render();
  };
  const render = () => {
    const to = Math.min(from + ROWS, sorted.length);
    list.replaceChildren(...sorted.slice(from, to).map((reader) => renderReaderRow(reader, viewContext)));
    orders.replaceChildren(
      ...(Object.keys(COMPARATORS) as Order[]).map((name) =>
        button(name, () => sortBy(name), { class: 'small', 'aria-pressed': String(name === order) }),
      ),
    );
    if (sorted.length <= ROWS) return;
    pager.replaceChildren(
      html('button', { type: 'button', disabled: from === 0, click: () => showFrom(from - ROWS) }, 'Previous'),
      html('span', `${formatter.count(from + 1)}–${formatter.count(to)} of ${formatter.count(sorted.length)}`),
      button('Next', () => showFrom(to), { disabled: to === sorted.length }),
    );
  };
  render();
  return html(
    'section',
    html('h2', `${formatter.count(readers.length)} ${readers.length === 1 ? 'viewer' : 'viewers'}, page by page`),
    readers.length > 1 && orders,
    list,
    pager,
    renderHeatLegend(),
  );
}

function renderReaderRow(reader: Reader, viewContext: ViewContext & { pageCount: number }): Node {
  const { formatter, pageCount } = viewContext;
  const name = toPlainLine(reader.name);
  const detailPanel = html('div', { class: 'more', hidden: true });
  const rowButton = html(
    'button',
    {
      type: 'button',
      class: 'reader',
      'aria-expanded': 'false',
      click() {
        const isOpen = detailPanel.hidden;
        detailPanel.hidden = !isOpen;
        rowButton.setAttribute('aria-expanded', String(isOpen));
        if (isOpen) void loadReader(detailPanel, reader, viewContext);
      },
    },
    html('span.name', name),
    html('span.soft.small.time', formatter.duration(reader.seconds)),
    renderHeatStrip(reader, { pageCount, formatter }),
  );
  return html('li', rowButton, detailPanel);
}

/** Shows a reader's pages; a visit that is not in the report is fetched. */
async function loadReader(pager: HTMLElement, reader: Reader, { host, formatter }: ViewContext): Promise<void> {
  const summary = html('p.small.soft', formatFacts(reader, formatter));
  const replaceContent = (...parts: readonly Node[]) => pager.replaceChildren(summary, ...parts);
  if (reader.pages) return replaceContent(renderPageTable(reader, formatter));
  if (!reader.visitId || !host.callTool)
    return replaceContent(html('p.small', 'No page data for this viewer. Ask for the visit in the chat.'));
  replaceContent(html('p', { class: 'small soft', role: 'status' }, 'Loading the visit…'));
  try {
    const result = await host.callTool('get_visit', { id: reader.visitId });
    if (result.isError === true) throw new Error('the tool failed');
    const [visitReader] = isObject(result.structuredContent)
      ? parseReadingReport(result.structuredContent).readers
      : [];
    replaceContent(
      visitReader?.pages
        ? renderPageTable({ ...visitReader, name: reader.name }, formatter)
        : html('p.small', 'The service has no page data for this visit.'),
    );
  } catch {
    replaceContent(
      html(
        'p',
        { class: 'small bad', role: 'alert' },
        'The visit could not be loaded. Close and reopen the row to try again.',
      ),
    );
  }
}

function formatFacts({ name, email, visits, first, last }: Reader, formatter: Formatter): string {
  const visitTimes = [
    ['first visit', formatter.dateTime(first)],
    ['last visit', formatter.dateTime(last)],
  ].flatMap(([label, timestamp]) => (timestamp === undefined ? [] : [`${label} ${timestamp}`]));
  return [
    email !== undefined && email !== name ? toPlainLine(email) : '',
    visits === undefined ? '' : `${formatter.count(visits)} ${visits === 1 ? 'visit' : 'visits'}`,
    ...visitTimes,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

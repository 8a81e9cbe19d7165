import { isObject } from '../../../src/answer/fields.ts';
import { html } from '../kit/element.ts';
import type { Scene } from '../kit/view.ts';
import { plainText, type Wording } from '../kit/wording.ts';
import { heatLegend, heatStrip, pageTable } from './heat-map.ts';
import { parseReadingReport, type Reader } from './reading.ts';

/** Thousands of rows at once are slow to draw and long to walk through. */
const ROWS = 25;

const ORDERS = {
  'Longest reading': (one: Reader, other: Reader) => other.seconds - one.seconds,
  'Last seen': (one: Reader, other: Reader) =>
    parseTimestamp(other.last ?? other.first) - parseTimestamp(one.last ?? one.first),
  Name: (one: Reader, other: Reader) => one.name.localeCompare(other.name),
  'Pages read': (one: Reader, other: Reader) => (other.pageTotal ?? 0) - (one.pageTotal ?? 0),
} as const;
type Order = keyof typeof ORDERS;

function parseTimestamp(text: string | undefined): number {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? 0 : time;
}

/** The heat map: a row a reader, in an order of choice, page by page of rows. */
export function readersPart(readers: readonly Reader[], scene: Scene & { pageCount: number }): Node {
  const { wording } = scene;
  const list = html('ul', { class: 'plain readers' });
  const place = html('p', { class: 'row spread small' });
  const orders = html('div', { class: 'row', role: 'group', 'aria-label': 'Order of the readers' });
  let order: Order = 'Longest reading';
  let sorted = [...readers].sort(ORDERS[order]);
  let from = 0;

  const turn = (to: number) => {
    from = to;
    draw();
    list.querySelector('button')?.focus();
  };
  const draw = () => {
    const to = Math.min(from + ROWS, sorted.length);
    list.replaceChildren(...sorted.slice(from, to).map((reader) => readerRow(reader, scene)));
    orders.replaceChildren(
      ...(Object.keys(ORDERS) as Order[]).map((name) =>
        html(
          'button',
          {
            type: 'button',
            class: 'small',
            'aria-pressed': String(name === order),
            click() {
              order = name;
              sorted = [...readers].sort(ORDERS[name]);
              from = 0;
              draw();
            },
          },
          name,
        ),
      ),
    );
    if (sorted.length <= ROWS) return;
    place.replaceChildren(
      html('button', { type: 'button', disabled: from === 0, click: () => turn(from - ROWS) }, 'Before'),
      html(
        'span',
        {},
        `${wording.count(from + 1)} to ${wording.count(to)} of ${wording.count(sorted.length)}`,
      ),
      html('button', { type: 'button', disabled: to === sorted.length, click: () => turn(to) }, 'More'),
    );
  };
  draw();
  return html(
    'section',
    {},
    html(
      'h2',
      {},
      `${wording.count(readers.length)} ${readers.length === 1 ? 'reader' : 'readers'}, page by page`,
    ),
    readers.length > 1 && orders,
    list,
    place,
    heatLegend(),
  );
}

function readerRow(reader: Reader, scene: Scene & { pageCount: number }): Node {
  const { wording, pageCount } = scene;
  const name = plainText(reader.name);
  const more = html('div', { class: 'more', hidden: true });
  const button = html(
    'button',
    {
      type: 'button',
      class: 'reader',
      'aria-expanded': 'false',
      click() {
        const isOpen = more.hidden;
        more.hidden = !isOpen;
        button.setAttribute('aria-expanded', String(isOpen));
        if (isOpen) void openReader(more, reader, scene);
      },
    },
    html('span', { class: 'name' }, name),
    html('span', { class: 'soft small time' }, wording.span(reader.seconds)),
    heatStrip(reader, { pageCount, wording }),
  );
  return html('li', {}, button, more);
}

/** What is known of a reader; a visit that the report left out is read when it is asked for. */
async function openReader(place: HTMLElement, reader: Reader, { host, wording }: Scene): Promise<void> {
  const facts = html('p', { class: 'small soft' }, formatFacts(reader, wording));
  const show = (...parts: readonly Node[]) => place.replaceChildren(facts, ...parts);
  if (reader.pageTotal !== undefined) return show(pageTable(reader, wording));
  if (!reader.visitId || !host.callTool)
    return show(
      html(
        'p',
        { class: 'small' },
        'The answer holds no pages of this reader: ask for the visit in the chat.',
      ),
    );
  show(html('p', { class: 'small soft', role: 'status' }, 'Reading the visit…'));
  try {
    const result = await host.callTool('get_visit', { id: reader.visitId });
    if (result.isError === true) throw new Error('the tool failed');
    const [read] = isObject(result.structuredContent)
      ? parseReadingReport(result.structuredContent).readers
      : [];
    show(
      read?.pageTotal !== undefined
        ? pageTable({ ...read, name: reader.name }, wording)
        : html('p', { class: 'small' }, 'The service tells no pages of this visit.'),
    );
  } catch {
    show(
      html(
        'p',
        { class: 'small bad', role: 'alert' },
        'The visit could not be read. Close and open the row to try again.',
      ),
    );
  }
}

function formatFacts({ name, email, visits, first, last }: Reader, wording: Wording): string {
  const seen = [
    ['first visit', wording.moment(first)],
    ['last visit', wording.moment(last)],
  ].flatMap(([label, moment]) => (moment === undefined ? [] : [`${label} ${moment}`]));
  return [
    email !== undefined && email !== name ? plainText(email) : '',
    visits === undefined ? '' : `${wording.count(visits)} ${visits === 1 ? 'visit' : 'visits'}`,
    ...seen,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The view of `report_link`, `get_room_analytics` and `get_visit`: who read what, and for how long. */
import type { JsonObject } from '../../../src/answer/fields.ts';
import { html, svg } from '../kit/element.ts';
import { type Scene, start } from '../kit/view.ts';
import { plainText, type Wording } from '../kit/wording.ts';
import { dropOff } from './drop-off.ts';
import { readersPart } from './readers.ts';
import { type Figure, parseReadingReport, type Reading } from './reading.ts';

start('reading', (answer: JsonObject, scene: Scene) => {
  const reading = parseReadingReport(answer);
  const { wording } = scene;
  const nothing = reading.readers.length === 0 && reading.pageCount === 0;
  return html(
    'div',
    { class: 'reading' },
    html('h1', {}, 'Who read what'),
    figures(reading, wording),
    reading.partial !== undefined &&
      html('p', { class: 'warn small' }, `Not all of it: ${plainText(reading.partial)}`),
    reading.documents.length > 0 && documents(reading, wording),
    nothing && reading.documents.length === 0
      ? html('p', { class: 'soft empty' }, 'Nothing yet: nobody has opened it, or the service does not tell.')
      : undefined,
    reading.pageCount > 0 && dropOff(reading, wording),
    reading.readers.length > 0 && readersPart(reading.readers, { ...scene, pageCount: reading.pageCount }),
  );
});

function figures({ figures }: Reading, wording: Wording): Node {
  return html(
    'dl',
    { class: 'figures' },
    ...figures.map((figure) =>
      html(
        'div',
        {},
        html('dt', { class: 'small soft' }, figure.label),
        html('dd', {}, put(figure, wording)),
      ),
    ),
  );
}

function put({ value, kind }: Figure, wording: Wording): string {
  if (kind === 'moment') return wording.moment(String(value)) ?? plainText(String(value));
  if (kind === 'span') return wording.span(Number(value));
  // Shares come as 0.5 and as 50.
  if (kind === 'share')
    return `${wording.count(Math.round(Number(value) <= 1 ? Number(value) * 100 : Number(value)))} %`;
  return wording.count(Number(value));
}

function documents({ documents }: Reading, wording: Wording): Node {
  const most = Math.max(1, ...documents.map(({ views }) => views));
  return html(
    'section',
    {},
    html('h2', {}, 'Documents'),
    html(
      'ul',
      { class: 'plain' },
      ...documents
        .slice(0, 200)
        .map(({ name, views }) =>
          html(
            'li',
            { class: 'document' },
            html('span', {}, plainText(name)),
            html(
              'span',
              { class: 'soft small' },
              `${wording.count(views)} ${views === 1 ? 'view' : 'views'}`,
            ),
            svg(
              'svg',
              { viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
              svg('rect', { class: 'h4', width: (100 * views) / most, height: 6 }),
            ),
          ),
        ),
    ),
    documents.length > 200 &&
      html('p', { class: 'small soft' }, `${documents.length - 200} more are in the chat’s text.`),
  );
}

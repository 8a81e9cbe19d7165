/** View of `report_link`, `get_room_analytics` and `get_visit`: who viewed what, and for how long. */
import { isObject, type JsonObject } from '../../../src/records/fields.ts';
import { html } from '../kit/element.ts';
import { type Formatter, toPlainLine } from '../kit/formatter.ts';
import { startView, type ViewContext } from '../kit/start-view.ts';
import { renderDropOff } from './drop-off.ts';
import { renderBar } from './heat-map.ts';
import { renderReaders } from './readers.ts';
import { type Metric, parseReadingReport, type ReadingReport } from './reading-report.ts';

startView('reading', (toolResult: JsonObject, viewContext: ViewContext) => {
  const { report: full } = viewContext.meta;
  const report = parseReadingReport(isObject(full) ? full : toolResult);
  const { formatter } = viewContext;
  const isEmpty = report.readers.length === 0 && report.pageCount === 0;
  return html(
    'div.reading',
    html('h1', toPlainLine(report.title)),
    renderMetrics(report, formatter),
    report.partial !== undefined && html('p.warn.small', `Incomplete: ${toPlainLine(report.partial)}`),
    report.documents.length > 0 && renderDocuments(report, formatter),
    isEmpty && report.documents.length === 0 ? html('p.soft.empty', 'No views yet') : undefined,
    report.pageCount > 0 && renderDropOff(report, formatter),
    report.readers.length > 0 && renderReaders(report.readers, { ...viewContext, pageCount: report.pageCount }),
  );
});

function renderMetrics({ metrics }: ReadingReport, formatter: Formatter): Node {
  return html(
    'dl.figures',
    ...metrics.map((metric) =>
      html('div', html('dt.small.soft', metric.label), html('dd', formatMetric(metric, formatter))),
    ),
  );
}

function formatMetric({ value, kind }: Metric, formatter: Formatter): string {
  if (kind === 'moment') return formatter.dateTime(String(value)) ?? toPlainLine(String(value));
  if (kind === 'span') return formatter.duration(Number(value));
  // Services return shares as 0.5 or as 50.
  if (kind === 'share')
    return `${formatter.count(Math.round(Number(value) <= 1 ? Number(value) * 100 : Number(value)))} %`;
  return formatter.count(Number(value));
}

function renderDocuments({ documents: documentViews }: ReadingReport, formatter: Formatter): Node {
  const maxViews = Math.max(1, ...documentViews.map(({ views }) => views));
  return html(
    'section',
    html('h2', 'Documents'),
    html(
      'ul.plain',
      ...documentViews
        .slice(0, 200)
        .map(({ name, views }) =>
          html(
            'li.document',
            html('span', toPlainLine(name)),
            html('span.soft.small', `${formatter.count(views)} ${views === 1 ? 'view' : 'views'}`),
            renderBar(4, views / maxViews),
          ),
        ),
    ),
    documentViews.length > 200 && html('p.small.soft', `${documentViews.length - 200} more in the chat`),
  );
}

import { METRIC_FIELDS, PAGE_FIELDS } from '../../src/assumptions/index.ts';
import type { OutputMapping } from '../records/record-kind.ts';

export const TOTAL_METRICS: readonly OutputMapping[] = [
  { key: 'views', label: 'Views', type: 'integer', from: METRIC_FIELDS.views },
  { key: 'unique_visitors', label: 'Unique Visitors', type: 'integer', from: METRIC_FIELDS.uniqueVisitors },
  { key: 'total_seconds', label: 'Total Seconds', type: 'number', from: METRIC_FIELDS.totalSeconds },
  { key: 'average_seconds', label: 'Average Seconds', type: 'number', from: METRIC_FIELDS.averageSeconds },
  { key: 'completion_rate', label: 'Read (percent)', type: 'percent', from: METRIC_FIELDS.completionRate },
  { key: 'last_viewed_at', label: 'Last Viewed At', type: 'datetime', from: METRIC_FIELDS.lastViewedAt },
];

export const PAGE_METRICS: readonly OutputMapping[] = [
  { key: 'page', label: 'Page Number', type: 'integer', from: PAGE_FIELDS.number },
  { key: 'views', label: 'Page Views', type: 'integer', from: METRIC_FIELDS.views },
  { key: 'average_seconds', label: 'Average Seconds on Page', type: 'number', from: METRIC_FIELDS.averageSeconds },
];

import * as assumed from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import {
  confirmedIf,
  evaluateNames,
  evaluateTable,
  findNames,
  formatAsCode,
  getResourceSchemasByName,
  notObserved,
} from './evaluate.ts';
import type { QuestionTable } from './question.ts';

/** Adds the schemas one level down, which may hold the metrics. */
function expandEnvelopes(schemas: readonly (Schema | undefined)[]): (Schema | undefined)[] {
  const inner = schemas.flatMap((schema) =>
    assumed.METRIC_ENVELOPES.flatMap((name) => schema?.properties?.[name] ?? []),
  );
  return [...schemas, ...inner];
}

export const METRIC_QUESTIONS: QuestionTable = {
  download: {
    topic: 'files',
    section: '§4',
    question: 'How is a file returned: as a URL in JSON, a redirect, or bytes?',
    assumptions: ['DOWNLOAD_URL_FIELDS', 'DOWNLOAD_TYPE_FIELDS', 'FILE_NAME_FIELDS', 'PENDING_FILE_PATTERN'],
    evaluate: ({ facts: { download }, operations }) => {
      if (!download) return notObserved('There was no agreement to read.');
      const { by, status, at, ttlSeconds, sameOrigin } = download;
      const path = at ? ` in ${formatAsCode([at.join('.')])}` : '';
      const origin = sameOrigin === undefined ? '' : `, on ${sameOrigin ? 'the API’s' : 'another'} origin`;
      const text = `By ${by} (${status})${path}${origin}${ttlSeconds === undefined ? '' : `, valid for ${ttlSeconds} s`}.`;
      const siblingFields = findNames(
        [operations['agreements.document']?.response?.body],
        [...assumed.DOWNLOAD_TYPE_FIELDS, ...assumed.FILE_NAME_FIELDS],
      );
      const more = siblingFields.length > 0 ? ` Related fields: ${formatAsCode(siblingFields)}.` : '';
      const isKnown =
        by !== 'url' || findNames([{ properties: { [at?.at(-1) ?? '']: {} } }], assumed.DOWNLOAD_URL_FIELDS).length > 0;
      return confirmedIf(isKnown, `${text}${more}`);
    },
  },
  metrics: {
    topic: 'analytics',
    section: '§4',
    question: 'What are the metrics of links, rooms and visits called?',
    assumptions: ['METRIC_FIELDS', 'METRIC_ENVELOPES'],
    evaluate: (profile) =>
      evaluateTable(
        expandEnvelopes(getResourceSchemasByName(profile, 'analytics.link', 'analytics.room', 'visit', 'visitor')),
        { table: assumed.METRIC_FIELDS, label: 'Metrics' },
      ),
  },
  'metric-lists': {
    topic: 'analytics',
    section: '§4',
    question: 'Where do analytics list pages, visitors and documents?',
    assumptions: ['PAGE_LISTS', 'VISITOR_LISTS', 'DOCUMENT_LISTS'],
    evaluate: (profile) =>
      evaluateTable(expandEnvelopes(getResourceSchemasByName(profile, 'analytics.link', 'analytics.room', 'visit')), {
        table: { pages: assumed.PAGE_LISTS, visitors: assumed.VISITOR_LISTS, documents: assumed.DOCUMENT_LISTS },
        label: 'Lists',
      }),
  },
  visits: {
    topic: 'analytics',
    section: '§4',
    question: 'Which field of a visitor refers to their visits?',
    assumptions: ['VISIT_ID_FIELDS'],
    evaluate: (profile) =>
      evaluateNames(getResourceSchemasByName(profile, 'visitor'), { names: assumed.VISIT_ID_FIELDS, label: 'Visits' }),
  },
  billing: {
    topic: 'billing',
    section: '§4',
    question: 'What are the fields for plan, seats, invoices and usage called?',
    assumptions: ['BILLING_FIELDS'],
    evaluate: (profile) =>
      evaluateTable(expandEnvelopes(getResourceSchemasByName(profile, 'subscription', 'invoice', 'usage')), {
        table: assumed.BILLING_FIELDS,
        label: 'Billing',
      }),
  },
};

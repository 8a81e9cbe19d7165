import {
  BILLING_FIELDS,
  DOCUMENT_LISTS,
  DOWNLOAD_TYPE_FIELDS,
  DOWNLOAD_URL_FIELDS,
  FILE_NAME_FIELDS,
  METRIC_ENVELOPES,
  METRIC_FIELDS,
  PAGE_LISTS,
  VISIT_ID_FIELDS,
  VISITOR_LISTS,
} from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import {
  confirmedIf,
  evaluateNames,
  evaluateTable,
  findNames,
  formatCodes,
  getResources,
  notObserved,
} from './evaluate.ts';
import type { Question } from './question.ts';

/** Figures may stand one level down. */
function expandEnvelopes(schemas: readonly (Schema | undefined)[]): (Schema | undefined)[] {
  const inner = schemas.flatMap((schema) =>
    METRIC_ENVELOPES.flatMap((name) => schema?.properties?.[name] ?? []),
  );
  return [...schemas, ...inner];
}

export const METRIC_QUESTIONS: readonly Question[] = [
  {
    name: 'download',
    topic: 'files',
    section: '§4',
    question: 'How is a file answered: by an address in JSON, a redirect, or its bytes?',
    assumptions: ['DOWNLOAD_URL_FIELDS', 'DOWNLOAD_TYPE_FIELDS', 'FILE_NAME_FIELDS'],
    mode: 'read',
    probe:
      'The document of one agreement is asked for. The address in the answer is read for its form and never followed.',
    confirmedWhen: 'A redirect, bytes, or an address under an assumed name.',
    evaluate: ({ facts: { download }, operations }) => {
      if (!download) return notObserved('No agreement was there to ask for.');
      const { by, status, at, ttlSeconds, sameOrigin } = download;
      const where = at ? ` under ${formatCodes([at.join('.')])}` : '';
      const origin =
        sameOrigin === undefined ? '' : sameOrigin ? ', on the API’s own origin' : ', on another origin';
      const text = `By ${by} (${status})${where}${origin}${ttlSeconds === undefined ? '' : `, for ${ttlSeconds} s`}.`;
      const siblingFields = findNames(
        [operations['agreements.document']?.answer?.body],
        [...DOWNLOAD_TYPE_FIELDS, ...FILE_NAME_FIELDS],
      );
      const more = siblingFields.length > 0 ? ` Beside it: ${formatCodes(siblingFields)}.` : '';
      const isKnown =
        by !== 'address' ||
        findNames([{ properties: { [at?.at(-1) ?? '']: {} } }], DOWNLOAD_URL_FIELDS).length > 0;
      return confirmedIf(isKnown, `${text}${more}`);
    },
  },
  {
    name: 'figures',
    topic: 'analytics',
    section: '§4',
    question: 'Under which names do the figures of links, rooms and visits stand?',
    assumptions: ['METRIC_FIELDS', 'METRIC_ENVELOPES'],
    mode: 'read',
    probe: 'The figures of a link, a room and a visit are read.',
    confirmedWhen: 'At least one of the assumed names of the table is there.',
    evaluate: (profile) =>
      evaluateTable(
        expandEnvelopes(getResources(profile, 'analytics.link', 'analytics.room', 'visit', 'visitor')),
        {
          table: METRIC_FIELDS,
          label: 'Figures',
        },
      ),
  },
  {
    name: 'figure-lists',
    topic: 'analytics',
    section: '§4',
    question: 'Where do figures list pages, visitors and documents?',
    assumptions: ['PAGE_LISTS', 'VISITOR_LISTS', 'DOCUMENT_LISTS'],
    mode: 'read',
    probe: 'The figures of a link, a room and a visit are read.',
    confirmedWhen: 'At least one list under an assumed name.',
    evaluate: (profile) =>
      evaluateTable(expandEnvelopes(getResources(profile, 'analytics.link', 'analytics.room', 'visit')), {
        table: { pages: PAGE_LISTS, visitors: VISITOR_LISTS, documents: DOCUMENT_LISTS },
        label: 'Lists',
      }),
  },
  {
    name: 'visits',
    topic: 'analytics',
    section: '§4',
    question: 'Where does a visitor name their visits?',
    assumptions: ['VISIT_ID_FIELDS'],
    mode: 'read',
    probe: 'The visitors of a link are listed, and a visit of one is read.',
    confirmedWhen: 'A field under an assumed name.',
    evaluate: (profile) =>
      evaluateNames(getResources(profile, 'visitor'), { names: VISIT_ID_FIELDS, label: 'Visits' }),
  },
  {
    name: 'billing',
    topic: 'billing',
    section: '§4',
    question: 'Under which names do plan, seats, invoices and usage stand?',
    assumptions: ['BILLING_FIELDS'],
    mode: 'read',
    probe: 'Subscription, invoices and usage are read.',
    confirmedWhen: 'At least one of the assumed names of the table is there.',
    evaluate: (profile) =>
      evaluateTable(expandEnvelopes(getResources(profile, 'subscription', 'invoice', 'usage')), {
        table: BILLING_FIELDS,
        label: 'Billing',
      }),
  },
];

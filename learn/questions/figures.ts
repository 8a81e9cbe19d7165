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
import type { Schema } from '../../src/profile/schema.ts';
import { codes, judged, judgeNames, judgeTable, namesIn, resources, unseen } from './judging.ts';
import type { Question } from './question.ts';

/** Figures may stand one level down. */
function withEnvelopes(schemas: readonly (Schema | undefined)[]): (Schema | undefined)[] {
  const inner = schemas.flatMap((schema) =>
    METRIC_ENVELOPES.flatMap((name) => schema?.properties?.[name] ?? []),
  );
  return [...schemas, ...inner];
}

export const FIGURE_QUESTIONS: readonly Question[] = [
  {
    name: 'download',
    topic: 'files',
    section: '§4',
    asks: 'How is a file answered: by an address in JSON, a redirect, or its bytes?',
    settles: ['DOWNLOAD_URL_FIELDS', 'DOWNLOAD_TYPE_FIELDS', 'FILE_NAME_FIELDS'],
    mode: 'read',
    probed:
      'The document of one agreement is asked for. The address in the answer is read for its form and never followed.',
    confirmedBy: 'A redirect, bytes, or an address under an assumed name.',
    judge: ({ facts: { download }, operations }) => {
      if (!download) return unseen('No agreement was there to ask for.');
      const { by, status, at, life, sameOrigin } = download;
      const where = at ? ` under ${codes([at.join('.')])}` : '';
      const origin =
        sameOrigin === undefined ? '' : sameOrigin ? ', on the API’s own origin' : ', on another origin';
      const words = `By ${by} (${status})${where}${origin}${life === undefined ? '' : `, for ${life} s`}.`;
      const beside = namesIn(
        [operations['agreements.document']?.answer?.body],
        [...DOWNLOAD_TYPE_FIELDS, ...FILE_NAME_FIELDS],
      );
      const more = beside.length > 0 ? ` Beside it: ${codes(beside)}.` : '';
      const isKnown =
        by !== 'address' ||
        namesIn([{ properties: { [at?.at(-1) ?? '']: {} } }], DOWNLOAD_URL_FIELDS).length > 0;
      return judged(isKnown, `${words}${more}`);
    },
  },
  {
    name: 'figures',
    topic: 'analytics',
    section: '§4',
    asks: 'Under which names do the figures of links, rooms and visits stand?',
    settles: ['FIGURE_FIELDS', 'FIGURE_ENVELOPES'],
    mode: 'read',
    probed: 'The figures of a link, a room and a visit are read.',
    confirmedBy: 'At least one of the assumed names of the table is there.',
    judge: (learned) =>
      judgeTable(withEnvelopes(resources(learned, 'analytics.link', 'analytics.room', 'visit', 'visitor')), {
        table: METRIC_FIELDS,
        what: 'Figures',
      }),
  },
  {
    name: 'figure-lists',
    topic: 'analytics',
    section: '§4',
    asks: 'Where do figures list pages, visitors and documents?',
    settles: ['PAGE_LISTS', 'VISITOR_LISTS', 'DOCUMENT_LISTS'],
    mode: 'read',
    probed: 'The figures of a link, a room and a visit are read.',
    confirmedBy: 'At least one list under an assumed name.',
    judge: (learned) =>
      judgeTable(withEnvelopes(resources(learned, 'analytics.link', 'analytics.room', 'visit')), {
        table: { pages: PAGE_LISTS, visitors: VISITOR_LISTS, documents: DOCUMENT_LISTS },
        what: 'Lists',
      }),
  },
  {
    name: 'visits',
    topic: 'analytics',
    section: '§4',
    asks: 'Where does a visitor name their visits?',
    settles: ['VISIT_ID_FIELDS'],
    mode: 'read',
    probed: 'The visitors of a link are listed, and a visit of one is read.',
    confirmedBy: 'A field under an assumed name.',
    judge: (learned) => judgeNames(resources(learned, 'visitor'), { names: VISIT_ID_FIELDS, what: 'Visits' }),
  },
  {
    name: 'billing',
    topic: 'billing',
    section: '§4',
    asks: 'Under which names do plan, seats, invoices and usage stand?',
    settles: ['BILLING_FIELDS'],
    mode: 'read',
    probed: 'Subscription, invoices and usage are read.',
    confirmedBy: 'At least one of the assumed names of the table is there.',
    judge: (learned) =>
      judgeTable(withEnvelopes(resources(learned, 'subscription', 'invoice', 'usage')), {
        table: BILLING_FIELDS,
        what: 'Billing',
      }),
  },
];

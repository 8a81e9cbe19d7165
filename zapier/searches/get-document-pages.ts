import { PAGE_FIELDS } from '../../src/assumptions/index.ts';
import { recordField } from '../forms/form.ts';
import { learnedSample } from '../learned/learned-sample.ts';
import type { JsonObject } from '../platform/core.ts';
import { document } from '../records/document.ts';
import { collect } from '../records/pages.ts';
import { type Output, readOutputs } from '../records/record.ts';
import { lineFields, report, requireWhole } from './report.ts';

const PAGES: readonly Output[] = [
  { key: 'page', label: 'Page Number', type: 'integer', from: PAGE_FIELDS.number },
  { key: 'width', label: 'Page Width', type: 'number', from: PAGE_FIELDS.width },
  { key: 'height', label: 'Page Height', type: 'number', from: PAGE_FIELDS.height },
  { key: 'image_url', label: 'Page Image', from: PAGE_FIELDS.imageUrl },
];

export const getDocumentPages = report<{ document: string }>({
  key: 'get_document_pages',
  noun: 'Document Page List',
  label: 'Get Document Pages',
  description: 'Finds the pages of a document, with their sizes and pictures.',
  inputFields: [recordField(document, { helpText: 'The document whose pages you want, as line items.' })],
  run: async (client, { input }) => {
    const { items, complete } = await collect((query, options) =>
      client.documents.pages({ ...query, id: input.document }, options),
    );
    requireWhole(complete, { operation: 'documents.pages', read: items.length });
    return [{ id: input.document, ...shown(items) }];
  },
  outputFields: [
    { key: 'id', label: 'Document ID', type: 'string', primary: true },
    { key: 'page_count', label: 'Page Count', type: 'integer' },
    ...lineFields('pages', PAGES),
    { key: 'raw', label: 'Original Record' },
  ],
  sample: learnedSample('documents.pages', {
    read: (page) => shown([page]),
    sample: {
      id: document.sample.id,
      page_count: 1,
      pages: [
        {
          page: 1,
          width: 595,
          height: 842,
          image_url: 'https://share.example.com/thumbnails/doc_7f3k2m9q/1.png',
        },
      ],
      raw: { pages: [{ page: 1, width: 595, height: 842 }] },
    },
  }),
});

function shown(items: readonly JsonObject[]): JsonObject {
  const pages = items.map((item, index) => {
    const page = readOutputs(PAGES, item);
    return { ...page, page: page['page'] ?? index + 1 };
  });
  return { page_count: pages.length, pages, raw: { pages: items } };
}

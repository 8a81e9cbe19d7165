import { PAGE_FIELDS } from '../../src/assumptions/index.ts';
import { createRecordField } from '../fields/form-fields.ts';
import type { JsonObject } from '../platform/client-core.ts';
import { document } from '../records/kinds.ts';
import { getProfileSample } from '../records/profile-samples.ts';
import { readPages } from '../records/read-list.ts';
import { extractOutputs, getLineItemFields, type OutputMapping } from '../records/record-kind.ts';
import { defineReport, requireComplete } from './define-report.ts';

const PAGES: readonly OutputMapping[] = [
  { key: 'page', label: 'Page Number', type: 'integer', from: PAGE_FIELDS.number },
  { key: 'width', label: 'Page Width', type: 'number', from: PAGE_FIELDS.width },
  { key: 'height', label: 'Page Height', type: 'number', from: PAGE_FIELDS.height },
  { key: 'image_url', label: 'Page Image', from: PAGE_FIELDS.imageUrl },
];

export const getDocumentPages = defineReport<{ document: string }>({
  key: 'get_document_pages',
  noun: 'Document Page List',
  label: 'Find Document Pages',
  description: 'Finds the pages of a document, with their sizes and images.',
  hidden: true,
  inputFields: [createRecordField(document, { helpText: 'The document to get the pages of, as line items.' })],
  perform: async ({ client, input }) => {
    const reading = await readPages((query, options) =>
      client.documents.pages({ ...query, id: input.document }, options),
    );
    const items = requireComplete(reading, 'documents.pages');
    return [{ id: input.document, ...toOutput(items) }];
  },
  outputFields: [
    { key: 'id', label: 'Document ID', type: 'string', primary: true },
    { key: 'page_count', label: 'Page Count', type: 'integer' },
    ...getLineItemFields('pages', PAGES),
    { key: 'raw', label: 'Original Record' },
  ],
  sample: getProfileSample('documents.pages', {
    toOutput: (page) => toOutput([page]),
    sample: {
      id: document.sample.id,
      page_count: 1,
      pages: [
        { page: 1, width: 595, height: 842, image_url: 'https://share.example.com/thumbnails/doc_7f3k2m9q/1.png' },
      ],
      raw: { pages: [{ page: 1, width: 595, height: 842 }] },
    },
  }),
});

function toOutput(items: readonly JsonObject[]): JsonObject {
  const pages = items.map((item, index) => {
    const page = extractOutputs(PAGES, item);
    return { ...page, page: page['page'] ?? index + 1 };
  });
  return { page_count: pages.length, pages, raw: { pages: items } };
}

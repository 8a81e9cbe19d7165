import { z } from 'zod';
import { parsePublicUrl } from '../files/public-address.ts';
import { text, webUrl } from '../tool/arguments.ts';
import { defineTool } from '../tool/tool.ts';
import { defineListTool, defineReadTool, ItemOutput } from './define-tools.ts';
import { getNewVersionAction } from './new-version-action.ts';
import { uploadByTicket } from './upload-by-ticket.ts';
import { uploadWithProgress } from './upload-with-progress.ts';

export const documentTools = [
  defineListTool({ name: 'list_documents', description: 'Lists documents.', operation: 'documents.list' }),
  defineReadTool({
    name: 'get_document',
    description: "Returns a document's metadata, such as its name, type and versions.",
    operation: 'documents.get',
    id: 'Document ID, from list_documents or find.',
  }),
  defineListTool({
    name: 'list_document_pages',
    description: "Lists a document's pages.",
    operation: 'documents.pages',
    id: 'Document ID, from list_documents or find.',
    resource: 'page',
    without: ['match', 'since', 'until'],
  }),
  defineTool({
    name: 'upload_document',
    title: 'Upload document',
    description:
      'Uploads a file (up to 1 GiB), or a new version of document_id; the user confirms if shared. Give one of path, url and content.',
    operations: ['documents.create', 'documents.startUpload', 'documents.finalizeUpload'],
    idSource: 'list_documents',
    annotations: { openWorldHint: true },
    inputSchema: z.strictObject({
      path: text('Local file, inside an allowed folder.').optional(),
      url: webUrl('Public https URL to fetch the file from.').optional(),
      content: text('Base64-encoded content, at most 4 MiB.').optional(),
      name: text('File name, including its extension.').optional(),
      document_id: text('Existing document to add a new version to.').optional(),
    }),
    outputSchema: ItemOutput,
    confirmation: ({ document_id, url }, context) => {
      if (url !== undefined) parsePublicUrl(url);
      return document_id === undefined ? undefined : getNewVersionAction(document_id, context);
    },
    fallbacks: [{ without: 'disk', tool: uploadByTicket }],
    handler: async (context, { document_id: documentId, ...source }) => ({
      data: { done: true, ...(await uploadWithProgress(context, { ...source, documentId })) },
    }),
  }),
];

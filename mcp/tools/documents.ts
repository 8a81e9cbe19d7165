import { z } from 'zod';
import { text } from '../tool/arguments.ts';
import { defineTool } from '../tool/tool.ts';
import { defineListTool, defineReadTool, ItemOutput } from './define-tools.ts';
import { uploadByTicket } from './upload-by-ticket.ts';
import { uploadWithProgress } from './upload-with-progress.ts';

export const documentTools = [
  defineListTool({
    name: 'list_documents',
    description: 'Lists documents.',
    operation: 'documents.list',
  }),
  defineReadTool({
    name: 'get_document',
    description: "Reads one document's metadata: name, type, versions.",
    operation: 'documents.get',
    id: 'Document id',
  }),
  defineListTool({
    name: 'list_document_pages',
    description: "Lists a document's pages.",
    operation: 'documents.pages',
    id: 'Document id',
    resource: 'page',
    without: ['match', 'since', 'until'],
  }),
  defineTool({
    name: 'upload_document',
    title: 'Upload document',
    description: 'Uploads a file of any size: path, url or content. A new document, or a new version.',
    operations: ['documents.create', 'documents.startUpload', 'documents.finalizeUpload'],
    idSource: 'list_documents',
    annotations: { openWorldHint: true },
    inputSchema: z.strictObject({
      path: text('File in an allowed folder').optional(),
      url: text('Public address').optional(),
      content: text('Small, base64').optional(),
      name: text('Document name').optional(),
      document_id: text('Gets a new version').optional(),
    }),
    outputSchema: ItemOutput,
    fallbacks: [{ without: 'disk', tool: uploadByTicket }],
    handler: async (context, { document_id: documentId, ...source }) => ({
      data: { done: true, ...(await uploadWithProgress(context, { ...source, documentId })) },
    }),
  }),
];

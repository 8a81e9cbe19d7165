import { defineListTool, defineReadTool } from './define-tools.ts';
import { uploadDocument } from './upload-document.ts';

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
  uploadDocument,
];

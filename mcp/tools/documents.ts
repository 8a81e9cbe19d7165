import { z } from 'zod';
import { text } from '../arguments.ts';
import { openUpload } from '../files/upload-source.ts';
import { defineTool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { itemOf, listTool, readTool, textAnswer } from '../tool-kinds.ts';

export const documentTools = [
  listTool({
    name: 'list_documents',
    description: 'Lists documents: find the id to share, read or replace.',
    operation: 'documents.list',
  }),
  readTool({
    name: 'get_document',
    description: "Reads one document's metadata.",
    operation: 'documents.get',
    id: 'Document id',
  }),
  listTool({
    name: 'list_document_pages',
    description: 'Lists the pages of a document.',
    operation: 'documents.pages',
    id: 'Document id',
    resource: 'page',
  }),
  defineTool({
    name: 'upload_document',
    title: 'Upload document',
    description: 'Uploads a file of any size, as a new document or as a new version of one. Give one source.',
    operations: ['documents.create', 'documents.startUpload', 'documents.finalizeUpload'],
    hints: { openWorldHint: true },
    arguments: z.strictObject({
      path: text('File in an allowed folder').optional(),
      url: text('Public address of a file').optional(),
      content: text('Small file, base64').optional(),
      name: text('Document name').optional(),
      document_id: text('Document that gets a new version').optional(),
    }),
    answers: textAnswer('id', 'sha256'),
    async run({ client, options, progress, files }, { document_id: documentId, ...source }) {
      const file = await openUpload(source, { files, signal: options.signal });
      try {
        const result = await client
          .upload(file.source, {
            ...options,
            name: file.name,
            ...(file.type === undefined ? {} : { type: file.type }),
            ...(documentId === undefined ? {} : { documentId }),
            onProgress: ({ sentBytes, totalBytes }) =>
              progress.bytes(sentBytes, totalBytes, `uploaded ${sentBytes} of ${totalBytes} bytes`),
          })
          .catch(async (error: unknown) => {
            const changed = options.signal?.aborted ? undefined : await file.changed();
            throw changed === undefined ? error : new ToolError('file_changed', changed);
          });
        return {
          data: {
            done: true,
            ...(result.id === undefined ? {} : { id: result.id }),
            ...itemOf(result.document, 'document'),
            ...(documentId === undefined ? {} : { new_version_of: documentId }),
            size_bytes: result.sizeBytes,
            sha256: file.sha256(),
            via: result.via,
          },
        };
      } finally {
        await file.close();
      }
    },
  }),
];

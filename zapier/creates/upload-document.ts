import { recordField } from '../fields/form-fields.ts';
import { openFile } from '../platform/open-file.ts';
import { document } from '../records/document.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction } from './define-action.ts';

interface Input extends Record<string, unknown> {
  file: string;
  name?: string;
  document?: string;
}

export const uploadDocument = defineAction<Input>({
  key: 'upload_document',
  noun: 'Document',
  label: 'Upload Document',
  description: 'Creates a document from a file of an earlier step, or a new version of a document.',
  inputFields: [
    {
      key: 'file',
      label: 'File',
      type: 'file',
      required: true,
      helpText:
        'A file from an earlier step: a PDF, a deck, a video or another source file, up to 100 MB. Upload larger ones in Docshare.',
    },
    {
      key: 'name',
      label: 'Document Name',
      type: 'string',
      required: false,
      helpText: 'What the document is called in Docshare. Leave empty to keep the name of the file.',
    },
    recordField(document, {
      label: 'New Version Of',
      required: false,
      helpText: 'Pick a document to replace its contents and keep its links. Leave empty for a new document.',
    }),
  ],
  perform: async (client, { z, input }) => {
    const file = await openFile(z, input.file);
    const uploaded = await client.upload(file.source, {
      name: input.name ?? file.name,
      ...(file.type === undefined ? {} : { type: file.type }),
      ...(input.document === undefined ? {} : { documentId: input.document }),
    });
    const { document: record, id, name, sizeBytes } = uploaded;
    return toWriteResult(document, record, { id, name, size: sizeBytes });
  },
  output: document,
});

import { createFormField, createRecordField } from '../fields/form-fields.ts';
import { openFile } from '../platform/open-file.ts';
import { document } from '../records/kinds.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction, type FormInput } from './define-action.ts';
import { fileField } from './upload-file.ts';

export const uploadDocument = defineAction<FormInput<'file', 'name' | 'document'>>({
  key: 'upload_document',
  noun: 'Document',
  label: 'Upload Document',
  description: 'Uploads a file as a new document, or as a new version of a document.',
  inputFields: [
    fileField,
    createFormField('name', 'Document Name', {
      helpText: 'Leave empty to use the file name. A new version does not always rename the document.',
    }),
    createRecordField(document, {
      label: 'New Version Of',
      required: false,
      helpText: 'Choose a document to replace its content and keep its links. Leave empty to create a document.',
    }),
  ],
  perform: async ({ client, z, input }) => {
    const file = await openFile(z, input.file, { allowsText: true, name: input.name });
    const uploaded = await client.upload(file.source, {
      name: input.name ?? file.name,
      ...(file.type === undefined ? {} : { type: file.type }),
      ...(input.document === undefined ? {} : { documentId: input.document }),
    });
    const { document: record, id, name, sizeBytes } = uploaded;
    // A document keeps its name with a new version, unless the service says otherwise.
    return toWriteResult(document, { ...record }, { id, size: sizeBytes, ...(input.document ? {} : { name }) });
  },
  output: document,
});

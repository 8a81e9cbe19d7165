import { recordField } from '../fields/form-fields.ts';
import { dehydrateSignedDocument } from '../hydrators/signed-document.ts';
import { isSigned } from '../records/is-signed.ts';
import { agreement, signedAgreementOutput } from '../records/kinds.ts';
import { findById } from '../records/read-list.ts';
import { extractOutputs, toFlatRecord } from '../records/record-kind.ts';
import { defineReport } from './define-report.ts';

export const getSignedDocument = defineReport<{ agreement: string }>({
  key: 'get_signed_document',
  noun: 'Signed Document',
  label: 'Get Signed Document',
  description: 'Finds the signed PDF of an agreement, as a file for later steps.',
  inputFields: [
    recordField(agreement, { helpText: 'The agreement to get the PDF of. Finds nothing if it is not signed yet.' }),
  ],
  perform: async (client, { z, input }) => {
    const { agreement: id } = input;
    const found = await findById(agreement, client, id);
    if (found.kind === 'not-found') return [];
    if (found.kind === 'found' && !isSigned(found.item)) return [];
    // The list of agreements is too long: the file is requested when a step uses it.
    const record =
      found.kind === 'found'
        ? toFlatRecord(agreement, found.item)
        : { id, name: null, ...extractOutputs(agreement.outputs), created_at: null, raw: null };
    return [{ ...record, signed_document: dehydrateSignedDocument(z, id) }];
  },
  ...signedAgreementOutput,
});

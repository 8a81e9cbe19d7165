import { createRecordField } from '../fields/form-fields.ts';
import { dehydrateSignedDocument } from '../hydrators/signed-document.ts';
import { isSigned } from '../records/is-signed.ts';
import { agreement, signedAgreementOutput } from '../records/kinds.ts';
import { toFlatRecord } from '../records/record-kind.ts';
import { findById, requireSearched } from '../records/search-records.ts';
import { defineReport } from './define-report.ts';

export const getSignedDocument = defineReport<{ agreement: string }>({
  key: 'get_signed_document',
  noun: 'Signed Document',
  label: 'Find Signed Document',
  description: 'Finds the signed PDF of an agreement, as a file for later steps.',
  inputFields: [
    createRecordField(agreement, {
      helpText: 'The agreement to get the PDF of. Finds nothing if it is not signed yet.',
    }),
  ],
  perform: async ({ client, z, input }) => {
    const { agreement: id } = input;
    // A draft has no signed document, so the agreement itself must be read.
    const found = requireSearched(agreement, await findById(agreement, { client, z }, id));
    if (!found || !isSigned(found.item)) return [];
    return [{ ...toFlatRecord(agreement, found.item), signed_document: dehydrateSignedDocument(z, id) }];
  },
  ...signedAgreementOutput,
});

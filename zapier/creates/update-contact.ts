import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { createFormField, createRecordField } from '../fields/form-fields.ts';
import { requireEmail } from '../fields/parse-email.ts';
import { contact } from '../records/kinds.ts';
import type { FormInput } from './define-action.ts';
import { defineRecordAction } from './define-record-action.ts';

export const updateContact = defineRecordAction<FormInput<'contact', 'email' | 'name' | 'company'>>(
  'contacts.update',
  contact,
  {
    description: 'Updates the email, name or company of a contact.',
    inputFields: [
      createRecordField(contact, { helpText: 'The contact to update.' }),
      createFormField('email', 'New Email', { helpText: 'Leave empty to keep the current email.' }),
      createFormField('name', 'Full Name', { helpText: 'Leave empty to keep the current name.' }),
      createFormField('company', 'Company', { helpText: 'Leave empty to keep the current company.' }),
    ],
    toBodies: (input) => FORM_BODIES.contact(readChanges(input)),
    toSentFields: readChanges,
  },
);

function readChanges({ email, name, company }: { email?: string; name?: string; company?: string }) {
  return { email: email === undefined ? undefined : requireEmail(email, 'New Email').email, name, company };
}

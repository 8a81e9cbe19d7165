import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { createFormField, parseTags } from '../fields/form-fields.ts';
import { requireEmail } from '../fields/parse-email.ts';
import { contact } from '../records/kinds.ts';
import type { FormInput } from './define-action.ts';
import { defineRecordAction } from './define-record-action.ts';

export const createContact = defineRecordAction<FormInput<'email', 'name' | 'company', 'tags'>>(
  'contacts.create',
  contact,
  {
    description: 'Creates a contact.',
    inputFields: [
      createFormField('email', 'Email', {
        required: true,
        helpText: 'Visits from this email address appear on the contact.',
      }),
      createFormField('name', 'Full Name', { helpText: 'First and last name.' }),
      createFormField('company', 'Company', { helpText: "The contact's employer." }),
      createFormField('tags', 'Tags', {
        list: true,
        helpText: 'Labels to group contacts, one per line or separated by commas.',
      }),
    ],
    toBodies: ({ tags, ...input }) => FORM_BODIES.contact({ ...readContact(input), tags: parseTags(tags) }),
    toSentFields: readContact,
    uniqueField: 'email',
  },
);

function readContact({ email, name, company }: { email: string; name?: string; company?: string }) {
  return { name, ...requireEmail(email, 'Email'), ...(name === undefined ? {} : { name }), company };
}

import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, recordField, requireChange, sendForm, textInput } from '../fields/form-fields.ts';
import { contact } from '../records/kinds.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction, type TextFormInput } from './define-action.ts';

export const updateContact = defineAction<TextFormInput<'contact', 'email' | 'name' | 'company'>>({
  key: 'update_contact',
  noun: 'Contact',
  label: 'Update Contact',
  description: 'Updates the email, name or company of a contact.',
  inputFields: [
    recordField(contact, { helpText: 'The contact to update.' }),
    textInput('email', 'New Email', { helpText: 'Leave empty to keep the current email.' }),
    textInput('name', 'Full Name', { helpText: 'Leave empty to keep the current name.' }),
    textInput('company', 'Company', { helpText: 'Leave empty to keep the current company.' }),
    ...extraInputFields('contacts.update', { existingRecords: contact, knownNames: FORM_FIELD_NAMES.contact }),
  ],
  perform: async (client, { input }) => {
    const { contact: id, email, name, company } = input;
    const extraFields = collectExtraFields(input);
    requireChange({ email, name, company, ...extraFields });
    const bodies = FORM_BODIES.contact({ email, name, company });
    const updated = await sendForm(bodies, extraFields, (body) => client.contacts.update({ ...body, id }));
    return toWriteResult(contact, updated, { id, email, name, company });
  },
  output: contact,
});

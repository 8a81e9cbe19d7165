import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { readMore, recordField, requireChange, sendForm, textInput } from '../forms/form.ts';
import { moreFields } from '../forms/more-fields.ts';
import { contact } from '../records/contact.ts';
import { recordFrom } from '../records/record.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  contact: string;
  email?: string;
  name?: string;
  company?: string;
}

export const updateContact = action<Input>({
  key: 'update_contact',
  noun: 'Contact',
  label: 'Update Contact',
  description: 'Updates a contact.',
  inputFields: [
    recordField(contact, { helpText: 'The contact to change.' }),
    textInput('email', 'New Email', { helpText: 'Leave empty to keep the address.' }),
    textInput('name', 'Full Name', { helpText: 'Leave empty to keep the name.' }),
    textInput('company', 'Company', { helpText: 'Leave empty to keep the company.' }),
    ...moreFields('contacts.update', { existing: contact, known: FORM_FIELD_NAMES.contact }),
  ],
  run: async (client, { input }) => {
    const { contact: id, email, name, company } = input;
    const more = readMore(input);
    requireChange({ email, name, company, ...more });
    const bodies = FORM_BODIES.contact({ email, name, company });
    const updated = await sendForm(bodies, more, (body) => client.contacts.update({ ...body, id }));
    return recordFrom(contact, updated, { id, email, name, company });
  },
  shows: contact,
});

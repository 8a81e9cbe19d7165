import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { createFormField, createRecordField, parseTags, tryFormBodies } from '../fields/form-fields.ts';
import { InputError } from '../platform/client-core.ts';
import { contact } from '../records/kinds.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction, type FormInput } from './define-action.ts';

export const addContactTags = defineAction<FormInput<'contact', never, 'tags'>>({
  key: 'add_contact_tags',
  noun: 'Contact',
  label: 'Add Tags to Contact',
  description: 'Adds tags to a contact. Existing tags are kept.',
  inputFields: [
    createRecordField(contact, { helpText: 'The contact to tag.' }),
    createFormField('tags', 'Tags', {
      required: true,
      list: true,
      helpText: 'Tags to add, one per line or separated by commas. Existing tags are kept.',
    }),
  ],
  perform: async (client, { input }) => {
    const { contact: id } = input;
    const tags = parseTags(input.tags);
    if (tags.length === 0) throw new InputError('There is no tag. Enter at least one in the field "Tags".');
    const updated = await tryFormBodies(FORM_BODIES.contactTags(tags), {}, (body) =>
      client.contacts.addTags({ ...body, id }),
    );
    return toWriteResult(contact, updated, { id });
  },
  output: contact,
});

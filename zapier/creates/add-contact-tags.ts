import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { recordField, sendForm, splitLines, textInput } from '../fields/form-fields.ts';
import { InputError } from '../platform/client-core.ts';
import { contact } from '../records/contact.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction } from './define-action.ts';

interface Input extends Record<string, unknown> {
  contact: string;
  tags: string[];
}

export const addContactTags = defineAction<Input>({
  key: 'add_contact_tags',
  noun: 'Contact',
  label: 'Add Tags to Contact',
  description: 'Updates a contact with further tags; those it has stay.',
  inputFields: [
    recordField(contact, { helpText: 'The contact that gets the tags.' }),
    textInput('tags', 'Tags', {
      required: true,
      list: true,
      helpText: 'One a line, such as "investor" or "q3-lead".',
    }),
  ],
  perform: async (client, { input }) => {
    const { contact: id } = input;
    const tags = [
      ...new Set(
        splitLines(input.tags)
          .map((tag) => tag.trim())
          .filter((tag) => tag !== ''),
      ),
    ];
    if (tags.length === 0) throw new InputError('No tag was given. Write at least one in this step.');
    const updated = await sendForm(FORM_BODIES.contactTags(tags), {}, (body) =>
      client.contacts.addTags({ ...body, id }),
    );
    return toWriteResult(contact, updated, { id });
  },
  output: contact,
});

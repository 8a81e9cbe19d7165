import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, sendForm, splitLines, textInput } from '../fields/form-fields.ts';
import { createRecordDeduplicator } from '../records/create-once.ts';
import { contact } from '../records/kinds.ts';
import { normalizeEmail } from '../records/normalize-text.ts';
import { toWriteResult } from '../records/record-kind.ts';
import { defineAction } from './define-action.ts';

interface Input extends Record<string, unknown> {
  email: string;
  name?: string;
  company?: string;
  tags?: string[];
}

export const createContact = defineAction<Input>({
  key: 'create_contact',
  noun: 'Contact',
  label: 'Create Contact',
  description: 'Creates a contact.',
  inputFields: [
    textInput('email', 'Email', { required: true, helpText: 'Visits from this email address appear on the contact.' }),
    textInput('name', 'Full Name', { helpText: 'First and last name.' }),
    textInput('company', 'Company', { helpText: "The contact's employer." }),
    textInput('tags', 'Tags', { list: true, helpText: 'Labels to group contacts, one per line.' }),
    ...extraInputFields('contacts.create', { existingRecords: contact, knownNames: FORM_FIELD_NAMES.contact }),
  ],
  perform: async (client, { z, input }) => {
    const { email, name, company } = input;
    const identity = { kind: contact, text: email, input: { email: normalizeEmail(email) } };
    return createRecordDeduplicator(z, identity).createOnce(client, async () => {
      const bodies = FORM_BODIES.contact({ email, name, company, tags: splitLines(input.tags) });
      const created = await sendForm(bodies, collectExtraFields(input), (body) => client.contacts.create(body));
      return toWriteResult(contact, created, { email, name, company });
    });
  },
  output: contact,
  operation: { lock: { key: 'make-contact-{{bundle.inputData.email}}', scope: ['account'], timeout: 60 } },
});

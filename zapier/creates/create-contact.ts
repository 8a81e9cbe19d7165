import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import { collectExtraFields, sendForm, splitLines, textInput } from '../fields/form-fields.ts';
import { contact } from '../records/contact.ts';
import { createRecordDeduplicator } from '../records/create-once.ts';
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
    textInput('email', 'Email', {
      required: true,
      helpText: 'Visits with this address are shown with the contact.',
    }),
    textInput('name', 'Full Name', { helpText: 'First and last name.' }),
    textInput('company', 'Company', { helpText: 'Where the person works.' }),
    textInput('tags', 'Tags', { list: true, helpText: 'Words to group contacts by, one a line.' }),
    ...extraInputFields('contacts.create', {
      existingRecords: contact,
      knownNames: FORM_FIELD_NAMES.contact,
    }),
  ],
  perform: async (client, { z, input }) => {
    const deduplicator = createRecordDeduplicator(z, {
      kind: contact,
      text: input.email,
      input: { email: normalizeEmail(input.email) },
    });
    const recentContact = await deduplicator.findRecentlyCreated(client);
    if (recentContact) return recentContact;
    const { email, name, company } = input;
    const tags = splitLines(input.tags);
    const bodies = FORM_BODIES.contact({ email, name, company, tags });
    const created = await sendForm(bodies, collectExtraFields(input), (body) => client.contacts.create(body));
    const result = toWriteResult(contact, created, { email, name, company });
    await deduplicator.recordCreated(result);
    return result;
  },
  output: contact,
  operation: {
    // Of two at once for one email, the second sees what the first has made.
    lock: { key: 'make-contact-{{bundle.inputData.email}}', scope: ['account'], timeout: 60 },
  },
});

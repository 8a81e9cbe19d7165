import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { readMore, sendForm, splitLines, textInput } from '../forms/form.ts';
import { moreFields } from '../forms/more-fields.ts';
import { contact } from '../records/contact.ts';
import { plainEmail } from '../records/fold.ts';
import { createMadeOnce } from '../records/made-once.ts';
import { recordFrom } from '../records/record.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  email: string;
  name?: string;
  company?: string;
  tags?: string[];
}

export const createContact = action<Input>({
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
    ...moreFields('contacts.create', { existing: contact, known: FORM_FIELD_NAMES.contact }),
  ],
  run: async (client, { z, input }) => {
    const once = createMadeOnce(z, {
      kind: contact,
      text: input.email,
      of: { email: plainEmail(input.email) },
    });
    const known = await once.known(client);
    if (known) return known;
    const { email, name, company } = input;
    const tags = splitLines(input.tags);
    const bodies = FORM_BODIES.contact({ email, name, company, tags });
    const created = await sendForm(bodies, readMore(input), (body) => client.contacts.create(body));
    const shown = recordFrom(contact, created, { email, name, company });
    await once.made(shown);
    return shown;
  },
  shows: contact,
  operation: {
    // Of two at once for one email, the second sees what the first has made.
    lock: { key: 'make-contact-{{bundle.inputData.email}}', scope: ['account'], timeout: 60 },
  },
});

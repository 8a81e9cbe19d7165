import { FORM_NAMES } from '../../src/assumptions/index.ts';
import { additionalFields, readFlag, readMore, recordField } from '../forms/form.ts';
import { learnedFields } from '../forms/learned-fields.ts';
import { document } from '../records/document.ts';
import { idOfLink, link } from '../records/link.ts';
import { recordFrom } from '../records/record.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  document: string;
  email_required?: boolean;
}

export const createLink = action<Input>({
  key: 'create_link',
  noun: 'Link',
  label: 'Create Link',
  description: 'Creates a share link for a document.',
  inputFields: [
    recordField(document, { helpText: 'The document that the link opens.' }),
    {
      key: 'email_required',
      label: 'Ask for an Email',
      type: 'boolean',
      required: false,
      helpText: 'Visitors give their e-mail address before they see the document, so you know who looked.',
    },
    additionalFields,
    learnedFields(link, FORM_NAMES.link),
  ],
  run: async (client, { input }) => {
    const asked = readFlag(input.email_required, 'Ask for an Email');
    const body = {
      document_id: input.document,
      ...(asked === undefined ? {} : { email_required: asked }),
      ...readMore(input),
    };
    const created = await client.links.create(body);
    return recordFrom(link, created, { ...body, id: await idOfLink(client, created) });
  },
  shows: link,
});

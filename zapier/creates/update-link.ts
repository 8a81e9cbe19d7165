import { FORM_NAMES } from '../../src/assumptions/index.ts';
import { additionalFields, readFlag, readMore, recordField, requireChange } from '../forms/form.ts';
import { learnedFields } from '../forms/learned-fields.ts';
import { link } from '../records/link.ts';
import { recordFrom } from '../records/record.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  link: string;
  email_required?: boolean;
}

export const updateLink = action<Input>({
  key: 'update_link',
  noun: 'Link',
  label: 'Update Link',
  description: 'Updates the settings of a share link; its address stays.',
  inputFields: [
    recordField(link, { helpText: 'The link to change.' }),
    {
      key: 'email_required',
      label: 'Ask for an Email',
      type: 'boolean',
      required: false,
      helpText: 'Whether visitors give their e-mail address first. Leave empty to keep it as it is.',
    },
    additionalFields,
    learnedFields(link, FORM_NAMES.link),
  ],
  run: async (client, { input }) => {
    const { link: id } = input;
    const email_required = readFlag(input.email_required, 'Ask for an Email');
    const body = { ...(email_required === undefined ? {} : { email_required }), ...readMore(input) };
    requireChange(body);
    const updated = await client.links.update({ ...body, id });
    return recordFrom(link, updated, { ...body, id });
  },
  shows: link,
});

import { describeSettings } from '../fields/check-gates.ts';
import { extraInputFields } from '../fields/extra-input-fields.ts';
import { recordField, requireChange, textInput } from '../fields/form-fields.ts';
import { gateFields, LINK_FIELD_NAMES } from '../fields/gates.ts';
import { truncateMessage } from '../platform/error-messages.ts';
import { link } from '../records/link.ts';
import { prepareLinkForm, quoteGateLabels, toLinkResult, verifySettings } from './create-gated-link.ts';
import { defineAction } from './define-action.ts';

interface Input extends Record<string, unknown> {
  link: string;
  name?: string;
}

const KEEP_HELP = 'Leave empty to keep it as it is.';

export const updateLink = defineAction<Input>({
  key: 'update_link',
  noun: 'Link',
  label: 'Update Link',
  description: 'Updates the settings of a share link; its address stays.',
  inputFields: [
    recordField(link, { helpText: 'The link to change.' }),
    textInput('name', 'Link Name', { helpText: 'What your team knows the link by. Leave empty to keep it.' }),
    ...gateFields({
      emptyMeaning: KEEP_HELP,
      email: { helpText: `Whether visitors give their e-mail address first. ${KEEP_HELP}` },
    }),
    ...extraInputFields('links.update', { existingRecords: link, knownNames: LINK_FIELD_NAMES }),
  ],
  perform: async (client, { z, bundle, input }) => {
    const { link: id, name } = input;
    const form = await prepareLinkForm(client, input, { zone: bundle.meta?.timezone, id });
    const body = name ? { name, ...form.body } : form.body;
    requireChange(body);
    const updated = await client.links.update({ ...body, id });
    const unmet = await verifySettings(client, { id, settings: form.settings, response: updated });
    if (unmet.settings.length > 0)
      throw new z.errors.Error(truncateMessage(unmetMessage(unmet)), 'gate_not_set');
    return toLinkResult(unmet.link, { ...body, id });
  },
  output: link,
});

function unmetMessage({
  settings,
  link: currentLink,
  isRecordRead,
}: Awaited<ReturnType<typeof verifySettings>>): string {
  const gateNames = quoteGateLabels(settings);
  if (!isRecordRead)
    return `The link was changed, but nothing shows whether ${gateNames} took. Look at the link in Docshare, or give the API key the scope links:read.`;
  const currentValues = describeSettings(settings, currentLink).slice(0, 90);
  return `The link was changed, but Docshare does not show that ${gateNames} took. It shows ${currentValues}. Set it in Docshare, or under its own name in Additional Fields.`;
}

import { describeSettings } from '../fields/check-gates.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import { createFormField, createRecordField, requireChange } from '../fields/form-fields.ts';
import { createGateFields, LINK_FIELD_NAMES } from '../fields/gates.ts';
import { truncateMessage } from '../platform/error-messages.ts';
import { link } from '../records/kinds.ts';
import { findIfReadable } from '../records/search-records.ts';
import {
  prepareLinkForm,
  quoteGateLabels,
  type VerifiedLink,
  verifySettings,
  withoutPassword,
} from './create-gated-link.ts';
import { defineAction, type FormInput } from './define-action.ts';
import { requireApplied, toUpdateResult } from './update-result.ts';

const KEEP_HELP = 'Leave empty to keep the current setting.';

export const updateLink = defineAction<FormInput<'link', 'name'>>({
  key: 'update_link',
  noun: 'Link',
  label: 'Update Link',
  description: 'Updates the settings of a share link. Its URL stays the same.',
  inputFields: [
    createRecordField(link, { helpText: 'The link to update.' }),
    createFormField('name', 'Link Name', { helpText: 'Internal name. Leave empty to keep the current name.' }),
    ...createGateFields({ emptyMeaning: KEEP_HELP }),
    ...createExtraInputFields('links.update', { existingRecords: link, knownNames: LINK_FIELD_NAMES }),
  ],
  perform: async (step) => {
    const { client, z, input } = step;
    const { link: id, name } = input;
    const form = await prepareLinkForm(step, input, id);
    const body = name ? { name, ...form.body } : form.body;
    requireChange(body);
    const updated = await client.links.update({ ...body, id });
    // A replay repeats the update, which changes nothing more, and continues the search.
    const read = (linkId: string) => findIfReadable(link, step, linkId);
    const unmet = await verifySettings(read, { id, settings: form.settings, response: updated });
    if (unmet.settings.length > 0)
      throw new z.errors.Error(truncateMessage(describeUnmetSettings(unmet)), 'gate_not_set');
    const response = withoutPassword(unmet.link);
    requireApplied(z, { kind: link, form: { name }, response, extraFields: form.body });
    return toUpdateResult(link, client, { response, sent: { ...withoutPassword(body), id } });
  },
  output: link,
});

function describeUnmetSettings({ settings, link: currentLink, isRecordRead }: VerifiedLink): string {
  const gateNames = quoteGateLabels(settings);
  if (!isRecordRead)
    return `The link was updated, but this step could not check ${gateNames}. Check the link in Docshare, or grant the API key the permission links:read.`;
  const currentValues = describeSettings(settings, currentLink).slice(0, 90);
  return `The link was updated, but Docshare did not apply ${gateNames}. It shows ${currentValues}. Change it in Docshare, or use its API name in Additional Fields.`;
}

import { recordField, requireChange, textInput } from '../forms/form.ts';
import { describeGates } from '../forms/gate-check.ts';
import { gateFields, LINK_NAMES } from '../forms/gates.ts';
import { moreFields } from '../forms/more-fields.ts';
import { clip } from '../platform/error-words.ts';
import { link } from '../records/link.ts';
import { action } from './action.ts';
import { nameGates, readLinkForm, shownLink, stillUnmet } from './gated-link.ts';

interface Input extends Record<string, unknown> {
  link: string;
  name?: string;
}

const KEPT = 'Leave empty to keep it as it is.';

export const updateLink = action<Input>({
  key: 'update_link',
  noun: 'Link',
  label: 'Update Link',
  description: 'Updates the settings of a share link; its address stays.',
  inputFields: [
    recordField(link, { helpText: 'The link to change.' }),
    textInput('name', 'Link Name', { helpText: 'What your team knows the link by. Leave empty to keep it.' }),
    ...gateFields({
      empty: KEPT,
      email: { helpText: `Whether visitors give their e-mail address first. ${KEPT}` },
    }),
    ...moreFields('links.update', { existing: link, known: LINK_NAMES }),
  ],
  run: async (client, { z, bundle, input }) => {
    const { link: id, name } = input;
    const form = await readLinkForm(client, input, { zone: bundle.meta?.timezone, id });
    const body = name ? { name, ...form.body } : form.body;
    requireChange(body);
    const updated = await client.links.update({ ...body, id });
    const missing = await stillUnmet(client, { id, wishes: form.wishes, answer: updated });
    if (missing.wishes.length > 0) throw new z.errors.Error(clip(untrue(missing)), 'gate_not_set');
    return shownLink(missing.link, { ...body, id });
  },
  shows: link,
});

function untrue({ wishes, link: seen, isRead }: Awaited<ReturnType<typeof stillUnmet>>): string {
  const names = nameGates(wishes);
  if (!isRead)
    return `The link was changed, but nothing shows whether ${names} took. Look at the link in Docshare, or give the API key the scope links:read.`;
  const now = describeGates(wishes, seen).slice(0, 90);
  return `The link was changed, but Docshare does not show that ${names} took. It shows ${now}. Set it in Docshare, or under its own name in Additional Fields.`;
}

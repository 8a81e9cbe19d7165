import { recordField, textInput } from '../forms/form.ts';
import { gateFields, LINK_NAMES } from '../forms/gates.ts';
import { moreFields } from '../forms/more-fields.ts';
import { InputError } from '../platform/core.ts';
import { document } from '../records/document.ts';
import { link } from '../records/link.ts';
import { createMadeOnce } from '../records/made-once.ts';
import { room } from '../records/room.ts';
import { action } from './action.ts';
import { makeLink, readLinkForm } from './gated-link.ts';

interface Input extends Record<string, unknown> {
  document?: string;
  room?: string;
  name?: string;
}

export const createLink = action<Input>({
  key: 'create_link',
  noun: 'Link',
  label: 'Create Link',
  description: 'Creates a share link for a document or a room.',
  inputFields: [
    recordField(document, {
      required: false,
      helpText: 'The document that the link opens. Give a document or a room.',
    }),
    recordField(room, {
      required: false,
      helpText: 'The room that the link opens, where it is not a document.',
    }),
    textInput('name', 'Link Name', {
      helpText: 'What your team knows the link by, and what Find Link looks for; visitors see the document.',
    }),
    ...gateFields({ empty: 'Leave empty to let Docshare decide.' }),
    ...moreFields('links.create', { existing: link, known: LINK_NAMES }),
  ],
  run: async (client, { z, bundle, input }) => {
    const { document: documentId, room: roomId, name } = input;
    if (!documentId === !roomId)
      throw new InputError('Pick the document or the room that the link opens: one of the two, not both.');
    const target = documentId ? { document: documentId } : { room: roomId ?? '' };
    const form = await readLinkForm(client, input, { zone: bundle.meta?.timezone });
    const named = name ? { ...form, body: { name, ...form.body } } : form;
    if (!name) return makeLink(client, z, { target, form: named });
    // Another link of this name may open something else, or to more people: only the very same is given again.
    const once = createMadeOnce(z, { kind: link, text: name, of: input });
    const known = await once.known(client);
    if (known) return known;
    const made = await makeLink(client, z, { target, form: named });
    await once.made(made);
    return made;
  },
  shows: link,
  operation: {
    // Of two at once for one name and target, the second sees what the first has made.
    lock: {
      key: 'make-link-{{bundle.inputData.name}}-{{bundle.inputData.document}}-{{bundle.inputData.room}}',
      scope: ['account'],
      timeout: 60,
    },
  },
});

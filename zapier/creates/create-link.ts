import { extraInputFields } from '../fields/extra-input-fields.ts';
import { recordField, textInput } from '../fields/form-fields.ts';
import { gateFields, LINK_FIELD_NAMES } from '../fields/gates.ts';
import { InputError } from '../platform/client-core.ts';
import { createRecordDeduplicator } from '../records/create-once.ts';
import { document } from '../records/document.ts';
import { link } from '../records/link.ts';
import { room } from '../records/room.ts';
import { createGatedLink, prepareLinkForm } from './create-gated-link.ts';
import { defineAction } from './define-action.ts';

interface Input extends Record<string, unknown> {
  document?: string;
  room?: string;
  name?: string;
}

export const createLink = defineAction<Input>({
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
    ...gateFields({ emptyMeaning: 'Leave empty to let Docshare decide.' }),
    ...extraInputFields('links.create', { existingRecords: link, knownNames: LINK_FIELD_NAMES }),
  ],
  perform: async (client, { z, bundle, input }) => {
    const { document: documentId, room: roomId, name } = input;
    if (!documentId === !roomId)
      throw new InputError('Pick the document or the room that the link opens: one of the two, not both.');
    const target = documentId ? { document: documentId } : { room: roomId ?? '' };
    const form = await prepareLinkForm(client, input, { zone: bundle.meta?.timezone });
    const namedForm = name ? { ...form, body: { name, ...form.body } } : form;
    if (!name) return createGatedLink(client, z, { target, form: namedForm });
    // Another link of this name may open something else, or to more people: only the very same is given again.
    const deduplicator = createRecordDeduplicator(z, { kind: link, text: name, input: input });
    const recentLink = await deduplicator.findRecentlyCreated(client);
    if (recentLink) return recentLink;
    const created = await createGatedLink(client, z, { target, form: namedForm });
    await deduplicator.recordCreated(created);
    return created;
  },
  output: link,
  operation: {
    // Of two at once for one name and target, the second sees what the first has made.
    lock: {
      key: 'make-link-{{bundle.inputData.name}}-{{bundle.inputData.document}}-{{bundle.inputData.room}}',
      scope: ['account'],
      timeout: 60,
    },
  },
});

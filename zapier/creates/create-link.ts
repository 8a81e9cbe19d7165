import { ROOM_FIELD } from '../../src/assumptions/index.ts';
import { findUnmetSettings } from '../fields/check-gates.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import { createFormField, createRecordField } from '../fields/form-fields.ts';
import { createGateFields, LINK_FIELD_NAMES } from '../fields/gates.ts';
import { EMPTY_FIELD_HELP } from '../fields/learned-key.ts';
import { InputError } from '../platform/client-core.ts';
import { document, link, room } from '../records/kinds.ts';
import { createRecordDeduplicator } from '../records/record-deduplicator.ts';
import { createGatedLink, prepareLinkForm } from './create-gated-link.ts';
import { defineAction, type FormInput } from './define-action.ts';

export const createLink = defineAction<FormInput<never, 'document' | 'room' | 'name'>>({
  key: 'create_link',
  noun: 'Link',
  label: 'Create Link',
  description: 'Creates a share link for a document or a room. Returns the Link URL. Nobody is notified.',
  inputFields: [
    createRecordField(document, {
      required: false,
      helpText: 'The document that the link opens. Choose a document or a room.',
    }),
    createRecordField(room, {
      required: false,
      helpText: 'The room that the link opens. Leave empty if you chose a document.',
    }),
    createFormField('name', 'Link Name', { helpText: "Internal name, used by Find Link. Visitors don't see it." }),
    ...createGateFields({ emptyMeaning: EMPTY_FIELD_HELP }),
    ...createExtraInputFields('links.create', { existingRecords: link, knownNames: LINK_FIELD_NAMES }),
  ],
  perform: async (step) => {
    const { input } = step;
    const { document: documentId, room: roomId, name } = input;
    if (!documentId && !roomId) throw new InputError('Choose a document or a room in this step.');
    if (documentId && roomId) throw new InputError('Choose either a document or a room in this step, not both.');
    const form = await prepareLinkForm(step, input);
    // Additional Fields override the document or room of the form.
    const { document_id = documentId, [ROOM_FIELD]: room_id = roomId } = form.body;
    const target = documentId ? { document: String(document_id) } : { room: String(room_id) };
    if (!name) return createGatedLink(step, { target, form });
    const namedForm = { ...form, body: { name, ...form.body } };
    // Compares the whole input: another link of this name may have other gates.
    return createRecordDeduplicator(step, { kind: link, text: name }).createOnce(
      input,
      () => createGatedLink(step, { target, form: namedForm }),
      (item) => findUnmetSettings(form.settings, item).length === 0,
    );
  },
  output: link,
  lock: { key: 'make-link-{{bundle.inputData.name}}-{{bundle.inputData.document}}-{{bundle.inputData.room}}' },
});

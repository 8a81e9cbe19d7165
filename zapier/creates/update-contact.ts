import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import {
  addedTagsField,
  collectExtraFields,
  createFormField,
  createRecordField,
  overrideFields,
  parseTags,
  requireChange,
  tryFormBodies,
} from '../fields/form-fields.ts';
import { requireEmail } from '../fields/parse-email.ts';
import type { JsonObject } from '../platform/client-core.ts';
import { contact } from '../records/kinds.ts';
import { toFlatRecord } from '../records/record-kind.ts';
import { addTags } from './add-contact-tags.ts';
import { defineAction, type FormInput } from './define-action.ts';
import { mergeTags, requireApplied, toUpdateResult } from './update-result.ts';

export const updateContact = defineAction<FormInput<'contact', 'email' | 'name' | 'company', 'tags'>>({
  key: 'update_contact',
  noun: 'Contact',
  label: 'Update Contact',
  description: 'Updates the email, name or company of a contact, and adds tags.',
  inputFields: [
    createRecordField(contact, { helpText: 'The contact to update.' }),
    createFormField('email', 'New Email', { helpText: 'Leave empty to keep the current email.' }),
    createFormField('name', 'Full Name', { helpText: 'Leave empty to keep the current name.' }),
    createFormField('company', 'Company', { helpText: 'Leave empty to keep the current company.' }),
    // Find and Update or Create passes on the fields of Create Contact.
    addedTagsField,
    ...createExtraInputFields('contacts.update', { existingRecords: contact }),
  ],
  perform: async ({ client, z, input }) => {
    const { contact: id, name, company } = input;
    const email = input.email === undefined ? undefined : requireEmail(input.email, 'New Email').email;
    const form = { email, name, company };
    const extraFields = collectExtraFields(input);
    const tags = parseTags(input.tags);
    requireChange({ ...form, ...extraFields, tag: tags[0] });
    const isChanged = Object.values({ ...form, ...extraFields }).some((value) => value !== undefined);
    const updated = isChanged
      ? await tryFormBodies(FORM_BODIES.contact(form), extraFields, (body) => client.contacts.update({ ...body, id }))
      : {};
    const completed = isChanged ? 'The contact was updated' : undefined;
    const tagged = await addTags({ client, z }, { id, tags, completed });
    requireApplied(z, { kind: contact, form, response: updated, extraFields });
    const sent = { ...overrideFields(form, extraFields), id };
    // The first response shows the tags before the others were added.
    const { tags: previousTags }: JsonObject = toFlatRecord(contact, updated);
    const { tags: taggedTags } = toFlatRecord(contact, tagged);
    const allTags = Array.isArray(previousTags) && { tags: mergeTags(previousTags, taggedTags, tags) };
    const raw = { ...updated, ...tagged };
    const response = { ...updated, ...allTags, ...tagged };
    return { ...(await toUpdateResult(contact, client, { response, sent, tags })), raw };
  },
  output: contact,
});

import type { ZObject } from 'zapier-platform-core';
import { FORM_BODIES, FORM_FIELD_NAMES } from '../../src/assumptions/index.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import {
  addedTagsField,
  collectExtraFields,
  createFormField,
  createRecordField,
  parseTags,
  requireChange,
  tryFormBodies,
} from '../fields/form-fields.ts';
import { requireEmail } from '../fields/parse-email.ts';
import type { JsonObject } from '../platform/client-core.ts';
import { truncateMessage } from '../platform/error-messages.ts';
import { contact } from '../records/kinds.ts';
import { normalizeText } from '../records/normalize-text.ts';
import { toFlatRecord, toWriteResult } from '../records/record-kind.ts';
import { addTags } from './add-contact-tags.ts';
import { defineAction, type FormInput } from './define-action.ts';

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
    ...createExtraInputFields('contacts.update', { existingRecords: contact, knownNames: FORM_FIELD_NAMES.contact }),
  ],
  perform: async (client, { z, input }) => {
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
    if (Object.keys(extraFields).length === 0) requireApplied(z, form, updated);
    return toWriteResult(contact, { ...updated, ...tagged }, { ...form, id });
  },
  output: contact,
});

/** @throws HaltedError if the response shows another value: a service may ignore a field that it names differently. */
export function requireApplied(z: ZObject, form: JsonObject, response: JsonObject): void {
  const shown = Object.entries(toFlatRecord(contact, response)).filter(([key, value]) => value && form[key]);
  const lost = shown
    // A response without a name may show the email in its place.
    .filter(([key, value]) => key === 'email' || !String(value).includes('@'))
    .find(([key, value]) => normalizeText(value) !== normalizeText(form[key]));
  if (lost)
    throw new z.errors.HaltedError(
      truncateMessage(
        `Docshare did not apply the ${lost[0]} of the contact: it shows "${String(lost[1]).slice(0, 60)}". Set it in Additional Fields, under the name that your existing contacts use.`,
      ),
    );
}

import { ATTRIBUTES_FIELD, FORM_BODIES, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { createExtraInputFields } from '../fields/extra-input-fields.ts';
import {
  addedTagsField,
  collectExtraFields,
  createFormField,
  overrideFields,
  parseTags,
  tryFormBodies,
} from '../fields/form-fields.ts';
import { requireEmail } from '../fields/parse-email.ts';
import {
  ConflictError,
  getValueAtPath,
  InputError,
  idOf,
  includesName,
  type JsonObject,
} from '../platform/client-core.ts';
import type { ClientStep } from '../platform/with-client.ts';
import { contact } from '../records/kinds.ts';
import { normalizeEmail } from '../records/normalize-text.ts';
import { createRecordDeduplicator } from '../records/record-deduplicator.ts';
import { getOutputFields, toFlatRecord, toWriteResult } from '../records/record-kind.ts';
import { searchRecords } from '../records/search-records.ts';
import { addTags, requireTags } from './add-contact-tags.ts';
import { defineAction, type FormInput } from './define-action.ts';
import { mergeTags, requireApplied } from './update-result.ts';

export const upsertContact = defineAction<FormInput<'email', 'name' | 'company', 'tags'>>({
  key: 'create_or_update_contact',
  noun: 'Contact',
  label: 'Create or Update Contact',
  description: 'Creates a contact, or updates the one with the same email.',
  inputFields: [
    createFormField('email', 'Email', {
      required: true,
      helpText: 'The contact with this email is updated. Upper and lower case do not matter.',
    }),
    createFormField('name', 'Full Name', { helpText: 'Leave empty to keep the current name.' }),
    createFormField('company', 'Company', { helpText: 'Leave empty to keep the current company.' }),
    addedTagsField,
    ...createExtraInputFields('contacts.create', { existingRecords: contact }),
  ],
  perform: async (step) => {
    const { client, z, input } = step;
    const recipient = requireEmail(input.email, 'Email');
    const { email } = recipient;
    const { name, company } = input;
    const tags = parseTags(input.tags);
    const extraFields = collectExtraFields(input);
    const deduplicator = createRecordDeduplicator(step, { kind: contact, text: email });
    let existing = await findByEmail(step, email);
    if (existing.length > 1)
      throw new z.errors.HaltedError(
        `${existing.length} contacts have the email ${email.slice(0, 60)}, so none was updated. Merge them in Docshare, then replay this run.`,
      );
    let known = existing[0];
    if (existing.length === 0) {
      await deduplicator.recordMiss();
      try {
        const { recent, created, response } = await deduplicator.takeTurn(async () => {
          // Another run may have just created the contact, and the list may lag behind.
          const recent = await deduplicator.findRecentlyCreated();
          if (recent) return { recent };
          const form = { email, name: name ?? recipient.name, company };
          const bodies = FORM_BODIES.contact({ ...form, tags });
          const response = await tryFormBodies(bodies, extraFields, (body) => client.contacts.create(body));
          const created = toWriteResult(contact, response, overrideFields(form, extraFields));
          await deduplicator.recordCreated(created, { ...bodies[0], ...extraFields });
          return { created, response };
        });
        if (created) {
          requireApplied(z, { kind: contact, form: { name, company }, response, extraFields });
          if (extraFields['tags'] === undefined)
            requireTags(z, { response, tags, completed: 'The contact was created' });
          return { ...created, is_new: true };
        }
        known = recent;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        // The contact was created in the meantime.
        existing = await findByEmail(step, email);
        if (existing.length !== 1) throw error;
        known = existing[0];
      }
    }
    const id = idOf(known, contact.resource);
    if (id === undefined)
      throw new InputError(
        'Docshare shows no ID for the contact with this email, so it cannot be updated. Update it in Docshare.',
      );
    const bodies = FORM_BODIES.contact({ name, company });
    const isChanged = name || company || Object.keys(extraFields).length > 0;
    const updated = isChanged
      ? await tryFormBodies(bodies, extraFields, (body) => client.contacts.update({ ...body, id }))
      : {};
    const completed = `The contact ${email.slice(0, 60)} was ${isChanged ? 'updated' : 'found'}`;
    const tagged = await addTags(step, { id, tags, completed });
    requireApplied(z, { kind: contact, form: { name, company }, response: updated, extraFields });
    // Completes the responses by the sent fields, and by what these do not change in the previous record.
    const [previousTags, taggedTags] = [existing[0] ?? {}, tagged].map((item) => toFlatRecord(contact, item)['tags']);
    const allTags = tags.length > 0 && { tags: mergeTags(previousTags, taggedTags, tags) };
    const { fullName, firstName, lastName, updatedAt } = RECORD_FIELDS;
    const outdated = [
      [ATTRIBUTES_FIELD],
      ...(name ? [fullName, firstName, lastName] : []),
      ...(isChanged || allTags ? [updatedAt] : []),
    ];
    const unchanged = Object.entries(existing[0] ?? {}).filter(([field]) => !includesName(outdated.flat(), field));
    const sent = Object.entries({ name, company, ...extraFields, id }).filter(([, value]) => value !== undefined);
    const previousAndSent = Object.fromEntries([...unchanged, ...sent]);
    const raw = { ...existing[0], ...updated, ...tagged };
    return { ...toWriteResult(contact, { ...updated, ...allTags, ...tagged }, previousAndSent), raw, is_new: false };
  },
  output: {
    outputFields: [...getOutputFields(contact), { key: 'is_new', label: 'Is New', type: 'boolean' }],
    sample: { ...contact.sample, is_new: false },
  },
  lock: { key: 'make-contact-{{bundle.inputData.email}}' },
});

function findByEmail(step: ClientStep, email: string): Promise<readonly JsonObject[]> {
  const normalizedEmail = normalizeEmail(email);
  const isMatch = (item: JsonObject) =>
    RECORD_FIELDS.email.some((name) => normalizeEmail(getValueAtPath(item, name)) === normalizedEmail);
  return searchRecords(contact, step, { text: email, isMatch });
}

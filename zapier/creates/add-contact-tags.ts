import type { ZObject } from 'zapier-platform-core';
import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { addedTagsField, createRecordField, parseTags, tryFormBodies } from '../fields/form-fields.ts';
import { InputError, type JsonObject } from '../platform/client-core.ts';
import type { ClientStep } from '../platform/with-client.ts';
import { isRejection, toPartialFailureError } from '../platform/zapier-errors.ts';
import { contact } from '../records/kinds.ts';
import { normalizeText } from '../records/normalize-text.ts';
import { getRecordId, toFlatRecord } from '../records/record-kind.ts';
import { defineAction, type FormInput } from './define-action.ts';
import { toUpdateResult } from './update-result.ts';

export const addContactTags = defineAction<FormInput<'contact', never, 'tags'>>({
  key: 'add_contact_tags',
  noun: 'Contact',
  label: 'Add Tags to Contact',
  description: 'Adds tags to a contact. Existing tags are kept.',
  inputFields: [createRecordField(contact, { helpText: 'The contact to tag.' }), { ...addedTagsField, required: true }],
  perform: async ({ client, z, input }) => {
    const { contact: id } = input;
    const tags = parseTags(input.tags);
    if (tags.length === 0) throw new InputError('There is no tag. Enter at least one in the field "Tags".');
    const response = await addTags({ client, z }, { id, tags });
    return toUpdateResult(contact, client, { response, sent: { id }, tags });
  },
  output: contact,
});

/** Adds tags to a contact; `completed` is what the step did before, if anything, for an error. */
export async function addTags(
  { client, z }: ClientStep,
  { id, tags, completed }: { id: string; tags: readonly string[]; completed?: string | undefined },
): Promise<JsonObject> {
  if (tags.length === 0) return {};
  const send = (body: JsonObject) => client.contacts.addTags({ ...body, id });
  const tagged = await tryFormBodies(FORM_BODIES.contactTags(tags), {}, send).catch((error: unknown) => {
    if (completed === undefined) throw error;
    const isRejected = isRejection(error);
    throw toPartialFailureError(z, error, {
      completed: `${completed}, but its tags ${isRejected ? 'were not added' : 'may be missing'}.`,
      isResumable: true,
      advice: `${isRejected ? 'Fix this, then replay' : 'Replay'} this run: it adds the tags and creates no second contact.`,
    });
  });
  requireTags(z, { response: tagged, tags, completed: completed ?? 'The tags were sent' });
  // A response that is about the tag has the tag's ID and name.
  return getRecordId(contact, { id, ...tagged }) === id ? tagged : {};
}

/** @throws HaltedError if a response shows the contact without one of `tags`; `completed` is what the step did. */
export function requireTags(
  z: ZObject,
  { response, tags, completed }: { response: JsonObject; tags: readonly string[]; completed: string },
): void {
  const { tags: shown }: JsonObject = toFlatRecord(contact, response);
  const missing = Array.isArray(shown) && tags.find((tag) => !shown.some((other) => toKey(other) === toKey(tag)));
  // Entries with digits may be IDs.
  if (!missing || shown.some((other) => /\d/.test(String(other)))) return;
  throw new z.errors.HaltedError(
    `${completed}, but Docshare does not show the tag "${missing.slice(0, 60)}" on the contact. Add it in Docshare.`,
  );
}

/** A service may change the case and the punctuation of a tag. */
function toKey(tag: unknown): string {
  return normalizeText(tag).replace(/[^\p{L}\p{N}]/gu, '');
}

import type { ZObject } from 'zapier-platform-core';
import { FORM_BODIES, FORM_FIELD_NAMES, RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { readMore, readPeople, sendForm, splitLines, textInput } from '../forms/form.ts';
import { moreFields } from '../forms/more-fields.ts';
import {
  type Client,
  ConflictError,
  getValueAtPath,
  IncompleteListError,
  InputError,
  idOf,
  type JsonObject,
} from '../platform/core.ts';
import { explainAfter } from '../platform/errors.ts';
import { contact } from '../records/contact.ts';
import { plainEmail } from '../records/fold.ts';
import { lookUp } from '../records/look-up.ts';
import { createMadeOnce } from '../records/made-once.ts';
import { outputFieldsFor, recordFrom } from '../records/record.ts';
import { action } from './action.ts';

interface Input extends Record<string, unknown> {
  email: string;
  name?: string;
  company?: string;
  tags?: string[];
}

export const upsertContact = action<Input>({
  key: 'create_or_update_contact',
  noun: 'Contact',
  label: 'Create or Update Contact',
  description: 'Updates the contact with an e-mail address, or creates it where there is none.',
  inputFields: [
    textInput('email', 'Email', {
      required: true,
      helpText: 'The contact with exactly this address is updated; capital letters make no difference.',
    }),
    textInput('name', 'Full Name', { helpText: 'Leave empty to keep the name that the contact has.' }),
    textInput('company', 'Company', { helpText: 'Leave empty to keep the company that the contact has.' }),
    textInput('tags', 'Tags', {
      list: true,
      helpText: 'Words to group contacts by, one a line; tags that the contact has stay.',
    }),
    ...moreFields('contacts.create', { existing: contact, known: FORM_FIELD_NAMES.contact }),
  ],
  run: async (client, { z, input }) => {
    const [person, another] = readPeople(input.email);
    if (person === undefined || another !== undefined)
      throw new InputError('Give one e-mail address in the field "Email" of this step.');
    const { email } = person;
    const name = input.name || person.name;
    const form = { email, name, company: input.company || undefined };
    const tags = [...new Set(splitLines(input.tags).map((tag) => tag.trim()))].filter((tag) => tag !== '');
    const more = readMore(input);
    const once = createMadeOnce(z, { kind: contact, text: email, of: { email: plainEmail(email) } });
    let known = await findByEmail({ client, z }, email);
    if (known.length > 1)
      throw new z.errors.HaltedError(
        `${known.length} contacts have the address ${email.slice(0, 60)}, so nothing tells which one is meant, and none was changed. Merge them in Docshare, then replay this run.`,
      );
    // Nobody is found where another run has made the contact a moment ago and the list lags behind.
    if (known.length === 0) await once.missed();
    let id = idOf(known[0] ?? (await once.known(client)), contact.resource);
    if (id === undefined && known.length === 0) {
      try {
        const created = await sendForm(FORM_BODIES.contact({ ...form, tags }), more, (body) =>
          client.contacts.create(body),
        );
        const shown = { ...recordFrom(contact, created, form), is_new: true };
        await once.made(shown);
        return shown;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        // Somebody else has made the contact since: it is there now, and is updated.
        known = await findByEmail({ client, z }, email);
        if (known.length !== 1) throw error;
        id = idOf(known[0], contact.resource);
      }
    }
    if (id === undefined)
      throw new InputError(
        'Docshare shows no id for the contact with this address, so it can not be changed.',
      );
    const bodies = FORM_BODIES.contact({ name: form.name, company: form.company });
    const isChanged = form.name || form.company || Object.keys(more).length > 0;
    const updated = isChanged
      ? await sendForm(bodies, more, (body) => client.contacts.update({ ...body, id }))
      : {};
    const tagged = await addTags(client, { id, tags }).catch((error: unknown) => {
      throw explainAfter(z, error, {
        done: `Contact ${id.slice(0, 40)} is updated, but not its tags.`,
        kept: true,
      });
    });
    // What the answers leave out is as the form sent it, or as it was.
    const now = recordFrom(contact, { ...updated, ...tagged }, { name, company: form.company, id });
    const before = recordFrom(contact, known[0] ?? {}, {});
    const shown = Object.entries(before).map(([key, value]) => [key, now[key] ?? value]);
    const raw = { ...known[0], ...updated, ...tagged };
    return { ...Object.fromEntries(shown), raw, is_new: false };
  },
  shows: {
    outputFields: [...outputFieldsFor(contact), { key: 'is_new', label: 'Is New', type: 'boolean' }],
    sample: { ...contact.sample, is_new: false },
  },
  operation: {
    // Of two at once for one address, the second sees what the first has made.
    lock: { key: 'make-contact-{{bundle.inputData.email}}', scope: ['account'], timeout: 60 },
  },
});

/** @throws IncompleteListError where the contact may exist unread: making another would be a double. */
async function findByEmail(step: { client: Client; z: ZObject }, email: string): Promise<JsonObject[]> {
  const wanted = plainEmail(email);
  const isHit = (item: JsonObject) =>
    RECORD_FIELDS.email.some((name) => plainEmail(getValueAtPath(item, name)) === wanted);
  const { items, complete } = await lookUp(contact, step, { text: email, isHit });
  const hits = items.filter(isHit);
  // One contact stands on two pages where a newer one came in between.
  const ids = hits.map((item) => idOf(item, contact.resource));
  const found = hits.filter((_, at) => ids[at] === undefined || ids.indexOf(ids[at]) === at);
  if (found.length === 0 && !complete)
    throw new IncompleteListError({
      operation: 'contacts.list',
      reason: 'the service did not give all of it within one step',
      itemsRead: items.length,
    });
  return found;
}

async function addTags(
  client: Client,
  { id, tags }: { id: string; tags: readonly string[] },
): Promise<JsonObject> {
  if (tags.length === 0) return {};
  return sendForm(FORM_BODIES.contactTags(tags), {}, (body) => client.contacts.addTags({ ...body, id }));
}

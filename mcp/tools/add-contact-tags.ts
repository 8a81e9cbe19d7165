import { z } from 'zod';
import { FORM_BODIES } from '../../src/assumptions/index.ts';
import { UnknownOutcomeError } from '../../src/errors.ts';
import { getField } from '../../src/records/fields.ts';
import { tryProfileBodyFirst } from '../../src/request/try-request-bodies.ts';
import { getFailureCode } from '../result/describe-failure.ts';
import { toFullItem } from '../result/projection.ts';
import { normalizeForSearch } from '../result/search-rank.ts';
import { mergeFields, object, text, textList } from '../tool/arguments.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { getTrustedNoteFields, ItemOutput } from './define-tools.ts';
import { findInList, rememberFormerName } from './object-lookup.ts';
import { findRiskyContactFields } from './risky-fields.ts';

const MAX_CONTACTS = 50;

export const addContactTags = defineTool({
  name: 'add_contact_tags',
  title: 'Add contact tags',
  description: 'Adds tags to one or more CRM contacts, or removes tags. Other tags are kept.',
  operations: ['contacts.addTags', 'contacts.update'],
  idSource: 'list_contacts',
  annotations: { destructiveHint: false },
  inputSchema: z.strictObject({
    id: text('Contact ID, from list_contacts.').optional(),
    ids: textList(`Several contact IDs, at most ${MAX_CONTACTS}.`).optional(),
    tags: textList('Tags to add.').optional(),
    remove: textList('Tags to remove.').optional(),
    fields: object('Other fields.').optional(),
  }),
  outputSchema: ItemOutput,
  check({ fields = {} }) {
    // Only update_contact asks.
    const [name] = findRiskyContactFields(fields);
    if (name !== undefined)
      throw new ToolError('invalid_arguments', `fields.${name}: may decide who gets what. Call update_contact for it.`);
  },
  async handler(context, { id, ids = [], tags = [], remove = [], fields }) {
    const { client, options } = context;
    const all = [...new Set([...(id === undefined ? [] : [id]), ...ids])];
    if (all.length === 0 || all.length > MAX_CONTACTS)
      throw new ToolError('invalid_arguments', `Give id, or ids with 1 to ${MAX_CONTACTS} contacts.`);
    const bodies = tags.length === 0 ? [{}] : FORM_BODIES.contactTags(tags);
    const addTags = async (contactId: string) => {
      await rememberFormerName(context, 'contacts', { id: contactId, fields: fields ?? {} });
      if (remove.length > 0)
        return client.contacts.update(
          {
            ...mergeFields({ tags: await readOtherTags(context, contactId, { tags, remove }), fields }),
            id: contactId,
          },
          options,
        );
      return tryProfileBodyFirst(client.activeProfile, { operation: 'contacts.addTags', bodies }, (body) =>
        client.contacts.addTags({ ...mergeFields({ ...body, fields }), id: contactId }, options),
      );
    };
    const [first] = all;
    if (all.length === 1 && first !== undefined) {
      const item = await addTags(first);
      return { data: { done: true, id: first, ...toFullItem(item, 'contact') }, ...getTrustedNoteFields(item) };
    }
    const tagged: string[] = [];
    const failed: Record<string, string> = {};
    for (const contactId of all) {
      if (context.shutdownStarted?.aborted) {
        failed[contactId] = 'cancelled';
        continue;
      }
      await addTags(contactId).then(
        () => tagged.push(contactId),
        (error: unknown) => {
          if (options.signal?.aborted || error instanceof UnknownOutcomeError) throw error;
          failed[contactId] = getFailureCode(error);
        },
      );
      context.progress.step(tagged.length, all.length, `tagged ${tagged.length} of ${all.length} contacts`);
    }
    const hasFailures = Object.keys(failed).length > 0;
    return {
      data: { done: !hasFailures, tagged, ...(hasFailures ? { failed } : {}) },
      trustedFields: ['failed', ...Object.keys(failed).map((contactId) => `failed.${contactId}`)],
    };
  },
});

/** All tags of a contact after a change, because the API can only replace them. @throws ToolError if they can't be read */
async function readOtherTags(
  context: ToolContext,
  id: string,
  { tags, remove }: { tags: readonly string[]; remove: readonly string[] },
): Promise<string[]> {
  const lookup = await findInList(context, { group: 'contacts', id });
  const current = lookup.kind === 'found' ? getField(lookup.item, 'tags') : undefined;
  if (!Array.isArray(current) || current.some((tag) => typeof tag !== 'string'))
    throw new ToolError('not_found', `The tags of contact ${id} could not be read. Nothing was changed.`);
  const removed = remove.map(normalizeForSearch);
  return [...new Set([...current, ...tags])].filter((tag) => !removed.includes(normalizeForSearch(tag)));
}

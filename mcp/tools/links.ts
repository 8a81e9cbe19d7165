import { z } from 'zod';
import type { JsonObject } from '../../src/records/fields.ts';
import { isObject } from '../../src/records/fields.ts';
import { toFullItem } from '../result/projection.ts';
import { quoteText } from '../result/quote.ts';
import { flag, object, text, withFields } from '../tool/arguments.ts';
import { toRequestBody } from '../tool/canonical-call.ts';
import { type CanonicalCall, defineTool, type PendingAction, type ToolContext } from '../tool/tool.ts';
import { defineDeleteTool, defineListTool, defineWriteTool, textOutput } from './define-tools.ts';
import { createObjectPreview, describeLookup, findInList, readDocument } from './object-preview.ts';
import { findRiskyFields, isEarlierExpiry } from './risky-fields.ts';

export const PUBLIC_LINK_WARNING =
  'It asks for no e-mail address: everybody who has the link can open the document.';

/** A link that asks nobody for anything: only `email_required` is a gate whose name the API document gives (§2). */
export function getPublicLinkAction(documentId: string): PendingAction {
  return {
    summary: `Create a link to document ${quoteText(documentId)}. ${PUBLIC_LINK_WARNING}`,
    preview: (context) => readDocument(context, documentId),
  };
}

/** A created link; the document promises its url, not its id (§2). */
export function toCreatedLink(link: unknown): JsonObject {
  const item = toFullItem(link, 'link');
  return item['id'] === undefined ? { ...item, next: 'No id came back: list_links has it.' } : item;
}

/** What a link without an e-mail gate comes to: the same whether the gate is refused or only left out. */
export function toCanonicalCreateLink(input: JsonObject): CanonicalCall {
  return { operation: 'links.create', input: { ...input, email_required: input['email_required'] === true } };
}

/** A change of a link: unasked only where every field is harmless, or brings the link's end nearer. */
async function getLinkChangeAction(
  id: string,
  fields: unknown,
  context: ToolContext,
): Promise<PendingAction | undefined> {
  const riskyFields = findRiskyFields(fields);
  if (riskyFields.length === 0 || !isObject(fields)) return undefined;
  const lookup = await findInList(context, { group: 'links', id });
  const item = lookup.kind === 'found' ? lookup.item : undefined;
  if (item && riskyFields.every((name) => isEarlierExpiry(name, fields[name], item))) return undefined;
  return {
    summary: `Change link ${quoteText(id)}, whose address people may already have. This may let more people open it, for longer, or show them something else.`,
    preview: async () => {
      const { document_id } = fields;
      const details = describeLookup(context, { group: 'links', lookup });
      if (typeof document_id !== 'string') return details;
      const [about, document] = await Promise.all([details, readDocument(context, document_id)]);
      return { ...about, new_document: document ?? { note: 'The new document could not be read.' } };
    },
  };
}

export const linkTools = [
  defineListTool({
    name: 'list_links',
    description: 'Lists share links and their gates.',
    operation: 'links.list',
  }),
  defineTool({
    name: 'create_link',
    title: 'Create link',
    description: 'Creates a share link for a document; visitors open its url.',
    operations: ['links.create'],
    idSource: 'list_documents',
    annotations: { openWorldHint: true },
    inputSchema: z.strictObject({
      document_id: text('Document id'),
      email_required: flag('Ask visitors for their e-mail').optional(),
      fields: object('Other gates, named as in list_links').optional(),
    }),
    outputSchema: textOutput('id', 'url'),
    canonicalCall: (args) => toCanonicalCreateLink(toRequestBody(args)),
    confirmation: ({ document_id, email_required, fields }) => {
      if ((email_required ?? fields?.['email_required']) !== true) return getPublicLinkAction(document_id);
      if (findRiskyFields(fields).length === 0) return undefined;
      return {
        summary: `Create a link to document ${quoteText(document_id)} that asks visitors for their e-mail. Its other fields may let more people in.`,
        preview: (context) => readDocument(context, document_id),
      };
    },
    async handler({ client, options }, args) {
      const input = { ...withFields(args), document_id: args.document_id };
      const link = await client.links.create(input, options);
      return {
        data: { done: true, ...toCreatedLink(link) },
        unredactedFields: ['url'],
        trustedFields: ['next'],
      };
    },
  }),
  defineWriteTool({
    name: 'update_link',
    description: 'Changes a share link: gates, expiry, visitor cap.',
    operation: 'links.update',
    id: 'Link id',
    fields: 'Fields to change, named as in list_links',
    confirmation: ({ id, fields }, context) => getLinkChangeAction(String(id), fields, context),
  }),
  defineDeleteTool({
    name: 'delete_link',
    description: 'Deletes a share link for good; its url stops working.',
    operation: 'links.delete',
    id: 'Link id',
    confirmation: ({ id }) => ({
      summary: `Delete link ${quoteText(id)}. Its address stops working for everybody, and this can't be undone.`,
      preview: createObjectPreview('links', String(id)),
    }),
  }),
];

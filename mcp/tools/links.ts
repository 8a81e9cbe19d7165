import { z } from 'zod';
import type { JsonObject } from '../../src/answer/fields.ts';
import { isObject } from '../../src/answer/fields.ts';
import { itemOf, projected } from '../answer/projection.ts';
import { flag, object, text } from '../contract/arguments.ts';
import { type Act, defineTool } from '../contract/tool.ts';
import { lookUp } from './look-up.ts';
import { deleteTool, listTool, textAnswer, withFields, writeTool } from './tool-kinds.ts';

export const OPEN_TO_ALL = 'It asks for no e-mail address: everybody who has the link can open the document.';

/** A link that asks nobody for anything: only `email_required` is a gate whose name the API document gives (§2). */
export function openLinkAct(documentId: string): Act {
  return {
    will: `Create a link to document ${documentId}. ${OPEN_TO_ALL}`,
    look: async ({ client, options }) =>
      client.documents
        .get({ id: documentId }, { ...options, deadlineMs: 8000, maxWaitMs: 3000 })
        .then((document) => projected(document, 'document'))
        .catch(() => undefined),
  };
}

/** A created link; the document promises its url, not its id (§2). */
export function linkOf(link: unknown): JsonObject {
  const item = itemOf(link, 'link');
  return item['id'] === undefined ? { ...item, next: 'No id came back: list_links has it.' } : item;
}

/** Whether a change holds an "off" anywhere: it may be a gate that goes, whatever the service calls it. */
function takesAway(value: unknown): boolean {
  if (value === false || value === null || value === '' || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0 || value.some(takesAway);
  return isObject(value) && Object.values(value).some(takesAway);
}

export const linkTools = [
  listTool({
    name: 'list_links',
    description: 'Lists share links: find the id to change, delete or report on.',
    operation: 'links.list',
  }),
  defineTool({
    name: 'create_link',
    title: 'Create link',
    description: 'Creates a share link for a document; visitors open its url.',
    operations: ['links.create'],
    idsFrom: 'list_documents',
    hints: { openWorldHint: true },
    arguments: z.strictObject({
      document_id: text('Document id'),
      email_required: flag('Ask visitors for their e-mail').optional(),
      fields: object('Other gates, named as in list_links').optional(),
    }),
    answers: textAnswer('id', 'url'),
    gate: ({ document_id, email_required, fields }) =>
      (email_required ?? fields?.['email_required']) === true ? undefined : openLinkAct(document_id),
    async run({ client, options }, args) {
      const input = { ...withFields(args), document_id: args.document_id };
      const link = await client.links.create(input, options);
      return { data: { done: true, ...linkOf(link) }, reveals: ['url'], own: ['next'] };
    },
  }),
  writeTool({
    name: 'update_link',
    description: 'Changes a share link: gates, expiry, visitor cap.',
    operation: 'links.update',
    id: 'Link id',
    fields: 'Fields to change, named as in list_links',
    gate: ({ id, fields }) =>
      takesAway(fields)
        ? {
            will: `Change link ${id}: ${JSON.stringify(fields)}. This may take away a gate, so that more people can open the link.`,
            look: lookUp('links', String(id)),
          }
        : undefined,
  }),
  deleteTool({
    name: 'delete_link',
    description: 'Deletes a share link for good; its url stops working.',
    operation: 'links.delete',
    id: 'Link id',
    gate: ({ id }) => ({
      will: `Delete link ${id}. Its address stops working for everybody, and this can't be undone.`,
      look: lookUp('links', String(id)),
    }),
  }),
];

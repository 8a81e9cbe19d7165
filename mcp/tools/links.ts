import { z } from 'zod';
import { ROOM_FIELD } from '../../src/assumptions/record-fields.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { isObject } from '../../src/records/fields.ts';
import { toFullItem } from '../result/projection.ts';
import { flag, object, text, withFields } from '../tool/arguments.ts';
import { toRequestBody } from '../tool/canonical-call.ts';
import { formatListSentence } from '../tool/headline.ts';
import { type CanonicalCall, defineTool, type PendingAction, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { defineDeleteTool, defineListTool, defineWriteTool, textOutput } from './define-tools.ts';
import { type DescribedObject, describeDocument, describeObject } from './describe-object.ts';
import { type FieldChange, formatChanges, listChanges, removesGate, toEffectName } from './field-changes.ts';
import { getObjectAction } from './object-action.ts';
import { findInList } from './object-preview.ts';
import { findRiskyFields, isEarlierExpiry } from './risky-fields.ts';

export const PUBLIC_LINK_WARNING = "It doesn't ask for an email address: anyone who has it can open the document.";

type LinkTarget = readonly [group: 'documents' | 'rooms', id: string];

/** The document or room that a new link opens; undefined unless the arguments name exactly one. */
function getLinkTarget(args: JsonObject): LinkTarget | undefined {
  const { document_id: documentId, [ROOM_FIELD]: roomId } = toRequestBody(args);
  if ((documentId === undefined) === (roomId === undefined)) return undefined;
  return documentId === undefined ? ['rooms', String(roomId)] : ['documents', String(documentId)];
}

/** Confirms a link without an email gate. `email_required` is the only gate that the API document names (§2). */
export function getPublicLinkAction(target: LinkTarget, fields: JsonObject = {}): PendingAction {
  const { email_required: _, ...settings } = fields;
  const changes = listChanges(findRiskyFields(settings), settings);
  const warning = target[0] === 'rooms' ? PUBLIC_LINK_WARNING.replace('document', 'room') : PUBLIC_LINK_WARNING;
  return getObjectAction(target, {
    effects: [`links.create ${target[1]} ungated`],
    getHeadline: ({ name }) =>
      changes.length === 0
        ? `Create a link to ${name}. ${warning}`
        : formatListSentence(
            `Create a link to ${name} that doesn't ask for an email address. Its other settings: `,
            formatChanges(changes),
            { noun: 'settings' },
          ),
  });
}

/** A link with an email gate is asked about only beyond the hourly budget. */
export function getGatedLinkAction(target: LinkTarget): PendingAction {
  return {
    ...getObjectAction(target, {
      effects: [`links.create ${target[1]} gated`],
      getHeadline: ({ name }) => `Create a link to ${name} that asks for an email address.`,
    }),
    isRoutine: true,
  };
}

/** A created link. The API document promises its url, but not its id (§2). */
export function toCreatedLink(link: unknown): JsonObject {
  const item = toFullItem(link, 'link');
  return item['id'] === undefined
    ? { ...item, next: 'The service returned no link ID. Look it up with list_links.' }
    : item;
}

/** A link without an email gate is the same call whether `email_required` is false or left out. */
export function toCanonicalCreateLink(input: JsonObject): CanonicalCall {
  return { operation: 'links.create', input: { ...input, email_required: input['email_required'] === true } };
}

/** Names the effect of a change, if this server knows it. */
function getLinkEffect(changes: readonly FieldChange[], document: DescribedObject | undefined): string {
  const removes = changes.some(removesGate);
  if (document) return `Show ${document.name} on${removes ? ' and remove the email gate from' : ''}`;
  return removes ? 'Remove the email gate from' : 'Change';
}

/** Confirms a link update unless every field is safe or moves the expiry to an earlier time. */
async function getLinkChangeAction(
  id: string,
  fields: unknown,
  context: ToolContext,
): Promise<PendingAction | undefined> {
  const riskyFields = findRiskyFields(fields);
  if (riskyFields.length === 0 || !isObject(fields)) return undefined;
  const lookup = await findInList(context, { group: 'links', id });
  const item = lookup.kind === 'found' ? lookup.item : undefined;
  const needsNoQuestion = (name: string) =>
    item !== undefined && (isEarlierExpiry(name, fields[name], item) || listChanges([name], fields, item).length === 0);
  if (riskyFields.every(needsNoQuestion)) return undefined;
  return {
    effects: listChanges(riskyFields, fields).map(({ name }) => `links.update ${id} ${toEffectName(name)}`),
    async describe(context) {
      const newId = listChanges(riskyFields, fields).find(({ name }) => /^document_?id$/i.test(name))?.to;
      const [link, document] = await Promise.all([
        describeObject(context, 'links', id),
        typeof newId === 'string' ? describeDocument(context, newId) : undefined,
      ]);
      const changes = listChanges(riskyFields, fields, link.item);
      return {
        headline: formatListSentence(
          `${getLinkEffect(changes, document)} link ${link.name}: `,
          formatChanges(changes),
          { noun: 'changes' },
        ),
        notice: 'People who have this link may see more than before, or lose access.',
        about: document ? { ...link.about, new_document: document.about ?? { id: newId } } : link.about,
      };
    },
  };
}

export const linkTools = [
  defineListTool({
    name: 'list_links',
    description: 'Lists share links with their access settings (gates).',
    operation: 'links.list',
  }),
  defineTool({
    name: 'create_link',
    title: 'Create link',
    description:
      'Creates a share link for a document or a room and returns its url. Without email_required: true, anyone with the url can open it, so the user is asked to confirm.',
    operations: ['links.create'],
    idSource: 'list_documents',
    annotations: { openWorldHint: true },
    inputSchema: z.strictObject({
      document_id: text('Document ID, from list_documents or find.').optional(),
      room_id: text('Room ID, instead of document_id.').optional(),
      email_required: flag('Whether visitors must enter their email.').optional(),
      fields: object('Other link settings. Use the names that list_links returns.').optional(),
    }),
    outputSchema: textOutput('id', 'url'),
    canonicalCall: (args) => toCanonicalCreateLink(toRequestBody(args)),
    confirmation: (args) => {
      const { email_required, fields } = args;
      const target = getLinkTarget(args);
      if (!target) return undefined;
      if ((email_required ?? fields?.['email_required']) !== true) return getPublicLinkAction(target, fields);
      const riskyFields = findRiskyFields(fields);
      if (riskyFields.length === 0) return getGatedLinkAction(target);
      const changes = listChanges(riskyFields, fields ?? {});
      return getObjectAction(target, {
        effects: changes.map(({ name }) => `links.create ${target[1]} ${toEffectName(name)}`),
        getHeadline: ({ name }) =>
          formatListSentence(
            `Create a link to ${name} that asks for an email address. Its other settings may let more people in: `,
            formatChanges(changes),
            { noun: 'settings' },
          ),
      });
    },
    async handler({ client, options }, args) {
      if (!getLinkTarget(args))
        throw new ToolError('invalid_arguments', 'Give exactly one of document_id and room_id.');
      const link = await client.links.create(withFields(args), options);
      return { data: { done: true, ...toCreatedLink(link) }, unredactedFields: ['url'], trustedFields: ['next'] };
    },
  }),
  defineWriteTool({
    name: 'update_link',
    description:
      "Updates a share link's settings, such as its gates, expiry or visitor limit. The user is asked to confirm changes that may widen access.",
    operation: 'links.update',
    id: 'Link ID, from list_links.',
    fields: 'Fields to change. Use the names that list_links returns.',
    confirmation: ({ id, fields }, context) => getLinkChangeAction(String(id), fields, context),
  }),
  defineDeleteTool({
    name: 'delete_link',
    description: 'Permanently deletes a share link, after the user confirms. Visitors lose access at once.',
    operation: 'links.delete',
    id: 'Link ID, from list_links.',
    group: 'links',
    consequence: "It stops working for everyone at once. This can't be undone.",
  }),
];

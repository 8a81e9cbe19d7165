import { z } from 'zod';
import type { JsonObject } from '../../src/records/fields.ts';
import { USUAL_FIELDS } from '../assumptions.ts';
import { toFullItem } from '../result/projection.ts';
import { flag, mergeFields, NameShape, object, text } from '../tool/arguments.ts';
import { toRequestBody } from '../tool/canonical-call.ts';
import type { Headline } from '../tool/headline.ts';
import { type CanonicalCall, defineTool, getResourceNoun, type PendingAction, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import {
  callOperation,
  checkOperation,
  createTextOutputSchema,
  defineDeleteTool,
  defineListTool,
  defineWriteTool,
} from './define-tools.ts';
import { type DescribedObject, describeObject } from './describe-object.ts';
import {
  type FieldChange,
  formatChanges,
  getFieldChanges,
  getRemovedGate,
  isUngated,
  toEffectName,
} from './field-changes.ts';
import { describeNewTarget, getObjectAction } from './object-action.ts';
import { findInList, readTargetIds } from './object-lookup.ts';
import { findRiskyFields, getLinkEffects, isEarlierExpiry, isPastExpiry } from './risky-fields.ts';
import { nameGroups, readRoomOfGroup } from './room-permissions.ts';

/** Object that a link opens. */
export type LinkTarget = readonly [group: 'documents' | 'rooms', id: string];

/** Describes a new link: the gates that it lacks or that may let more people in. `subject`: `Create a link to "Deck"`. */
export function formatNewLinkHeadline(
  subject: string,
  settings: JsonObject,
  target = 'document',
  room?: JsonObject,
): Headline {
  const { changes: list, isGated } = readSettings(settings);
  const changes = formatChanges(nameGroups(list, room));
  if (changes.length === 0)
    return `${subject}${isGated ? ' that asks for an email address.' : `. It doesn't ask for an email address: anyone who has it can open the ${target}.`}`;
  const before = isGated
    ? `${subject} that asks for an email address. Its other settings may let more people in: `
    : `${subject} that doesn't ask for an email address. Its other settings: `;
  return { before, items: changes, noun: 'settings' };
}

/** Settings of a new link that may let more people in, and whether it has the email gate, however that is spelled. */
function readSettings({ email_required, ...others }: JsonObject) {
  const changes = getFieldChanges(findRiskyFields(others, 'new link'), others);
  return { changes, isGated: email_required === true && !changes.some((one) => getRemovedGate(one) === 'email gate') };
}

/** Effects of a new link to what has these IDs. A link with the gate is asked about only beyond the hourly budget. */
export function getNewLinkEffects(ids: readonly string[], settings: JsonObject) {
  const { changes, isGated } = readSettings(settings);
  const isRoutine = isGated && changes.length === 0;
  const names = isRoutine ? ['gated'] : isGated ? changes.map(({ name }) => toEffectName(name)) : ['ungated'];
  const toEffects = (what: readonly string[]) => ids.flatMap((id) => what.map((name) => `links.create ${id} ${name}`));
  // A declined link is not created with more settings either.
  return { effects: toEffects(names), coveringEffects: toEffects(isGated ? ['gated'] : []), isRoutine };
}

/**
 * Confirms a link without an email gate, or with settings that may let more people in. `email_required` is the only gate
 * that the API document names (§2).
 */
export async function getNewLinkAction(
  context: ToolContext,
  [group, id]: LinkTarget,
  settings: JsonObject,
): Promise<PendingAction> {
  const { effects, ...covering } = getNewLinkEffects(await readTargetIds(context, id), settings);
  return {
    ...getObjectAction([group, id], {
      effects,
      getHeadline: ({ name, item }) =>
        formatNewLinkHeadline(`Create a link to ${name}`, settings, getResourceNoun(group), item),
    }),
    ...covering,
  };
}

/** A link's target, and its settings without it. @throws ToolError unless exactly one target is given */
export function parseLinkTarget(args: JsonObject): { target: LinkTarget; settings: JsonObject } {
  const { document_id, room_id, ...settings } = toRequestBody(args);
  if (typeof document_id === 'string' && room_id === undefined) return { target: ['documents', document_id], settings };
  if (typeof room_id === 'string' && document_id === undefined) return { target: ['rooms', room_id], settings };
  throw new ToolError('invalid_arguments', 'Give exactly one of document_id and room_id.');
}

/** A created link. The API document promises its url, but not its id (§2). */
export function toCreatedLink(link: unknown): JsonObject {
  const item = toFullItem(link, 'link');
  return item['id'] === undefined
    ? { ...item, next: 'The service returned no link ID. Look it up with list_links.' }
    : item;
}

/** Returns the canonical call of a new link, which is the same if `email_required` is false or left out. */
export function toCreateLinkCall(input: JsonObject): CanonicalCall {
  return { operation: 'links.create', input: { ...input, email_required: input['email_required'] === true } };
}

/** Names the effect of a change, if this server knows it. */
function getLinkEffect(changes: readonly FieldChange[], target: DescribedObject | undefined): string {
  const gates = [...new Set(changes.flatMap((change) => getRemovedGate(change) ?? []))].join(' and the ');
  if (target) return `Show ${target.name} on${gates === '' ? '' : ` and remove the ${gates} from`}`;
  if (gates !== '') return `Remove the ${gates} from`;
  if (changes.some(({ name, to }) => isPastExpiry(name, to))) return 'End';
  return changes.some(({ name, from }) => isPastExpiry(name, from)) ? 'Reopen' : 'Change';
}

/** Confirms a link update unless every field is safe or moves the expiry to an earlier time. */
async function getLinkChangeAction(
  id: string,
  fields: JsonObject,
  context: ToolContext,
): Promise<PendingAction | undefined> {
  const riskyFields = findRiskyFields(fields);
  if (riskyFields.length === 0) return undefined;
  const lookup = await findInList(context, { group: 'links', id });
  const item = lookup.kind === 'found' ? lookup.item : undefined;
  const needsNoQuestion = (name: string) =>
    item !== undefined &&
    (isEarlierExpiry(name, fields[name], item) || getFieldChanges([name], fields, item).length === 0);
  if (riskyFields.every(needsNoQuestion)) return undefined;
  return {
    // A declined change also covers what it leaves out, whatever else another call puts into that object.
    effects: [undefined, item].flatMap((current) => getLinkEffects(id, getFieldChanges(riskyFields, fields, current))),
    async describe(context) {
      const [link, target] = await Promise.all([
        describeObject(context, 'links', id),
        describeNewTarget(context, fields),
      ]);
      const changes = getFieldChanges(riskyFields, fields, link.item);
      const room = await readRoomOfGroup(context, changes, link.item);
      return {
        headline: {
          before: `${getLinkEffect(changes, target)} link ${link.name}${isUngated(link.item, fields) ? ', which has no email gate' : ''}: `,
          items: formatChanges(nameGroups(changes, target?.item, room)),
          noun: 'changes',
        },
        notice: 'People who have this link may see more than before, or lose access.',
        about: target ? { ...link.about, [`new_${target.kind}`]: target.about } : link.about,
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
      'Creates a share link for a document or room. Without email_required: true anyone with the url can open it, so the user confirms.',
    operations: ['links.create'],
    idSource: 'list_documents',
    annotations: { openWorldHint: true },
    inputSchema: z.strictObject({
      document_id: text('Document ID.').optional(),
      room_id: text('Or room ID.').optional(),
      ...NameShape,
      email_required: flag('Whether visitors must enter their email.').optional(),
      fields: object(`Other settings, usually: ${USUAL_FIELDS.link}.`).optional(),
    }),
    outputSchema: createTextOutputSchema('id', 'url'),
    canonicalCall: (args) => toCreateLinkCall(toRequestBody(args)),
    check(args, context) {
      parseLinkTarget(args);
      checkOperation(context, 'links.create', mergeFields(args));
    },
    confirmation(args, context) {
      const { target, settings } = parseLinkTarget(args);
      return getNewLinkAction(context, target, settings);
    },
    async handler(context, args) {
      const link = await callOperation(context, 'links.create', mergeFields(args));
      return { data: { done: true, ...toCreatedLink(link) }, unredactedFields: ['url'], trustedFields: ['next'] };
    },
  }),
  defineWriteTool({
    name: 'update_link',
    description:
      "Updates a share link's settings, such as its gates, expiry or visitor limit. The user is asked to confirm changes that may widen access.",
    operation: 'links.update',
    id: 'Link ID, from list_links.',
    fields: `Fields to change, usually: name, email_required, ${USUAL_FIELDS.link}; null clears a field.`,
    confirmation: ({ id, fields }, context) => getLinkChangeAction(id, fields, context),
  }),
  defineDeleteTool({
    name: 'delete_link',
    description:
      'Permanently deletes a share link, its visits and analytics, after the user confirms. To keep these, set a past expires_at with update_link.',
    operation: 'links.delete',
    id: 'Link ID, from list_links.',
    consequence: "It stops working at once; its visits and analytics are lost. This can't be undone.",
  }),
];

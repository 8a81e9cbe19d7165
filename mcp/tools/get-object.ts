import { z } from 'zod';
import { ENDED_STATES, METRIC_FIELDS, RECORD_FIELDS, SENT_STATES, SIGNED_STATES } from '../../src/assumptions/index.ts';
import { AuthenticationError, NetworkError, NotFoundError, PermissionError } from '../../src/errors.ts';
import { getMethod } from '../../src/get-method.ts';
import type { Group } from '../../src/index.ts';
import { getName, getTextField, getTitle, isObject, type JsonObject } from '../../src/records/fields.ts';
import { ID_PREFIXES } from '../assumptions.ts';
import { toBriefItem, withIdAndName } from '../result/projection.ts';
import { getUnredactedFields } from '../result/redact-secrets.ts';
import { text } from '../tool/arguments.ts';
import { defineTool, getResourceNoun, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { ItemOutput } from './define-tools.ts';
import { formatPerson, getRecipients } from './describe-object.ts';
import { createGroupError, LIST_OPERATIONS, OBJECT_GROUPS } from './find.ts';
import { findInList, findMatchingItems, getReference, type ListedGroup } from './object-lookup.ts';
import { getState } from './object-state.ts';

/** Lists whose objects may use an object of a group. */
const USED_IN: Readonly<Record<string, readonly ListedGroup[]>> = {
  documents: ['links', 'rooms', 'agreements', 'proposals', 'templates'],
  rooms: ['links'],
  templates: ['agreements'],
  contacts: ['agreements', 'proposals', 'rooms'],
};

const MAX_USES = 100;
/** Links without a view count, whose analytics are read one by one. */
const MAX_COUNTED_LINKS = 40;

/** Answers everything about one object, from its list if the service has no route for it. */
export const getObject = defineTool({
  name: 'get',
  title: 'Get object',
  description:
    'Returns one document, link, room, agreement, proposal, template or contact with all its fields, its state, what it refers to, what uses it, its links with views, and who has not opened or signed it.',
  operations: LIST_OPERATIONS,
  spans: 'groups',
  inputSchema: z.strictObject({
    id: text('ID of the object, from any result.'),
    group: text('Its group, such as links, if the ID does not show it.').optional(),
  }),
  outputSchema: ItemOutput,
  async handler(context, { id, group }) {
    const found = await findObject(context, { id, group });
    const resource = getResourceNoun(found.group);
    const item = withIdAndName(found.item, resource);
    const status = getState(item);
    const [references, uses, analytics] = await Promise.all([
      readReferences(context, found),
      readUses(context, found),
      readAnalytics(context, found.group, id),
    ]);
    const waiting = status !== undefined && SENT_STATES.includes(status) ? getWaiting(found.item) : [];
    return {
      data: {
        ...item,
        group: found.group,
        ...(status === undefined ? {} : { state: status }),
        ...references,
        ...(waiting.length > 0 ? { waiting_for: waiting } : {}),
        ...uses,
        ...(analytics ? { analytics } : {}),
      },
      unredactedFields: [...getUnredactedFields(resource), 'used_in.links.url'],
      trustedFields: ['group', 'not_read'],
    };
  },
});

interface Target {
  readonly id: string;
  /** As the caller names it. */
  readonly group: string | undefined;
}

function resolveGroups({ mode }: ToolContext, { id, group }: Target): readonly Group[] {
  const readable = OBJECT_GROUPS.filter((name) => mode.readableGroups.includes(name));
  if (group === undefined) {
    const likely = readable.filter((name) => hasGroupPrefix(name, id));
    return [...likely, ...readable.filter((name) => !likely.includes(name))];
  }
  const named = readable.find((name) => name === group || getResourceNoun(name) === group);
  if (!named) throw createGroupError('group', group, readable);
  return [named];
}

interface FoundObject {
  readonly group: Group;
  readonly item: JsonObject;
}

/**
 * Looks into the likeliest group first.
 * @throws ToolError if no group has the object; the failure of a group that the call or the ID names
 */
async function findObject(context: ToolContext, target: Target): Promise<FoundObject> {
  const { id } = target;
  const groups = resolveGroups(context, target);
  const partly: string[] = [];
  let namedFailure: unknown;
  for (const group of groups) {
    const lookup =
      group === 'documents' || group === 'templates'
        ? await readDirectly(context, group, id).catch(toUnread)
        : await findInGroup(context, group as ListedGroup, id);
    if (lookup.kind === 'found') return { group, item: lookup.item };
    if (lookup.kind === 'not-found') continue;
    const isNamed = target.group !== undefined || hasGroupPrefix(group, id);
    if (isNamed && lookup.read === 0) namedFailure ??= lookup.failure;
    partly.push(`${group} (${lookup.read} read)`);
  }
  if (namedFailure !== undefined) throw namedFailure;
  const disabled = target.group === undefined ? OBJECT_GROUPS.filter((group) => !groups.includes(group)) : [];
  const rest = [
    ...(partly.length > 0 ? [` These groups were not read to their end: ${partly.join(', ')}.`] : []),
    ...(disabled.length > 0 ? [` These were not read, as they are not enabled: ${disabled.join(', ')}.`] : []),
  ];
  throw new ToolError('not_found', `No object with this ID was found.${rest.join('')} Find the right ID with find.`);
}

const hasGroupPrefix = (group: Group, id: string) => ID_PREFIXES[group as keyof typeof ID_PREFIXES]?.test(id) === true;

/** The result for a group that the key can't read, though another one may have the object. @throws any other failure */
function toUnread(failure: unknown) {
  if (failure instanceof PermissionError) return { kind: 'not-fully-searched', read: 0, failure } as const;
  throw failure;
}

/** Looks an object up in its list. @throws if the key was rejected or the service can't be reached */
async function findInGroup(context: ToolContext, group: ListedGroup, id: string) {
  const matches = (item: JsonObject) => withIdAndName(item, getResourceNoun(group))['id'] === id;
  const { items, read, isComplete, failure } = await findMatchingItems(context, { group, matches, max: 1 });
  const [item] = items;
  if (item) return { kind: 'found', item } as const;
  if (failure instanceof AuthenticationError || failure instanceof NetworkError) throw failure;
  return isComplete ? ({ kind: 'not-found' } as const) : ({ kind: 'not-fully-searched', read, failure } as const);
}

async function readDirectly({ client, options }: ToolContext, group: 'documents' | 'templates', id: string) {
  try {
    return { kind: 'found', item: (await client[group].get({ id }, options)) as JsonObject } as const;
  } catch (error) {
    if (error instanceof NotFoundError) return { kind: 'not-found' } as const;
    throw error;
  }
}

/** Names of the document, template and room that an object refers to. */
async function readReferences(context: ToolContext, { group: own, item }: FoundObject): Promise<JsonObject> {
  const references = (['documents', 'templates', 'rooms'] as const).map(async (group) => {
    const id = getReference(item, `${getResourceNoun(group)}_id`);
    // An object may have its own ID under such a name.
    if (id === undefined || group === own || !context.mode.readableGroups.includes(group)) return [];
    const lookup = await (group === 'rooms'
      ? findInList(context, { group, id })
      : readDirectly(context, group, id)
    ).catch(() => undefined);
    context.options.signal?.throwIfAborted();
    if (lookup?.kind !== 'found') return [];
    const { version, updated_at } = lookup.item;
    return [[getResourceNoun(group), { id, name: getTitle(lookup.item), version, updated_at }] as const];
  });
  return Object.fromEntries((await Promise.all(references)).flat());
}

/** Objects that contain the ID, or the email address of a contact. */
async function readUses(context: ToolContext, { group, item }: FoundObject): Promise<JsonObject> {
  const needle = group === 'contacts' ? getTextField(item, ['email']) : getTextField(item, ['id']);
  if (needle === undefined) return {};
  const quoted = JSON.stringify(needle).toLowerCase();
  const notRead: string[] = [];
  const uses: JsonObject = {};
  await Promise.all(
    (USED_IN[group] ?? []).map(async (place) => {
      if (!context.mode.readableGroups.includes(place)) return void notRead.push(place);
      const matches = (candidate: JsonObject) => JSON.stringify(candidate).toLowerCase().includes(quoted);
      const { items, isComplete } = await findMatchingItems(context, { group: place, matches, max: MAX_USES });
      if (!isComplete) notRead.push(`${place} (not to the end)`);
      if (items.length > 0) uses[place] = await describeUses(context, place, items);
    }),
  );
  const links = Array.isArray(uses['links']) ? uses['links'].filter(isObject) : [];
  const unopened = links.filter(({ views }) => views === 0).map((link) => getName(link, 'link'));
  return {
    ...(Object.keys(uses).length > 0 ? { used_in: uses } : {}),
    ...(unopened.length > 0 ? { not_opened: unopened } : {}),
    ...(notRead.length > 0 ? { not_read: notRead } : {}),
  };
}

async function describeUses(context: ToolContext, group: ListedGroup, items: readonly JsonObject[]) {
  let counted = 0;
  return Promise.all(
    items.map(async (item) => {
      const { id, name, url, email_required, created_at } = toBriefItem(item, getResourceNoun(group));
      const status = getState(item);
      const use = { id, name, ...(status === undefined ? {} : { status }) };
      if (group !== 'links') return { ...use, created_at };
      const listed = getTextField(item, METRIC_FIELDS.views);
      const views =
        listed === undefined && ++counted <= MAX_COUNTED_LINKS
          ? getTextField(await readAnalytics(context, 'links', String(id)), METRIC_FIELDS.views)
          : listed;
      return { ...use, url, email_required, ...(views === undefined ? {} : { views: Number(views) }) };
    }),
  );
}

/** Totals of a link or room. */
async function readAnalytics(context: ToolContext, group: Group, id: string): Promise<JsonObject | undefined> {
  const { client, options, mode } = context;
  if ((group !== 'links' && group !== 'rooms') || !mode.readableGroups.includes('analytics')) return undefined;
  try {
    const { id: _, ...totals } = toBriefItem(
      (await getMethod(client, group === 'links' ? 'analytics.link' : 'analytics.room')({ id }, options)) as JsonObject,
    );
    const isPlain = ([name, value]: [string, unknown]) => typeof value !== 'object' && !name.endsWith('_id');
    return Object.fromEntries(Object.entries(totals).filter(isPlain));
  } catch {
    options.signal?.throwIfAborted();
    return undefined;
  }
}

/** Recipients who have neither signed nor declined. */
function getWaiting(item: JsonObject): readonly string[] {
  return getRecipients(item).flatMap((person) => {
    const status = getTextField(person, RECORD_FIELDS.status)?.toLowerCase() ?? '';
    const isDone = getTextField(person, RECORD_FIELDS.signedAt) !== undefined || DONE_STATES.includes(status);
    return isDone ? [] : [formatPerson(person)];
  });
}

const DONE_STATES: readonly string[] = [...SIGNED_STATES, ...ENDED_STATES];

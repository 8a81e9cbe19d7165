import { z } from 'zod';
import {
  FORM_BODIES,
  MATRIX_ENVELOPE_FIELDS,
  PERMISSION_FIELDS,
  ROOM_FIELD,
  ROOM_PARTS,
} from '../../src/assumptions/index.ts';
import { isSetByService } from '../../src/assumptions/writable-fields.ts';
import { isWholeList } from '../../src/pagination/page.ts';
import {
  getField,
  getName,
  getTitle,
  getValueAtPath,
  includesName,
  isObject,
  type JsonObject,
} from '../../src/records/fields.ts';
import { USUAL_FIELDS } from '../assumptions.ts';
import { describeFailure } from '../result/describe-failure.ts';
import { toFullItem } from '../result/projection.ts';
import { flag, mergeFields, object, text } from '../tool/arguments.ts';
import { formatCount, formatShortList } from '../tool/headline.ts';
import { defineTool, type Tool, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { callOperation, checkOperation, getTrustedNoteFields, ItemOutput } from './define-tools.ts';
import { describeTarget, getPeople, quoteNewName } from './describe-object.ts';
import { type FieldChange, findLeftOut, formatChanges, formatValue, getFieldChanges } from './field-changes.ts';
import { findDocumentUses, formatPlace } from './new-version-action.ts';
import { getObjectAction, isReference } from './object-action.ts';
import { findInList, getReference, readDocument } from './object-lookup.ts';
import { getState } from './object-state.ts';
import { findRoomPart, formatRoomPart, getRoomPartId, getRoomParts } from './room-parts.ts';

/** Rule of a permission matrix. */
interface Rule {
  readonly group: unknown;
  /** Undefined for the whole room. */
  readonly folder: unknown;
  readonly file: unknown;
  /** ID of a folder, file or room, if the service does not say which of them it is. */
  readonly other: unknown;
  readonly access: unknown;
  readonly entry: JsonObject;
}

/** Changes of a link with the names of the rooms' groups instead of their IDs. */
export function nameGroups(changes: readonly FieldChange[], ...rooms: readonly (JsonObject | undefined)[]) {
  const toName = (id: unknown) =>
    rooms.map((room) => (id ? getName(findRoomPart(room, 'groups', id)) : undefined)).find(Boolean) ?? id;
  return changes.map((one) => {
    const [from, to] = [toName(one.from), toName(one.to)];
    // Two groups of one name differ in their IDs only.
    return isReference(one.path, 'group') && from !== to ? { ...one, from, to } : one;
  });
}

/** The room of a link whose group changes. */
export async function readRoomOfGroup(
  context: ToolContext,
  changes: readonly FieldChange[],
  link: JsonObject | undefined,
): Promise<JsonObject | undefined> {
  const id = getReference(link, ROOM_FIELD);
  return id !== undefined && changes.some(({ path }) => isReference(path, 'group')) ? readRoom(context, id) : undefined;
}

/** Groups may have the same name, and a name says nothing about their members. */
function formatMemberCount(room: JsonObject | undefined, id: unknown): string {
  const lists = Object.entries(findRoomPart(room, 'groups', id) ?? {}).filter(([, value]) => Array.isArray(value));
  const count = getPeople(Object.fromEntries(lists)).length;
  return count > 0 ? ` (${formatCount(count, 'people')})` : '';
}

export const parsePermissionRules = (entries: readonly JsonObject[]): readonly Rule[] =>
  entries.map((entry) => {
    const find = (paths: readonly string[]) => paths.map((path) => getValueAtPath(entry, path)).find(Boolean);
    return {
      group: find(PERMISSION_FIELDS.group),
      folder: find(PERMISSION_FIELDS.folder),
      file: find(PERMISSION_FIELDS.file),
      other: find(PERMISSION_FIELDS.other),
      access: getField(entry, 'access') ?? undefined,
      entry,
    };
  });

const PLACES = Object.keys(PERMISSION_FIELDS) as readonly (keyof typeof PERMISSION_FIELDS)[];

const isSamePlace = (a: Rule, b: Rule) => PLACES.every((place) => String(a[place]) === String(b[place]));

/** Returns whether the service shows a room's permissions, as one list of rules that hold no others. */
function showsRules(room: JsonObject | undefined): boolean {
  const value = room && getField(room, ROOM_PARTS.permissions);
  const parts = Object.keys(ROOM_PARTS) as (keyof typeof ROOM_PARTS)[];
  const isNested = (rule: JsonObject) => parts.some((part) => getRoomParts(rule, part).length > 0);
  if (getRoomParts(room, 'permissions').some(isNested)) return false;
  if (!isObject(value)) return Array.isArray(value);
  const lists = Object.values(value).filter(Array.isArray);
  if (lists.filter(({ length }) => length > 0).length > 1) return false;
  const isEnvelope = Object.keys(value).every((name) => includesName(MATRIX_ENVELOPE_FIELDS, name));
  return isEnvelope || (lists.length > 0 && isWholeList(value, ROOM_PARTS.permissions));
}

/**
 * The whole matrix of a room with some of its rules changed, because a write replaces all.
 * @throws ToolError if the other rules can't be read, or there are none but other groups, who may see everything without any
 */
function mergeRules(room: JsonObject | undefined, entries: readonly JsonObject[]): readonly JsonObject[] {
  const current = getRoomParts(room, 'permissions');
  const isReadable = showsRules(room);
  if (!isReadable || (current.length === 0 && getRoomParts(room, 'groups').length > 0))
    throw new ToolError(
      'invalid_arguments',
      `The room ${isReadable ? 'has no permissions yet, so its other groups could lose access' : "or its permissions can't be read"}. Call set_room_permissions with the complete matrix.`,
    );
  const changed = parsePermissionRules(entries);
  const others = parsePermissionRules(current).filter((rule) => !changed.some((one) => isSamePlace(one, rule)));
  return [...others.map(({ entry }) => entry), ...entries];
}

const FIRST_RULES = '; it has no rules yet, so others with a link may then see nothing';
const warnOfFirstRules = (room: JsonObject | undefined) =>
  showsRules(room) && getRoomParts(room, 'permissions').length === 0 ? FIRST_RULES : '';

const CLOSED = /^(?:none|no|no_access|denied|hidden|false)$/i;
const VIEW_ONLY = /^(?:view|view_only|read|read_only|viewer)$/i;

/** Fields of a rule besides its place and its `access`; without `access`, they say what it gives. */
const listSettings = ({ entry, ...shown }: Rule) =>
  formatChanges(
    getFieldChanges(Object.keys(entry), entry).filter(
      ({ path, to }) => !(includesName(PATHS, path) && [null, ...Object.values(shown)].includes(to)),
    ),
  );

/** A rule without `access` may give access too, as in the sandbox. */
const isClosed = (rule: Rule) => CLOSED.test(String(rule.access));

/** 0: downloads or an unknown level, 1: views only, 2: no access. */
const rankLevel = (rule: Rule) => (isClosed(rule) ? 2 : Number(VIEW_ONLY.test(String(rule.access))));

/** Access that a rule gives: its `access`, or else its settings. */
function listLevel(rule: Rule | undefined): readonly string[] {
  if (!rule) return ['no rule'];
  if (rule.access !== undefined) return [formatValue(rule.access)];
  const settings = listSettings(rule);
  return settings.length === 0 ? ['unspecified access'] : settings;
}

/** That access and its further settings. */
const listAccess = (rule: Rule | undefined) => [
  ...listLevel(rule),
  ...(rule?.access === undefined ? [] : listSettings(rule)),
];

/** @throws ToolError for two rules of one place: only the service knows which of them counts */
function requireOneRulePerPlace(entries: readonly JsonObject[]): void {
  const rules = parsePermissionRules(entries).filter(({ group }) => group !== undefined);
  const isRepeated = (rule: Rule, index: number) =>
    rules
      .slice(0, index)
      .some((one) => isSamePlace(one, rule) && listSettings(one).join() === listSettings(rule).join());
  if (rules.some(isRepeated))
    throw new ToolError(
      'invalid_arguments',
      'fields: two rules are for the same group and place. Send only the one that should count.',
    );
}

const formatLevel = (rule: Rule | undefined) => formatShortList(listLevel(rule), 'settings');

/** The documents behind the files whose rules a question shows first: a file may have any name in a room. */
async function describeFiles(context: ToolContext, room: JsonObject | undefined, entries: readonly JsonObject[]) {
  const describe = async ({ file }: Rule) => {
    const item = findRoomPart(room, 'files', file);
    const id = item && getField(item, 'document_id');
    const document = id ? await readDocument(context, String(id)) : undefined;
    return [file, describeTarget(getTitle(item), 'document', document)] as const;
  };
  const rules = parsePermissionRules(entries).filter(({ file }) => file);
  const first = rules.toSorted((a, b) => rankLevel(a) - rankLevel(b)).slice(0, 5);
  return new Map(await Promise.all(first.map(describe)));
}

/** One text per rule that changes, those that give most access first, with names instead of known IDs. */
function formatRules(
  entries: readonly JsonObject[],
  room: JsonObject | undefined,
  files: ReadonlyMap<unknown, string>,
): readonly string[] {
  const [rules, current] = [parsePermissionRules(entries), parsePermissionRules(getRoomParts(room, 'permissions'))];
  const format = ({ group, folder, file, other }: Rule) => {
    const behind = files.get(file);
    const places = [
      ...(folder ? [`in folder ${formatRoomPart(room, 'folders', folder)}`] : []),
      ...(file ? [`for file ${formatRoomPart(room, 'files', file)}${behind ? ` (${behind})` : ''}`] : []),
      ...(other ? [`for ${formatValue(other)}`] : []),
    ];
    // A service may apply such a rule to each of its places, as the sandbox does.
    const where = places.length === 0 ? '' : ` ${places.join(' and ')}`;
    return `${formatRoomPart(room, 'groups', group)}${formatMemberCount(room, group)}${where}`;
  };
  const changes = rules.flatMap((rule) => {
    const old = current.find((one) => isSamePlace(one, rule));
    const before = current.length === 0 ? '' : `${formatLevel(old)} → `;
    const to = [
      ...listAccess(rule),
      ...(old && rule.entry !== old.entry ? listLostSettings(old.entry, rule.entry) : []),
    ];
    const isAlone = rules.every((one) => one === rule || !isSamePlace(one, rule));
    const isUnchanged = to.join() === listAccess(old).join() && current.length > 0 && isAlone;
    if (rule.entry === old?.entry || isUnchanged) return [];
    return [{ text: `${format(rule)}: ${before}${formatShortList(to, 'settings')}`, rank: rankLevel(rule) }];
  });
  // After a rule is removed, another one of its group may count, which may give more.
  const removed = current
    .filter((rule) => !rules.some((one) => isSamePlace(one, rule)))
    .map((rule) => {
      const mayOpen = rules.some((one) => String(one.group) === String(rule.group) && !isClosed(one));
      return { text: `${format(rule)}: ${formatLevel(rule)} → no rule`, rank: mayOpen ? 0 : 2 };
    });
  return [...changes, ...removed].toSorted((a, b) => a.rank - b.rank).map(({ text }) => text);
}

/** Settings of a rule that its replacement leaves out, without names and what only the service sets. */
function listLostSettings(from: JsonObject, to: JsonObject): readonly string[] {
  const isSetting = (name: string) =>
    !isSetByService(name) && !/name|^(?:group|folder|file|document)(?:_id)?$/i.test(name);
  const lost = findLeftOut(from, to).filter(([name]) => isSetting(name));
  return formatChanges(lost.map(([name, value]) => ({ path: name, name, from: value, to: undefined })));
}

const PATHS = ['access', ...Object.values(PERMISSION_FIELDS).flat()];

/** Rules of a request, also in a wrapper (`permissions: {rules: […]}`), its other fields, and a body with other rules. */
function splitMatrix(fields: JsonObject): {
  entries: readonly JsonObject[];
  others: JsonObject;
  withEntries: (entries: readonly JsonObject[]) => JsonObject;
} {
  const lists = Object.entries(fields).toSorted(([, a], [, b]) => Number(isObject(a)) - Number(isObject(b)));
  for (const [name, value] of lists) {
    const { [name]: _, ...others } = fields;
    if (Array.isArray(value) && value.every(isObject))
      return { entries: value, others, withEntries: (entries) => ({ ...others, [name]: entries }) };
    const inner = isObject(value) ? splitMatrix(value) : undefined;
    if (inner && inner.entries.length > 0)
      return {
        entries: inner.entries,
        others: { ...others, ...inner.others },
        withEntries: (entries) => ({ ...others, [name]: inner.withEntries(entries) }),
      };
  }
  return { entries: [], others: fields, withEntries: (permissions) => ({ ...fields, permissions }) };
}

/** Reads a room from the list. @throws the error of a list that can't be read */
async function readRoom(context: ToolContext, id: string): Promise<JsonObject | undefined> {
  const lookup = await findInList(context, { group: 'rooms', id });
  return lookup.kind === 'found' ? lookup.item : undefined;
}

/** Links that give their visitors the permissions of a group with a new rule: its members are not all who get them. */
async function findGroupLinks(context: ToolContext, entries: readonly JsonObject[]) {
  const groups = parsePermissionRules(entries).flatMap((rule) => (isClosed(rule) ? [] : [String(rule.group)]));
  const matches = (link: JsonObject) =>
    groups.includes(getReference(link, 'group_id') ?? '') && getState(link) !== 'expired';
  if (groups.length === 0) return { text: '', isComplete: true };
  const { places, isComplete } = await findDocumentUses(context, { group: 'links', matches });
  const [link] = places.map((place) => formatPlace(place));
  const names = places.length > 1 ? formatCount(places.length, 'links of such groups') : link;
  return { text: names ? `; also for anyone with ${names}` : '', isComplete };
}

/** A decline of rules of single groups covers no others. A whole matrix, or a rule of an unknown group, affects all. */
function getRuleEffects(id: string, room: JsonObject | undefined, entries: readonly JsonObject[]): readonly string[] {
  const named = parsePermissionRules(entries).map(({ group }) => findRoomPart(room, 'groups', group));
  const isKnown = named.length > 0 && !named.includes(undefined);
  const groups = isKnown ? named : ['', ...getRoomParts(room, 'groups')];
  return groups.map((group) => `rooms.setPermissions ${id} ${getRoomPartId(group, 'groups') ?? ''}`);
}

export const setRoomPermissions = defineTool({
  name: 'set_room_permissions',
  title: 'Set room permissions',
  description:
    "Replaces a data room's permission matrix, after the user confirms. With keep_others, sets only the given rules. Create the groups first.",
  operations: ['rooms.setPermissions'],
  idSource: 'list_rooms',
  inputSchema: z.strictObject({
    id: text('Room ID, from list_rooms.'),
    fields: object(`The matrix, usually: ${USUAL_FIELDS.permissions}.`),
    keep_others: flag('Keep the rules of other groups and folders. Default: false.').optional(),
  }),
  outputSchema: ItemOutput,
  check({ id, fields }, context) {
    requireOneRulePerPlace(splitMatrix(fields).entries);
    return checkOperation(context, 'rooms.setPermissions', mergeFields({ id, fields }));
  },
  async confirmation({ id, fields, keep_others }, context) {
    const { entries, others } = splitMatrix(fields);
    const settings = formatChanges(getFieldChanges(Object.keys(others), others));
    const room = await readRoom(context, id);
    if (keep_others) mergeRules(room, entries);
    const [files, links] = await Promise.all([describeFiles(context, room, entries), findGroupLinks(context, entries)]);
    return getObjectAction(['rooms', id], {
      effects: getRuleEffects(id, room, keep_others && settings.length === 0 ? entries : []),
      getHeadline({ name, item }) {
        const rules = formatRules(keep_others ? mergeRules(item, entries) : entries, item, files);
        const hasRules = getRoomParts(item, 'permissions').length > 0 || settings.length === 0;
        const isEmpty = !keep_others && entries.length === 0 && hasRules;
        const effect = isEmpty ? ' by none; anyone with a link may then see everything' : '';
        const before = `${keep_others ? 'Change' : 'Replace all'} permissions of room ${name}${effect}: `;
        if (rules.length === 0 && settings.length > 0) return { before, items: settings, noun: 'settings' };
        return {
          before,
          items: rules,
          noun: 'rules',
          none: entries.length > 0 ? 'no rule changes' : 'none',
          // Rules, links and other settings can't displace each other.
          after: `${settings.length > 0 ? `, with ${formatShortList(settings, 'settings')}` : ''}${links.text}${entries.length > 0 ? warnOfFirstRules(item) : ''}.`,
        };
      },
      check: async ({ item }) => [
        ...(showsRules(item) ? [] : ['the service does not show the current permissions']),
        ...(links.isComplete ? [] : ['not all links could be read, which may show what a group sees']),
      ],
      notice: 'Groups may see more or less than before.',
    });
  },
  async handler(context, { id, fields, keep_others }) {
    const { entries, withEntries } = splitMatrix(fields);
    const body = keep_others ? withEntries(mergeRules(await readRoom(context, id), entries)) : fields;
    const item = await callOperation(context, 'rooms.setPermissions', mergeFields({ id, fields: body }));
    return { data: { done: true, id, ...toFullItem(item, 'room') }, ...getTrustedNoteFields(item) };
  },
});

/** Adds `access` to the tool that adds a group: its access to the whole room, in the same call and question. */
export function withAccessArgument(addGroup: Tool): Tool {
  const toRule = (group: string, access: string) => FORM_BODIES.roomPermission({ group, access });
  return {
    ...addGroup,
    operations: ['rooms.addGroup', 'rooms.setPermissions'],
    inputSchema: addGroup.inputSchema.extend({ access: text('view or download, for the whole room.').optional() }),
    check: ({ access: _, ...args }, context) => addGroup.check?.(args, context),
    async confirmation({ access, ...args }, context) {
      const action = await addGroup.confirmation?.(args, context);
      if (access === undefined) return action;
      context.keyStatus.requireScope('datarooms:permissions');
      const id = String(args['id']);
      const room = await readRoom(context, id);
      mergeRules(room, [toRule('new', String(access))]);
      const after = `, with access ${formatValue(access)} to the whole room${warnOfFirstRules(room)}.`;
      if (!action)
        return getObjectAction(['rooms', id], {
          effects: [`rooms.addGroup ${id}`],
          getHeadline: ({ name }) =>
            `Add visitor group ${quoteNewName({ ...Object(args['fields']), ...args })} to room ${name} for nobody${after}`,
        });
      return {
        ...action,
        async describe(context) {
          const { headline, ...description } = await action.describe(context);
          const parts = typeof headline === 'string' ? { before: headline, items: [], noun: '', after: '' } : headline;
          return { ...description, headline: { ...parts, after: `${(parts.after ?? '').replace(/\.$/, '')}${after}` } };
        },
      };
    },
    async handler(context, { access, ...args }) {
      const id = String(args['id']);
      const room = access === undefined ? undefined : await readRoom(context, id);
      if (access !== undefined) mergeRules(room, []);
      const result = await addGroup.handler(context, args);
      if (access === undefined) return result;
      const { id: group } = result.data;
      const next = 'If the room does not show its access, call set_room_permissions.';
      if (typeof group !== 'string')
        throw new ToolError('partly_done', `The group was added, but the service returned no ID. ${next}`);
      const permissions = mergeRules(room, [toRule(group, String(access))]);
      await callOperation(context, 'rooms.setPermissions', { id, permissions }).catch((cause: unknown) => {
        context.options.signal?.throwIfAborted();
        throw new ToolError(
          'partly_done',
          `The group was added as ${group}, but its access is not confirmed. ${next}`,
          { id: group, cause: describeFailure(cause, {}) },
        );
      });
      return { ...result, data: { ...result.data, access } };
    },
  };
}

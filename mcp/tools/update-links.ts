import { z } from 'zod';
import { ROOM_FIELD } from '../../src/assumptions/index.ts';
import { getField, getTextField, getTitle, idOf, isObject, type JsonObject } from '../../src/records/fields.ts';
import { DOCUMENT_FILE_FIELDS } from '../assumptions.ts';
import { findIgnoredFields } from '../call/warn-ignored-fields.ts';
import { isSecretField } from '../result/redact-secrets.ts';
import { mergeFields } from '../tool/arguments.ts';
import { toRequestBody } from '../tool/canonical-call.ts';
import { formatCount, formatShortList } from '../tool/headline.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { callOperation, checkOperation } from './define-tools.ts';
import { describeTarget, formatFormerName, quoteName } from './describe-object.ts';
import {
  type FieldChange,
  formatChanges,
  getFieldChanges,
  getRemovedGate,
  isUngated,
  quoteFieldName,
} from './field-changes.ts';
import { describeNewTarget, isReference } from './object-action.ts';
import {
  findMatchingItems,
  getFormerName,
  getReference,
  isTransient,
  MAX_SEARCHED,
  rememberFormerName,
  withUploadedFileName,
} from './object-lookup.ts';
import { findRiskyFields, getLinkEffects, isEarlierExpiry, isPastExpiry } from './risky-fields.ts';
import { nameGroups, readRoomOfGroup } from './room-permissions.ts';
import { MAX_STEPS, runPlan, withPlanReads } from './run-plan.ts';

const TARGETS = [
  { group: 'documents', kind: 'document', field: 'document_id' },
  { group: 'rooms', kind: 'room', field: ROOM_FIELD },
] as const;

interface LinkChange {
  readonly id: string;
  readonly fields: JsonObject;
}

/** @throws ToolError for anything but a list of changes of different links */
function readChanges(values: readonly unknown[]): readonly LinkChange[] {
  const changes = values.map((value, index) => {
    const { id, fields: nested, ...others } = isObject(value) ? value : {};
    // Models also write the fields as the argument of update_link.
    const fields = { ...others, ...(isObject(nested) ? nested : nested === undefined ? {} : { fields: nested }) };
    if (typeof id !== 'string' || id === '' || Object.keys(fields).length === 0)
      throw new ToolError(
        'invalid_arguments',
        `changes[${index}]: must have the id of a link and the fields to change.`,
      );
    return { id, fields };
  });
  const isUnique = new Set(changes.map(({ id }) => id)).size === changes.length;
  if (changes.length === 0 || changes.length > MAX_STEPS || !isUnique)
    throw new ToolError('invalid_arguments', `changes: must have 1 to ${MAX_STEPS} entries, one per link.`);
  return changes;
}

async function readLinks(context: ToolContext, changes: readonly LinkChange[]) {
  return new Map(await readByIds(context, { group: 'links', kind: 'link', ids: changes.map(({ id }) => id) }));
}

async function readByIds(
  context: ToolContext,
  { group, kind, ids }: { group: 'links' | 'documents' | 'rooms'; kind: string; ids: readonly string[] },
): Promise<readonly (readonly [id: string, item: JsonObject])[]> {
  const wanted = new Set(ids);
  if (wanted.size === 0) return [];
  const matches = (item: JsonObject) => wanted.has(idOf(item, kind) ?? '');
  const search = { group, matches, max: wanted.size, limit: MAX_SEARCHED };
  const { items, read, failure } = await findMatchingItems(context, search);
  // An approved plan waits for the rate limit by itself.
  if (group === 'links' && !context.plan && isTransient(failure, read)) throw failure;
  return items.map((item) => [idOf(item, kind) ?? '', item]);
}

/** Values that the changed fields have in a link; those that the service does not show are left out. */
function getValues({ fields }: LinkChange, link: JsonObject | undefined): JsonObject {
  return Object.fromEntries(
    Object.keys(toRequestBody(fields)).flatMap((name) => {
      const value = link && getField(link, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Those values without secrets, which the service hides or masks. */
function getShownValues(change: LinkChange, link: JsonObject | undefined): JsonObject {
  const values = Object.entries(getValues(change, link));
  const isSecret = ([name, value]: [string, unknown]) =>
    getFieldChanges([name], { [name]: value }).some((one) => isSecretField(one.name));
  return Object.fromEntries(values.filter((entry) => !isSecret(entry)));
}

/** Reads the documents and rooms that links show, by their IDs, if a change may open or end the link or the link has no name. */
async function readTargets(
  context: ToolContext,
  changes: readonly LinkChange[],
  links: ReadonlyMap<string, JsonObject>,
): Promise<ReadonlyMap<unknown, JsonObject>> {
  const opened = changes.flatMap((change) => {
    const link = links.get(change.id);
    return link && (!getTitle(link) || getLinkRank(change, link) < 3) ? [link] : [];
  });
  const lists = TARGETS.map(async ({ group, kind, field }) => {
    const ids = opened.flatMap((link) => getReference(link, field) ?? []);
    const items = await readByIds(context, { group, kind, ids });
    const toShown = async (id: string, item: JsonObject) =>
      [id, kind === 'room' ? { name: getTitle(item) } : await withUploadedFileName(context, item, id)] as const;
    const unread = ids.map((id) => [id, { id }] as const);
    return [...unread, ...(await Promise.all(items.map(([id, item]) => toShown(id, item))))];
  });
  return new Map((await Promise.all(lists)).flat());
}

/** Returns the document or room that a link shows. */
function getTarget(link: JsonObject | undefined, targets: ReadonlyMap<unknown, JsonObject>) {
  return TARGETS.map(({ kind, field }) => ({ kind, target: targets.get(getReference(link, field)) })).find(
    ({ target }) => target,
  );
}

type NewTarget = Awaited<ReturnType<typeof describeNewTarget>>;

/** Reads what changes make links show, each document and room once. */
async function readNewTargets(
  context: ToolContext,
  changes: readonly LinkChange[],
): Promise<ReadonlyMap<string, NewTarget>> {
  const reads = new Map<string, Promise<NewTarget>>();
  const read = ({ fields }: LinkChange) => {
    const key = JSON.stringify(getFieldChanges(Object.keys(fields), fields).filter(isNewTarget));
    const target = reads.get(key) ?? describeNewTarget(context, fields);
    reads.set(key, target);
    return target;
  };
  return new Map(await Promise.all(changes.map(async (change) => [change.id, await read(change)] as const)));
}

/** The name of what a change makes a link show, and its file, because an uploader chooses the name. */
function formatNewTarget(target: NewTarget): JsonObject {
  if (!target) return {};
  const files = DOCUMENT_FILE_FIELDS.map((name) => [name, getTextField(target.about, [name])]);
  return { [`new_${target.kind}`]: { name: getTitle(target.about), ...Object.fromEntries(files) } };
}

interface ReadObjects {
  readonly links: ReadonlyMap<string, JsonObject>;
  readonly targets: ReadonlyMap<unknown, JsonObject>;
  readonly newTargets: ReadonlyMap<string, NewTarget>;
}

/**
 * A link with what it shows now and then, and the old values of a change, which decide about its approval whatever their
 * names.
 */
function getAffected(change: LinkChange, { links, targets, newTargets }: ReadObjects): JsonObject {
  const link = links.get(change.id);
  const new_target = newTargets.get(change.id)?.about;
  return { ...link, ...getTarget(link, targets), new_target, checksum: JSON.stringify(getValues(change, link)) };
}

const isNewTarget = ({ path }: FieldChange) => TARGETS.some(({ kind }) => isReference(path, kind));

/**
 * Changes that open a link come first: 0 removes a gate or shows something else, 1 may let more people in, 2 ends the link,
 * 3 restricts it.
 */
function getRank(change: FieldChange, link: JsonObject | undefined): number {
  const { name, from, to } = change;
  if (getRemovedGate(change) || isNewTarget(change)) return 0;
  if (isPastExpiry(name, to)) return 2;
  if (to === undefined) return 1;
  // A password or limit restricts only if there was none.
  const subject = typeof to === 'boolean' || from === null ? 'new link' : 'object';
  const isSafe = findRiskyFields({ [name]: to }, subject).length === 0 || (link && isEarlierExpiry(name, to, link));
  return isSafe ? 3 : 1;
}

function getLinkRank({ fields }: LinkChange, link: JsonObject | undefined): number {
  return Math.min(4, ...getFieldChanges(Object.keys(fields), fields, link).map((change) => getRank(change, link)));
}

export const updateLinks = defineTool({
  name: 'update_links',
  title: 'Update links',
  description:
    'Changes several links as one plan: the user approves all changes at once. Returns the new values, and undo: pass it as changes to restore the old ones. If "left" is returned, call again.',
  operations: ['links.update', 'links.list'],
  idSource: 'list_links',
  inputSchema: z.strictObject({
    changes: z
      .array(z.unknown())
      .meta({
        items: { type: 'object' },
        description: `At most ${MAX_STEPS} changes, each {id, fields} as in update_link, or a plan of review_exposure.`,
      }),
  }),
  outputSchema: { type: 'object', properties: { items: { type: 'array' }, undo: { type: 'array' } } },
  check({ changes }, context) {
    for (const { id, fields } of readChanges(changes))
      checkOperation(context, 'links.update', mergeFields({ id, fields }));
  },
  confirmation({ changes: values }) {
    const changes = readChanges(values);
    return {
      effects: changes.flatMap(({ id, fields }) => getLinkEffects(id, getFieldChanges(Object.keys(fields), fields))),
      isPlan: true,
      async describe(context) {
        const links = await readLinks(context, changes);
        const targets = await readTargets(context, changes, links);
        const newTargets = await readNewTargets(context, changes);
        const formerNames = await Promise.all(changes.map(({ id }) => getFormerName(context, 'links', id)));
        const rooms = await Promise.all(
          changes.map(({ id, fields }) =>
            readRoomOfGroup(context, getFieldChanges(Object.keys(fields), fields), links.get(id)),
          ),
        );
        const rows = changes.map((change, index) => {
          const link = links.get(change.id);
          const list = getFieldChanges(Object.keys(change.fields), change.fields, link);
          const ordered = list.toSorted((a, b) => getRank(a, link) - getRank(b, link));
          const shown = getTarget(link, targets);
          const title = getTitle(link) ?? getTitle(shown?.target);
          const behind = shown && describeTarget(title, shown.kind, shown.target);
          const target = newTargets.get(change.id);
          const parts = [
            target ? `new ${target.kind} ${target.name}` : [],
            formatFormerName(title, formerNames[index]) || [],
            behind || [],
            isUngated(link, change.fields) ? 'no email gate' : [],
          ].flat();
          const changed =
            ordered.length === 0
              ? 'no change'
              : formatShortList(formatChanges(nameGroups(ordered, target?.item, rooms[index])), 'changes');
          const name = quoteName(title ?? change.id, 40);
          const text = `${name} (${[...parts, changed].join('; ')})`;
          const brief = parts.length === 0 ? name : `${name} (${parts.join('; ')})`;
          const gates = list.flatMap((one) => getRemovedGate(one) ?? []);
          return { text, brief, gates, isSwitched: list.some(isNewTarget), rank: getLinkRank(change, link) };
        });
        const sorted = rows.toSorted((a, b) => a.rank - b.rank);
        const count = (test: (row: (typeof rows)[number]) => boolean) => rows.filter(test).length;
        const gates = [...new Set(rows.flatMap((row) => row.gates))];
        const switched = count(({ isSwitched }) => isSwitched);
        const [opening, ending] = [1, 2].map((wanted) => count(({ rank }) => rank === wanted));
        const effects = [
          ...gates.map((gate) => `removing the ${gate} of ${count((row) => row.gates.includes(gate))}`),
          ...(switched ? [`showing something else on ${switched}`] : []),
          ...(opening ? [`possibly opening ${opening}`] : []),
          ...(ending ? [`ending ${ending}`] : []),
        ];
        return {
          headline: {
            before: `Change ${formatCount(changes.length, 'links')}${['', ...effects].join(', ')}: `,
            items: sorted.map(({ text }) => text),
            briefItems: sorted.map(({ brief }) => brief),
            noun: 'links',
          },
          notice: 'People who have such a link may see more than before, or lose access.',
          request: Object.fromEntries(
            changes.map(({ id, fields }, index) => [`change_${index + 1}`, { id, ...fields }]),
          ),
          about: Object.fromEntries(
            changes.map((change) => {
              const link = links.get(change.id);
              const shown = getTarget(link, targets);
              return [
                change.id,
                {
                  name: getTitle(link),
                  ...(shown && { [shown.kind]: getTitle(shown.target) }),
                  ...formatNewTarget(newTargets.get(change.id)),
                  ...getShownValues(change, link),
                },
              ];
            }),
          ),
          basis: Object.fromEntries(
            changes.map((change) => [change.id, getAffected(change, { links, targets, newTargets })]),
          ),
        };
      },
    };
  },
  async handler(context, { changes: values }) {
    const changes = readChanges(values);
    const reading = withPlanReads(context);
    const links = await readLinks(reading, changes);
    const targets = await readTargets(reading, changes, links);
    // Only an approved plan compares them.
    const newTargets = context.plan ? await readNewTargets(reading, changes) : new Map<string, NewTarget>();
    const ignoredFields = new Set<string>();
    const { items, touched, data, trustedFields } = await runPlan(
      context,
      changes.map((change) => ({
        key: change.id,
        about: { id: change.id, name: getTitle(links.get(change.id)) },
        affected: getAffected(change, { links, targets, newTargets }),
        async run() {
          await rememberFormerName(context, 'links', { ...change, known: links.get(change.id) });
          const updated = await callOperation(context, 'links.update', mergeFields({ ...change }));
          for (const field of findIgnoredFields(toRequestBody(change.fields), updated)) ignoredFields.add(field);
          const link = isObject(updated) ? updated : undefined;
          // The old name would look like a new value.
          const isRenamed = getTitle(toRequestBody(change.fields)) !== undefined;
          return { ...(isRenamed && { name: link && getTitle(link) }), ...getShownValues(change, link) };
        },
      })),
    );
    const changed = changes.filter(({ id }) => touched.includes(id));
    const undo = changed.map((change) => ({ id: change.id, ...getShownValues(change, links.get(change.id)) }));
    // `undo` has no passwords and other secrets, because their old values are unknown.
    const unknown = changed.flatMap(({ id, fields }, index) => {
      const names = Object.keys(toRequestBody(fields)).filter((name) => !Object.hasOwn(undo[index] ?? {}, name));
      return names.length > 0 ? [`${names.map(quoteFieldName).join(', ')} of ${id}`] : [];
    });
    const note = `undo leaves out what the service does not return: ${unknown.join('; ')}. Tell the user.`;
    return {
      data: {
        ...data,
        items,
        undo: undo.filter((values) => Object.keys(values).length > 1),
        ...(unknown.length > 0 && { note }),
      },
      trustedFields: [...trustedFields, 'note'],
      ignoredFields: [...ignoredFields],
    };
  },
});

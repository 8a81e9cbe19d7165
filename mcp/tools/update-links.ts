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

type NewTarget = Awaited<ReturnType<typeof describeNewTarget>>;

/** A change with its link, if that could be read, what the link shows, and what the change makes it show. */
interface PlannedChange extends LinkChange {
  readonly link: JsonObject | undefined;
  readonly shown: { readonly kind: string; readonly target: JsonObject } | undefined;
  readonly newTarget: NewTarget;
}

/** @param readsNewTargets whether the documents and rooms that the changes name are read */
async function readPlan(
  context: ToolContext,
  changes: readonly LinkChange[],
  readsNewTargets: boolean,
): Promise<readonly PlannedChange[]> {
  const ids = changes.map(({ id }) => id);
  const links = new Map(await readByIds(context, { group: 'links', kind: 'link', ids }));
  // A question names what a link shows if the link has no name, or if the change may open or end it.
  const named = changes.flatMap((change) => {
    const link = links.get(change.id);
    return link && (!getTitle(link) || getLinkRank(change, link) < 3) ? [link] : [];
  });
  const targets = await readTargets(context, named);
  const newTargets = readsNewTargets ? await readNewTargets(context, changes) : [];
  return changes.map((change, index) => {
    const link = links.get(change.id);
    const shown = TARGETS.flatMap(({ kind, field }) => {
      const target = targets.get(getReference(link, field));
      return target ? [{ kind, target }] : [];
    });
    return { ...change, link, shown: shown[0], newTarget: newTargets[index] };
  });
}

/** Reads the documents and rooms that links show, by their IDs. */
async function readTargets(
  context: ToolContext,
  links: readonly JsonObject[],
): Promise<ReadonlyMap<unknown, JsonObject>> {
  const lists = TARGETS.map(async ({ group, kind, field }) => {
    const ids = links.flatMap((link) => getReference(link, field) ?? []);
    const items = await readByIds(context, { group, kind, ids });
    const toShown = async (id: string, item: JsonObject) =>
      [id, kind === 'room' ? { name: getTitle(item) } : await withUploadedFileName(context, item, id)] as const;
    const unread = ids.map((id) => [id, { id }] as const);
    return [...unread, ...(await Promise.all(items.map(([id, item]) => toShown(id, item))))];
  });
  return new Map((await Promise.all(lists)).flat());
}

/** Reads what changes make links show, each document and room once. */
async function readNewTargets(context: ToolContext, changes: readonly LinkChange[]): Promise<readonly NewTarget[]> {
  const reads = new Map<string, Promise<NewTarget>>();
  const read = ({ fields }: LinkChange) => {
    const key = JSON.stringify(getFieldChanges(Object.keys(fields), fields).filter(isNewTarget));
    const target = reads.get(key) ?? describeNewTarget(context, fields);
    reads.set(key, target);
    return target;
  };
  return Promise.all(changes.map(read));
}

/** The name of what a change makes a link show, and its file, because an uploader chooses the name. */
function formatNewTarget(target: NewTarget): JsonObject {
  if (!target) return {};
  const files = DOCUMENT_FILE_FIELDS.map((name) => [name, getTextField(target.about, [name])]);
  return { [`new_${target.kind}`]: { name: getTitle(target.about), ...Object.fromEntries(files) } };
}

/**
 * A link with what it shows now and then, and the old values of a change, which decide about its approval whatever their
 * names.
 */
function getAffected({ link, shown, newTarget, ...change }: PlannedChange): JsonObject {
  return { ...link, ...shown, new_target: newTarget?.about, checksum: JSON.stringify(getValues(change, link)) };
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

/** Describes the change of one link for the question. */
async function describeChange(context: ToolContext, { id, fields, link, shown, newTarget }: PlannedChange) {
  const changes = getFieldChanges(Object.keys(fields), fields, link);
  const [formerName, room] = await Promise.all([
    getFormerName(context, 'links', id),
    readRoomOfGroup(context, changes, link),
  ]);
  const title = getTitle(link) ?? getTitle(shown?.target);
  const parts = [
    newTarget ? `new ${newTarget.kind} ${newTarget.name}` : '',
    formatFormerName(title, formerName),
    shown ? describeTarget(title, shown.kind, shown.target) : '',
    isUngated(link, fields) ? 'no email gate' : '',
  ].filter((part) => part !== '');
  const ordered = changes.toSorted((a, b) => getRank(a, link) - getRank(b, link));
  const changed =
    ordered.length === 0
      ? 'no change'
      : formatShortList(formatChanges(nameGroups(ordered, newTarget?.item, room)), 'changes');
  const name = quoteName(title ?? id, 40);
  return {
    text: `${name} (${[...parts, changed].join('; ')})`,
    brief: parts.length === 0 ? name : `${name} (${parts.join('; ')})`,
    gates: changes.flatMap((one) => getRemovedGate(one) ?? []),
    isSwitched: changes.some(isNewTarget),
    rank: getLinkRank({ id, fields }, link),
  };
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
        const plan = await readPlan(context, changes, true);
        const rows = await Promise.all(plan.map((change) => describeChange(context, change)));
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
            plan.map(({ link, shown, newTarget, ...change }) => [
              change.id,
              {
                name: getTitle(link),
                ...(shown && { [shown.kind]: getTitle(shown.target) }),
                ...formatNewTarget(newTarget),
                ...getShownValues(change, link),
              },
            ]),
          ),
          basis: Object.fromEntries(plan.map((change) => [change.id, getAffected(change)])),
        };
      },
    };
  },
  async handler(context, { changes: values }) {
    // Only an approved plan compares the new targets.
    const plan = await readPlan(withPlanReads(context), readChanges(values), context.plan !== undefined);
    const ignoredFields = new Set<string>();
    const { items, touched, data, trustedFields } = await runPlan(
      context,
      plan.map((change) => ({
        key: change.id,
        about: { id: change.id, name: getTitle(change.link) },
        affected: getAffected(change),
        async run() {
          const { id, fields, link: known } = change;
          await rememberFormerName(context, 'links', { id, fields, known });
          const updated = await callOperation(context, 'links.update', mergeFields({ id, fields }));
          for (const field of findIgnoredFields(toRequestBody(fields), updated)) ignoredFields.add(field);
          const link = isObject(updated) ? updated : undefined;
          // The old name would look like a new value.
          const isRenamed = getTitle(toRequestBody(fields)) !== undefined;
          return { ...(isRenamed && { name: link && getTitle(link) }), ...getShownValues(change, link) };
        },
      })),
    );
    const changed = plan.filter(({ id }) => touched.includes(id));
    const undo = changed.map((change) => ({ id: change.id, ...getShownValues(change, change.link) }));
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

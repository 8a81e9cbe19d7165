import { type JsonObject, normalizeName } from '../../src/records/fields.ts';
import type { Headline } from '../tool/headline.ts';
import { type ActionEffects, getResourceNoun, type PendingAction, type ToolContext } from '../tool/tool.ts';
import { type DescribedObject, describeDocument, describeDocuments, describeObject } from './describe-object.ts';
import { formatChanges, getFieldChanges, toEffectName } from './field-changes.ts';
import type { ListedGroup } from './object-lookup.ts';

/** The action of a write to confirm, if any. `fields`: its plain arguments, `fields` and `extra` side by side. */
export type WriteConfirmation = (
  args: { readonly id: string; readonly fields: JsonObject },
  context: ToolContext,
) => PendingAction | undefined | Promise<PendingAction | undefined>;

/** Effects of a new object with these fields; undefined if they don't identify it. */
export type NewObjectEffects = (fields: JsonObject, context: ToolContext) => Promise<ActionEffects | undefined>;

/** The document that a request names, or all of them, which other people may get. */
export async function describeNewDocument(
  context: ToolContext,
  fields: JsonObject,
): Promise<DescribedObject | undefined> {
  const [id, ...others] = findIds(fields, 'document');
  if (id === undefined) return undefined;
  if (others.length > 0) {
    const { names, abouts } = await describeDocuments(
      context,
      [id, ...others].map((one) => ({ id: one })),
    );
    return { name: names, item: undefined, about: { documents: abouts } };
  }
  const { about = { id }, ...document } = await describeDocument(context, id);
  return { ...document, about };
}

/** See `Tool.describeNamedObjects`. */
export async function describeNamedObjects(context: ToolContext, group: string, { id, ...args }: JsonObject) {
  const [object, document] = await Promise.all([
    // Only groups with a list have tools that change an object by its ID.
    typeof id === 'string' ? describeObject(context, group as ListedGroup, id) : undefined,
    describeNewDocument(context, args),
  ]);
  return {
    purpose: `${object ? ` for ${object.name}` : ''}${document ? ` with document ${document.name}` : ''}`,
    ...(object || document ? { about: { ...object?.about, ...(document && { new_document: document.about }) } } : {}),
  };
}

/** The document or room that a change of a link names. */
export async function describeNewTarget(context: ToolContext, fields: JsonObject) {
  const document = await describeNewDocument(context, fields);
  if (document) return { ...document, kind: 'document' };
  const [id] = findIds(fields, 'room');
  return id === undefined ? undefined : { ...(await describeObject(context, 'rooms', id)), kind: 'room' };
}

/** Returns whether a path names an object of a kind: `document_id`, `document.id` or `document`; a room also `dataroom_id`. */
export const isReference = (path: string, kind: 'document' | 'room' | 'group') =>
  new RegExp(`(?:^|\\.)${kind === 'room' ? '(?:data_?)?' : ''}${kind}(?:[._]?id)?$`, 'i').test(path);

/** The IDs in the fields of a request, also as numbers. Only the service knows which of several names it reads. */
export function findIds(fields: JsonObject, kind: 'document' | 'room'): readonly string[] {
  const changes = getFieldChanges(Object.keys(fields), fields);
  const ids = changes.filter(({ path }) => isReference(path, kind)).map(({ to }) => to);
  return [...new Set(ids.filter((id) => /^(?:string|number|bigint)$/.test(typeof id)).map(String))];
}

/** The objects or people of an effect, or one blank. A decline about some does not cover others. */
export const toEffectParts = (list: readonly string[]): readonly string[] => (list.length > 0 ? list : ['']);

/** Confirms an action on one object, which the question names and shows. */
export function getObjectAction(
  [group, id]: readonly [group: ListedGroup | 'documents', id: string],
  action: {
    readonly effects: readonly string[];
    readonly getHeadline: (object: DescribedObject, problems: readonly string[], document?: string) => Headline;
    /** Fields of the request; the question names a document among them. */
    readonly fields?: JsonObject;
    /** Finds reasons not to act, which the question names first. */
    readonly check?: (object: DescribedObject, context: ToolContext) => Promise<readonly string[]>;
    readonly notice?: string;
    /** Fields of the object that say nothing about this action. */
    readonly without?: string;
  },
): PendingAction {
  const { effects, getHeadline, fields = {}, check, without = '', notice } = action;
  return {
    effects,
    async describe(context) {
      const [object, document] = await Promise.all([
        group === 'documents' ? describeDocument(context, id) : describeObject(context, group, id),
        describeNewDocument(context, fields),
      ]);
      const { [without]: _, ...about } = object.about ?? {};
      const problems = (await check?.(object, context)) ?? [];
      const warning = problems.length === 0 ? [] : [`Check first: ${problems.join('; ')}.`];
      const notices = [...warning, ...(notice === undefined ? [] : [notice])];
      return {
        headline: getHeadline(object, problems, document?.name),
        ...(notices.length > 0 ? { notice: notices.join(' ') } : {}),
        ...(document ? { about: { ...about, new_document: document.about } } : object.about ? { about } : {}),
      };
    },
  };
}

/** Confirms the change of the named fields; nothing to confirm without any. */
export function getChangeAction(
  [group, id]: readonly [group: ListedGroup, id: string],
  { fields, names, notice, effect }: { fields: JsonObject; names: readonly string[]; notice: string; effect?: string },
): PendingAction | undefined {
  if (names.length === 0) return undefined;
  return getObjectAction([group, id], {
    // Also as calls without a question name it: the usual spelling of the same field may need none.
    effects: getFieldChanges(names, fields).flatMap(({ name }) =>
      [effect ?? toEffectName(name), normalizeName(name)].map((one) => `${group}.update ${id} ${one}`),
    ),
    fields,
    getHeadline({ name, item }, _, document) {
      const risky = getFieldChanges(names, fields, item);
      const changes = risky.length > 0 ? risky : getFieldChanges(Object.keys(fields), fields, item);
      return {
        before: `Change ${getResourceNoun(group)} ${name}${document === undefined ? '' : ` to document ${document}`}: `,
        items: formatChanges(changes),
        // Two long addresses may not fit.
        briefItems: formatChanges(changes.map((change) => ({ ...change, from: undefined }))),
        noun: 'changes',
        none: 'no change',
      };
    },
    notice,
  });
}

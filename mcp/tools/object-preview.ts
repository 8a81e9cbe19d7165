import { IncompleteListError } from '../../src/errors.ts';
import type { Group, SearchResult } from '../../src/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { getName, idOf } from '../../src/records/fields.ts';
import { toBriefItem, withIdAndName, withoutNulls } from '../result/projection.ts';
import { redactSecretFields } from '../result/redact-secrets.ts';
import { fitToBudget } from '../result/token-budget.ts';
import type { ToolContext } from '../tool/tool.ts';

const MAX_ITEMS = 500;
const MAX_TOKENS = 3000;

/** Groups without an operation that reads one object: it is looked up in the list. */
export type ListedGroup = Extract<
  Group,
  'links' | 'rooms' | 'agreements' | 'proposals' | 'webhooks' | 'templates' | 'contacts'
>;

export type LookupResult = SearchResult<{ readonly item: JsonObject }>;

/** Looks up an object in its list, bounded in time and size. Failures are ignored: the preview then has no details. */
export async function findInList(
  { client, options }: ToolContext,
  { group, id }: { group: ListedGroup; id: string },
): Promise<LookupResult> {
  let read = 0;
  try {
    for await (const item of client[group].list({}, withLimits(options))) {
      if (idOf(item, toSingular(group)) === id) return { kind: 'found', item };
      read += 1;
      if (read >= MAX_ITEMS) return { kind: 'not-fully-searched', reason: 'the list is longer', read };
    }
    return { kind: 'not-found' };
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    const reason = error instanceof IncompleteListError ? error.reason : 'the list could not be read';
    return { kind: 'not-fully-searched', reason, read };
  }
}

/** Items of a list that match; incomplete if the list could not be read completely. */
export interface MatchingItems {
  readonly items: readonly JsonObject[];
  readonly isComplete: boolean;
}

/** Reads a list within the limits of a preview and keeps the items that match. */
export async function findAllInList(
  { client, options }: ToolContext,
  { group, matches }: { group: ListedGroup; matches: (item: JsonObject) => boolean },
): Promise<MatchingItems> {
  const items: JsonObject[] = [];
  let read = 0;
  try {
    for await (const item of client[group].list({}, withLimits(options))) {
      if (matches(item)) items.push(item);
      read += 1;
      if (read >= MAX_ITEMS) return { items, isComplete: false };
    }
    return { items, isComplete: true };
  } catch {
    if (options.signal?.aborted) throw options.signal.reason;
    return { items, isComplete: false };
  }
}

/** Title of an item, or else its ID. */
export function getItemTitle(item: JsonObject): string {
  return getName(item) ?? 'without a name';
}

/** All fields of a found object, and the document that a link or file shows. */
export async function describeLookup(
  context: ToolContext,
  { group, lookup }: { group: ListedGroup; lookup: LookupResult },
): Promise<JsonObject | undefined> {
  if (lookup.kind !== 'found') {
    if (lookup.kind === 'not-fully-searched' && lookup.read === 0) return undefined;
    const place = lookup.kind === 'not-found' ? '' : ` among the first ${lookup.read} ${group}`;
    return { note: `No ${toSingular(group)} with this ID was found${place}.` };
  }
  const { item } = lookup;
  const details = toPreviewItem(item, toSingular(group));
  const { document_id } = item;
  const document = typeof document_id === 'string' ? await readDocument(context, document_id) : undefined;
  return document ? { ...details, document } : details;
}

/** A document's plain fields, above all its name; undefined if it can't be read. */
export async function readDocument({ client, options }: ToolContext, id: string): Promise<JsonObject | undefined> {
  try {
    return toBriefItem(await client.documents.get({ id }, { ...withLimits(options), deadlineMs: 4000 }), 'document');
  } catch {
    if (options.signal?.aborted) throw options.signal.reason;
    return undefined;
  }
}

function withLimits(options: ToolContext['options']): ToolContext['options'] {
  return { ...options, deadlineMs: 8000, maxWaitMs: 3000 };
}

function toSingular(group: ListedGroup): string {
  return group.replace(/s$/, '');
}

/** All fields, limited only by size: a recipient that the preview leaves out would not have been approved. */
function toPreviewItem(item: JsonObject, resource: string): JsonObject {
  const clean = withoutNulls(redactSecretFields(item, [])) as JsonObject;
  const { data, isTruncated } = fitToBudget(withIdAndName(clean, resource), MAX_TOKENS);
  return isTruncated ? { ...data, note: 'Long values are shortened in this preview.' } : data;
}

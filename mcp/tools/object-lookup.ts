import { RECORD_FIELDS, ROOM_FIELD } from '../../src/assumptions/index.ts';
import { AuthenticationError, NetworkError, RateLimitError, ServerError, TimeoutError } from '../../src/errors.ts';
import type { Group, SearchResult } from '../../src/index.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { getTextField, getTitle, idOf } from '../../src/records/fields.ts';
import { ID_PATTERN } from '../assumptions.ts';
import { removeNulls, toBriefItem, withIdAndName, withOwnName } from '../result/projection.ts';
import { redactSecretFields } from '../result/redact-secrets.ts';
import { fitToBudget } from '../result/token-budget.ts';
import { toRequestBody } from '../tool/canonical-call.ts';
import { getResourceNoun, type ListReader, type ToolContext } from '../tool/tool.ts';

const MAX_ITEMS = 500;
/** How many objects are searched for an ID. Drafts are created without a question, so hundreds may precede the one to send. */
export const MAX_SEARCHED = 1000;
const MAX_TOKENS = 3000;
/** A draft is sent as a whole: room for about 100 recipients and a long message. */
const MAX_DRAFT_TOKENS = 10_000;

/** Groups without an operation that reads one object: it is looked up in the list. */
export type ListedGroup = Extract<
  Group,
  'links' | 'rooms' | 'agreements' | 'proposals' | 'webhooks' | 'templates' | 'contacts'
>;

export type LookupResult = SearchResult<{ readonly item: JsonObject }>;

/**
 * After these, a later call can show the object (a rejected key may be new), so nobody is asked about a bare ID now. A
 * caller could also use up the rate limit on purpose.
 */
const TRANSIENT_FAILURES = [AuthenticationError, RateLimitError, ServerError, NetworkError, TimeoutError] as const;
type TransientFailure = InstanceType<(typeof TRANSIENT_FAILURES)[number]>;

/**
 * Looks up an object in its list.
 * @throws TransientFailure
 */
export async function findInList(
  context: ToolContext,
  { group, id }: { group: ListedGroup; id: string },
): Promise<LookupResult> {
  // Responses mostly have the ID of their HTTP request as `request_id`; a listed agreement has its own (Zoho Sign).
  const matches = (item: JsonObject) => [idOf(item, getResourceNoun(group)), item['request_id']].includes(id);
  const options = { group, matches, max: 1, limit: MAX_SEARCHED };
  const { items, read, isComplete, failure } = await findMatchingItems(context, options);
  if (isTransient(failure, read)) throw failure;
  const [item] = items;
  if (item) return { kind: 'found', item };
  return isComplete ? { kind: 'not-found' } : { kind: 'not-fully-searched', reason: 'the list was not read', read };
}

interface ReadOptions {
  readonly matches?: (item: JsonObject) => boolean;
  readonly max?: number;
  /** How many items are read. */
  readonly limit?: number;
}

/** Keeps the items of a group's list that match, as `parseListResponse` does. */
export async function findMatchingItems(
  { client, options }: Pick<ListReader, 'client' | 'options'>,
  { group, ...readOptions }: ReadOptions & { readonly group: ListedGroup | 'documents' },
) {
  const list = addOwnNames(() => client[group].list({}, withReadLimits(options)), getResourceNoun(group));
  return readMatchingItems(list, options.signal, readOptions);
}

/** A sign-in without the scope can't even open the list. */
async function* addOwnNames(openList: () => AsyncIterable<JsonObject>, resource: string) {
  for await (const item of openList()) yield withOwnName(item, resource);
}

/**
 * Keeps the items of a list that match, at most `max`, bounded in time and size; incomplete if the list was not read to its
 * end. Failures are ignored: the preview then has no details.
 */
export async function readMatchingItems(
  list: AsyncIterable<JsonObject>,
  signal: AbortSignal | undefined,
  { matches = () => true, max = MAX_ITEMS, limit = MAX_ITEMS }: ReadOptions = {},
) {
  const items: JsonObject[] = [];
  let read = 0;
  const failure: unknown = undefined;
  try {
    for await (const item of list) {
      if (matches(item)) items.push(item);
      read += 1;
      if (read >= limit || items.length >= max) return { items, read, isComplete: false, failure };
    }
    return { items, read, isComplete: true, failure };
  } catch (failure) {
    if (signal?.aborted) throw signal.reason;
    return { items, read, isComplete: false, failure };
  }
}

/** Reads all items of a group for a report, which names in `notRead` what is missing. */
export async function readAllForReport(
  context: ToolContext,
  group: ListedGroup,
  { notRead, failures }: { notRead: string[]; failures: unknown[] },
): Promise<readonly JsonObject[]> {
  if (!context.mode.readableGroups.includes(group)) {
    notRead.push(`${group} (not enabled)`);
    return [];
  }
  const { items, isComplete, failure } = await findMatchingItems(context, { group });
  if (failure !== undefined) failures.push(failure);
  if (!isComplete) notRead.push(`${group} after the first ${items.length}`);
  return items;
}

/** The ID that an object refers to by a field such as `document_id`, which services also name `document.id` or `document`. */
export function getReference(item: JsonObject | undefined, field: string): string | undefined {
  const fields = field === ROOM_FIELD ? [field, `data${field}`] : [field];
  return getTextField(
    item,
    fields.flatMap((name) => ['_id', '.id', ''].map((end) => name.replace('_id', end))),
  );
}

/** The template of a draft; a text under `template` may be its name. */
export const getTemplateId = (item: JsonObject | undefined): string | undefined =>
  getTextField(item, RECORD_FIELDS.templateId) ?? getTextField(item, ['template'])?.match(ID_PATTERN)?.[0];

/** All fields of a found object, and the document or room that it shows. A room's contents change by themselves. */
export async function describeLookup(
  context: ToolContext,
  { group, lookup }: { group: ListedGroup; lookup: LookupResult },
): Promise<JsonObject | undefined> {
  if (lookup.kind !== 'found') {
    if (lookup.kind === 'not-fully-searched' && lookup.read === 0) return undefined;
    const place = lookup.kind === 'not-found' ? '' : ` among the first ${lookup.read} ${group}`;
    return { note: `No ${getResourceNoun(group)} with this ID was found${place}.` };
  }
  const { item } = lookup;
  const details = toPreviewItem(item, getResourceNoun(group));
  const [documentId, roomId] = ['document_id', ROOM_FIELD].map((name) => getReference(item, name));
  if (documentId !== undefined) {
    const document = await readDocument(context, documentId);
    return document ? { ...details, document } : details;
  }
  if (group !== 'links' || roomId === undefined) return details;
  const room = await findInList(context, { group: 'rooms', id: roomId });
  if (room.kind === 'found') return { ...details, room: { id: roomId, name: getTitle(room.item) } };
  return { room: { id: roomId }, ...details };
}

/**
 * Remembers the original name of an object that a call renames, by which the person who approves a later action may know it.
 * `known`: the object, if it was read.
 */
export async function rememberFormerName(
  context: ToolContext,
  group: ListedGroup,
  { id, fields, known }: { readonly id: string; readonly fields: JsonObject; readonly known?: JsonObject | undefined },
): Promise<void> {
  const name = getTitle(toRequestBody(fields));
  if (name === undefined || (await getFormerName(context, group, id)) !== undefined) return;
  const lookup = known ? undefined : await findInList(context, { group, id });
  const former = getTitle(lookup?.kind === 'found' ? lookup.item : known);
  if (former !== undefined && former !== name) await context.memory.set(`name of ${group} ${id}`, former.slice(0, 255));
}

/** Name of an object before this server renamed it. */
export function getFormerName({ memory }: ListReader, group: Group, id: string): Promise<string | undefined> {
  return memory.get(`name of ${group} ${id}`);
}

/** IDs of documents or rooms, and those of the files that they were uploaded from, which a person may have declined. */
export async function readTargetIds({ memory }: ListReader, ...ids: readonly string[]): Promise<readonly string[]> {
  const sources = await Promise.all(ids.map((id) => memory.get(`source of ${id}`)));
  return [...ids, ...sources.flatMap((sourceIds) => (sourceIds ? sourceIds.split(' ') : []))];
}

/** Adds the name of the file that this server uploaded as a document of another name. */
export async function withUploadedFileName(
  { memory }: ListReader,
  document: JsonObject,
  id: string,
): Promise<JsonObject> {
  const uploaded_file = await memory.get(`file of ${idOf(document, 'document') ?? id}`);
  return uploaded_file ? { ...document, uploaded_file } : document;
}

/**
 * A document's plain fields without signed URLs, which differ each time; undefined if it can't be read.
 * @throws TransientFailure
 */
export async function readDocument(context: ListReader, id: string): Promise<JsonObject | undefined> {
  const { client, options } = context;
  try {
    const document = await client.documents.get({ id }, withReadLimits({ deadlineMs: 4000, ...options }));
    const brief = redactSecretFields(toBriefItem(document, 'document'));
    return await withUploadedFileName(context, brief, id);
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    if (isTransient(error)) throw error;
    return undefined;
  }
}

/** As `readDocument`, for reports and plans, which can do without. */
export async function readDocumentIfPossible(context: ListReader, id: string): Promise<JsonObject | undefined> {
  return readDocument(context, id).catch((error) => {
    if (!isTransient(error)) throw error;
    return undefined;
  });
}

/** A list of which `read` objects came in time is only too long to be read to its end. */
export function isTransient(failure: unknown, read = 0): failure is TransientFailure {
  if (failure instanceof TimeoutError && read > 0) return false;
  return TRANSIENT_FAILURES.some((type) => failure instanceof type);
}

/** Options of a read that answers soon or not at all. */
export function withReadLimits(options: ToolContext['options']): ToolContext['options'] {
  return { deadlineMs: 8000, maxWaitMs: 3000, ...options };
}

/** All fields, limited only by size: a recipient that the preview leaves out would not have been approved. */
function toPreviewItem(item: JsonObject, resource: string): JsonObject {
  const clean = removeNulls(redactSecretFields(item)) as JsonObject;
  const budget = resource === 'agreement' || resource === 'proposal' ? MAX_DRAFT_TOKENS : MAX_TOKENS;
  const { data, isTruncated } = fitToBudget(withIdAndName(clean, resource), budget);
  return isTruncated ? { ...data, note: 'Long values are shortened in this preview.' } : data;
}

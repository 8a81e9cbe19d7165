import { GATES, RECORD_FIELDS, ROOM_FIELD } from '../../src/assumptions/index.ts';
import { findUnmetSettings } from '../fields/check-gates.ts';
import { hasGateInput, type LinkForm, parseGates, type RequestedSetting } from '../fields/gates.ts';
import {
  type Client,
  getTextField,
  idOf,
  includesName,
  type JsonObject,
  normalizeName,
  type SearchResult,
} from '../platform/client-core.ts';
import { truncateMessage } from '../platform/error-messages.ts';
import type { ClientStep, StepContext } from '../platform/with-client.ts';
import { link } from '../records/kinds.ts';
import { fetchPage, getListFunction, readPages, tryFindById } from '../records/read-list.ts';
import { toWriteResult } from '../records/record-kind.ts';

type LinkTarget = { readonly document: string } | { readonly room: string };

/**
 * Parses the gates of a form. Reads existing links for the field names only if a gate needs one; `id` is the link that is
 * updated.
 */
export async function prepareLinkForm(
  { client, bundle }: StepContext<JsonObject>,
  input: JsonObject,
  id?: string,
): Promise<LinkForm> {
  const zone = bundle.meta?.timezone ?? 'UTC';
  // Rejects invalid values before any request.
  const form = parseGates(input, { zone, examples: [] });
  if (!hasGateInput(input)) return form;
  const page = await fetchPage(getListFunction(link, client)).catch(() => undefined);
  const items = page?.items ?? [];
  const sameLink = items.filter((item) => id !== undefined && getTextField(item, ['id']) === id);
  return parseGates(input, { zone, examples: [...sameLink, ...items] });
}

/**
 * Creates a link and checks its gates. A link with a missing gate would be open to everyone, so it is deleted; then
 * `remainsNote` says what the step leaves behind.
 */
export async function createGatedLink(
  step: ClientStep,
  { target, form, remainsNote = '' }: { target: LinkTarget; form: LinkForm; remainsNote?: string },
): Promise<JsonObject> {
  const { client } = step;
  const { body, settings } = form;
  const targetFields = 'document' in target ? { document_id: target.document } : { [ROOM_FIELD]: target.room };
  const created = await client.links.create({ ...body, ...targetFields });
  const id = await resolveLinkId(client, created);
  const read = (linkId: string) => tryFindById(link, client, linkId);
  const unmet = await verifySettings(read, { id, settings, response: created });
  if (unmet.settings.length > 0) throw await rollBack(step, { created, id, unmet, remainsNote });
  const sentFields = 'document' in target ? { ...body, document_id: target.document } : body;
  return toLinkResult(created, { ...sentFields, id });
}

/** ID of a new link. §4: the response may have only the URL; then the list of links shows the ID. */
async function resolveLinkId(client: Client, created: { url: string }): Promise<string | undefined> {
  const ownId = idOf(created, 'link');
  if (ownId !== undefined) return ownId;
  const isCreatedLink = (item: unknown) => getTextField(item, RECORD_FIELDS.url) === created.url;
  // The link exists even if the key may not read links.
  const reading = await readPages(getListFunction(link, client), {
    isEnough: (items) => items.some(isCreatedLink),
  }).catch(() => undefined);
  return reading && idOf(reading.readItems.find(isCreatedLink), 'link');
}

/** Output of a link, without its password. */
function toLinkResult(response: JsonObject, sentFields: JsonObject): JsonObject {
  return toWriteResult(link, withoutPassword(response), withoutPassword(sentFields));
}

export function withoutPassword(record: JsonObject): JsonObject {
  const names = GATES.password.names.map(normalizeName);
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => !names.includes(normalizeName(name)) || typeof value !== 'string'),
  );
}

export interface VerifiedLink {
  /** Requested settings that the link does not show. */
  readonly settings: readonly RequestedSetting[];
  readonly link: JsonObject;
  readonly isRecordRead: boolean;
  /** True if the key may read links, but one run can't read them all. */
  readonly isListTooLong?: boolean;
}

/** Finds settings that neither the response nor the list of links shows as requested. */
export async function verifySettings(
  read: (id: string) => Promise<SearchResult<{ item: JsonObject }>>,
  { id, settings, response }: { id: string | undefined; settings: readonly RequestedSetting[]; response: JsonObject },
): Promise<VerifiedLink> {
  // §4: the response may be empty or have only the URL; the list shows more.
  const showsStatus = getTextField(response, RECORD_FIELDS.status) !== undefined;
  const hiddenStates = settings.filter(({ name }) => !showsStatus && includesName(RECORD_FIELDS.status, name));
  const isComplete = hiddenStates.length === 0 && getTextField(response, RECORD_FIELDS.url) !== undefined;
  if (settings.length === 0 || (isComplete && findUnmetSettings(settings, response).length === 0))
    return { settings: [], link: response, isRecordRead: true };
  const listed = id === undefined ? undefined : await read(id);
  const isRecordRead = listed?.kind === 'found';
  const currentLink = isRecordRead ? { ...response, ...listed.item } : response;
  const unmet = findUnmetSettings(settings, currentLink);
  const isListTooLong = listed?.kind === 'not-fully-searched' && listed.read > 0;
  const missing = isRecordRead ? unmet : [...unmet, ...hiddenStates];
  return { settings: missing, link: currentLink, isRecordRead, isListTooLong };
}

async function rollBack(
  { client, z }: ClientStep,
  {
    created,
    id,
    unmet,
    remainsNote,
  }: { created: JsonObject; id: string | undefined; unmet: VerifiedLink; remainsNote: string },
): Promise<Error> {
  const deleted =
    id !== undefined &&
    (await client.links
      .delete({ id })
      .then(() => true)
      .catch(() => false));
  const gateNames = quoteGateLabels(unmet.settings);
  const problem = unmet.isRecordRead
    ? `Docshare did not apply ${gateNames}`
    : `This step could not check whether Docshare applied ${gateNames}`;
  const advice = unmet.isRecordRead
    ? 'Set it in Additional Fields, under the name that your existing links use.'
    : unmet.isListTooLong
      ? 'Your workspace has more links than one run can read. Create this link in Docshare.'
      : 'Grant the API key the permission links:read, or replay this run later.';
  const location = getTextField(created, ['url'])?.slice(0, 60) ?? 'in Docshare';
  if (!deleted)
    return new z.errors.HaltedError(
      `${problem}, and the new link could not be deleted. Delete it in Docshare now: ${location}`,
    );
  return new z.errors.Error(
    truncateMessage(`${problem}, so the new link was deleted${remainsNote}. ${advice}`),
    'gate_not_set',
  );
}

export function quoteGateLabels(settings: readonly RequestedSetting[]): string {
  const names = settings.map(({ label }) => `"${label.slice(0, 30)}"`);
  const text = names.join(', ');
  return text.length <= 80 ? text : `${names.slice(0, 2).join(', ')} and more`;
}

import type { ZObject } from 'zapier-platform-core';
import { GATES, RECORD_FIELDS, ROOM_FIELD } from '../../src/assumptions/index.ts';
import { unmet } from '../forms/gate-check.ts';
import { asksForGates, type GateForm, readGates, type Wish } from '../forms/gates.ts';
import {
  type Client,
  getTextField,
  InputError,
  isObject,
  type JsonObject,
  normalizeName,
} from '../platform/core.ts';
import { clip } from '../platform/error-words.ts';
import { idOfLink, link } from '../records/link.ts';
import { askPage, findById } from '../records/pages.ts';
import { recordFrom } from '../records/record.ts';

/** What a link opens: one of the two. */
export type Target = { readonly document: string } | { readonly room: string };

/** The gates of a form under the names that existing links show; they are asked for only where a gate needs one. */
export async function readLinkForm(
  client: Client,
  input: JsonObject,
  { zone, id }: { zone: string | null | undefined; id?: string },
): Promise<GateForm> {
  // A value that can't be read is refused before anything is asked.
  const form = readGates(input, { zone: zone ?? 'UTC', examples: [] });
  if (!asksForGates(input)) return form;
  const page = await askPage((query, options) => client.links.list(query, options)).catch(() => undefined);
  const items = page?.items ?? [];
  const own = items.filter((item) => id !== undefined && getTextField(item, ['id']) === id);
  return readGates(input, { zone: zone ?? 'UTC', examples: [...own, ...items] });
}

/**
 * Makes a link whose gates are those of the form. One whose gate did not take would open to everybody: it is deleted
 * again, and `left` says what else of the step stays.
 */
export async function makeLink(
  client: Client,
  z: ZObject,
  { target, form, left = '' }: { target: Target; form: GateForm; left?: string },
): Promise<JsonObject> {
  const { body, wishes } = form;
  const created =
    'document' in target
      ? await client.links.create({ ...body, document_id: target.document })
      : await createRoomLink(client, { ...body, [ROOM_FIELD]: target.room });
  const id = await idOfLink(client, created);
  const missing = await stillUnmet(client, { id, wishes, answer: created });
  if (missing.wishes.length > 0) throw await undo(client, z, { created, id, missing: missing.wishes, left });
  const known = 'document' in target ? { ...body, document_id: target.document } : body;
  return shownLink(created, { ...known, id });
}

/** What a record shows of a link; its password is nobody's business but the visitors'. */
export function shownLink(answer: JsonObject, known: JsonObject): JsonObject {
  return recordFrom(link, withoutPassword(answer), withoutPassword(known));
}

function withoutPassword(record: JsonObject): JsonObject {
  const names = GATES.password.names.map(normalizeName);
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => !names.includes(normalizeName(name)) || typeof value !== 'string',
    ),
  );
}

/** What neither an answer nor the list of links shows as it was asked for, and what they show instead. */
export async function stillUnmet(
  client: Client,
  { id, wishes, answer }: { id: string | undefined; wishes: readonly Wish[]; answer: JsonObject },
): Promise<{ wishes: readonly Wish[]; link: JsonObject; isRead: boolean }> {
  if (unmet(wishes, answer).length === 0) return { wishes: [], link: answer, isRead: true };
  // §4: the answer to a write promises the address at most; the list shows more.
  const listed =
    id === undefined ? 'unread' : await findById(link, client, id).catch(() => 'unread' as const);
  const isRead = typeof listed !== 'string';
  const seen = isRead ? { ...answer, ...listed } : answer;
  return { wishes: unmet(wishes, seen), link: seen, isRead };
}

/** §2 names the field of a document alone, and the catalogue asks for it. */
async function createRoomLink(client: Client, body: JsonObject): Promise<JsonObject & { url: string }> {
  const { extra, ...fields } = body;
  const sent = { ...fields, ...(isObject(extra) ? extra : {}) };
  const { body: answer } = await client.request({ method: 'POST', path: '/links', body: sent });
  const places = isObject(answer) ? [answer, ...Object.values(answer)] : [];
  const made = places.filter(isObject).find((place) => getTextField(place, RECORD_FIELDS.url) !== undefined);
  const url = getTextField(made, RECORD_FIELDS.url);
  if (made === undefined || url === undefined)
    throw new InputError(
      'Docshare has done this, but its answer lacks the address of the link. Do not replay this step: look for the link in Docshare.',
    );
  return { ...made, url };
}

async function undo(
  client: Client,
  z: ZObject,
  {
    created,
    id,
    missing,
    left,
  }: { created: JsonObject; id: string | undefined; missing: readonly Wish[]; left: string },
): Promise<Error> {
  const deleted =
    id !== undefined &&
    (await client.links
      .delete({ id })
      .then(() => true)
      .catch(() => false));
  const what = nameGates(missing);
  const where = getTextField(created, ['url'])?.slice(0, 60) ?? 'in Docshare';
  return new z.errors.Error(
    deleted
      ? clip(
          `Docshare does not show that ${what} took, so the new link was deleted again${left}. Set it under the name that your links have, in Additional Fields.`,
        )
      : `Docshare does not show that ${what} took, and the new link could not be deleted. Delete it in Docshare at once: ${where}`,
    'gate_not_set',
  );
}

/** The gates of a sentence, in quotes. */
export function nameGates(wishes: readonly Wish[]): string {
  const names = wishes.map(({ label }) => `"${label.slice(0, 30)}"`);
  const text = names.join(', ');
  return text.length <= 80 ? text : `${names.slice(0, 2).join(', ')} and more`;
}

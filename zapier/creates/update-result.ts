import type { ZObject } from 'zapier-platform-core';
import { type Client, isObject, type JsonObject } from '../platform/client-core.ts';
import { truncateMessage } from '../platform/error-messages.ts';
import { normalizeText } from '../records/normalize-text.ts';
import { tryFindById } from '../records/read-list.ts';
import { isShownEmpty, type RecordKind, toFlatRecord, toLabel, toWriteResult } from '../records/record-kind.ts';
import { fetchById } from '../records/search-records.ts';
import { findOnFirstPage, getFoundItem } from '../triggers/event-lookup.ts';

/**
 * Output of an update. If the response does not show the record, reads it: later steps use its name, email and URL.
 * `tags` were added to the record's own.
 */
export async function toUpdateResult(
  kind: RecordKind,
  client: Client,
  { response, sent, tags = [] }: { response: JsonObject; sent: JsonObject & { id: string }; tags?: readonly string[] },
): Promise<JsonObject> {
  const result = toWriteResult(kind, response, sent);
  const shown: JsonObject = toFlatRecord(kind, response);
  if (['name', 'email', 'url'].some((key) => shown[key])) return result;
  const item = await readRecord(kind, client, sent.id);
  if (item === undefined) return result;
  const current: JsonObject = toFlatRecord(kind, item);
  // The title of a contact without a name is its email.
  const [sentName, currentName] = [result, current].map(({ name, email }) => (name === email ? null : name));
  const known: JsonObject = { ...result, name: sentName ?? currentName ?? result['name'] };
  const isOutdated = (key: string) => key === 'updated_at' || (Boolean(sentName) && /^(first|last)_name$/.test(key));
  const completed = Object.keys(result).map((key) => [key, known[key] ?? (isOutdated(key) ? null : current[key])]);
  const allTags = tags.length > 0 ? { tags: mergeTags(current['tags'], shown['tags'], tags) } : {};
  return { ...Object.fromEntries(completed), ...allTags };
}

/** The previous tags of a record and the added ones: as the response shows them, or else as they were sent. */
export function mergeTags(previous: unknown, shown: unknown, sent: readonly string[]): unknown[] {
  return [...new Set([previous ?? [], shown ?? sent].flat())];
}

/** Reads a record with one or two requests, and a link in its whole list. The update is done, so no error counts. */
async function readRecord(kind: RecordKind, client: Client, id: string): Promise<JsonObject | undefined> {
  if (kind.resource === 'link') return getFoundItem(await tryFindById(kind, client, id));
  const single = await fetchById(kind, client, id).catch(() => undefined);
  if (single) return single;
  return getFoundItem(await findOnFirstPage(kind, client, id).catch(() => undefined));
}

/**
 * @throws HaltedError if the response shows another value than the form, or none: a service may ignore a field that it
 * names differently. Additional Fields override the form.
 */
export function requireApplied(
  z: ZObject,
  { kind, form, response, extraFields }: Record<'form' | 'response' | 'extraFields', JsonObject> & { kind: RecordKind },
): void {
  const { extra } = extraFields;
  const overrides: JsonObject = toFlatRecord(kind, { ...extraFields, ...(isObject(extra) ? extra : {}) });
  const lost = Object.entries({ ...response, ...toFlatRecord(kind, response) })
    .filter(([key]) => form[key] && !overrides[key])
    // A response without a name may show the email in its place.
    .map(([key, value]) => [key, key !== 'email' && String(value).includes('@') ? null : value] as const)
    .find(([key, value]) =>
      value ? normalizeText(value) !== normalizeText(form[key]) : isShownEmpty(kind, key, response),
    );
  if (lost === undefined) return;
  const label = toLabel(lost[0]).replace(' ID', '').toLowerCase();
  const shown = lost[1] ? `"${String(lost[1]).slice(0, 60)}"` : 'none';
  throw new z.errors.HaltedError(
    truncateMessage(
      `Docshare did not apply the ${label} of the ${kind.resource}: it shows ${shown}. Set it in Additional Fields, under the name that your existing ${kind.resource}s use.`,
    ),
  );
}

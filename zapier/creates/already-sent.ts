import {
  DRAFT_STATES,
  RECORD_FIELDS,
  SENT_OR_DRAFT_STATES,
  SENT_STATE_PATTERN,
  SENT_STATES,
  SIGNED_STATES,
  SIGNING_STATE_PATTERN,
} from '../../src/assumptions/index.ts';
import { type Client, ConflictError, getTextField, type JsonObject, ValidationError } from '../platform/client-core.ts';
import { getStatus } from '../records/is-signed.ts';
import { type RecordKind, toWriteResult } from '../records/record-kind.ts';
import { findOnFirstPage, getFoundItem } from '../triggers/event-lookup.ts';

/** True if the error may mean that it was already sent: a 409, or like invalid input (§7). */
export function mayMeanAlreadySent(error: unknown): boolean {
  return error instanceof ConflictError || error instanceof ValidationError;
}

/**
 * True if the agreement's status confirms it. Invalid input is rejected for drafts too, so a status that a draft may have
 * counts only with a sent time, or if it differs from `draftStatus`.
 */
export function confirmsAlreadySent(error: unknown, record: JsonObject, draftStatus?: string): boolean {
  const status = getStatus(record) ?? '';
  return (
    error instanceof ConflictError ||
    !SENT_OR_DRAFT_STATES.includes(status) ||
    getTextField(record, RECORD_FIELDS.sentAt) !== undefined ||
    (draftStatus !== undefined && draftStatus !== status)
  );
}

/** True for a state after the sending, also if some or all have signed. */
export function isSentState(status = ''): boolean {
  if (DRAFT_STATES.includes(status)) return false;
  return SENT_STATE_PATTERN.test(status) || SIGNED_STATES.includes(status);
}

/** True if a record shows that it was sent; a state that a draft may also have does not show it. */
export function isCertainlySent(record: JsonObject): boolean {
  const status = getStatus(record) ?? '';
  const awaitsSigners = SENT_STATE_PATTERN.test(status) && SIGNING_STATE_PATTERN.test(status);
  const isSentOnly = awaitsSigners || (SENT_STATES.includes(status) && !SENT_OR_DRAFT_STATES.includes(status));
  return isSentOnly || getTextField(record, RECORD_FIELDS.sentAt) !== undefined;
}

/**
 * Returns the output of a send. For a response without a state, such as an empty one, reads the record: later steps use its
 * name and URL. If the list still shows the draft, the state stays empty.
 */
export async function toSentResult(
  kind: RecordKind,
  client: Client,
  { id, sent }: { id: string; sent: JsonObject },
): Promise<JsonObject> {
  if (getStatus(sent) !== undefined) return toWriteResult(kind, sent, { id });
  const record = getFoundItem(await findOnFirstPage(kind, client, id).catch(() => undefined));
  const result = toWriteResult(kind, sent, { ...record, id });
  return isSentState(getStatus(record)) ? result : { ...result, status: null };
}

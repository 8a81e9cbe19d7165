import { RECORD_FIELDS, SENT_OR_DRAFT_STATES } from '../../src/assumptions/index.ts';
import { ConflictError, getTextField, type JsonObject, ValidationError } from '../platform/client-core.ts';

/** Whether a refused send may be one of what was sent before: services answer that by 409, or as they answer bad input (§7). */
export function mayMeanAlreadySent(error: unknown): boolean {
  return error instanceof ConflictError || error instanceof ValidationError;
}

/**
 * Whether the state of an agreement bears out such a refusal. Bad input is refused of a draft too, so that a state which a
 * draft may be in tells nothing then, but for a time of sending, or another state `draftStatus`.
 */
export function confirmsAlreadySent(error: unknown, record: JsonObject, draftStatus?: string): boolean {
  const status = getTextField(record, RECORD_FIELDS.status)?.toLowerCase() ?? '';
  return (
    error instanceof ConflictError ||
    !SENT_OR_DRAFT_STATES.includes(status) ||
    getTextField(record, RECORD_FIELDS.sentAt) !== undefined ||
    (draftStatus !== undefined && draftStatus !== status)
  );
}

import {
  AGREEMENT_STATUS_FIELDS,
  ENDED_STATE_PATTERN,
  NON_SIGNER_ROLE_PATTERN,
  RECIPIENT_FIELDS,
  RECORD_FIELDS,
  SENT_STATE_PATTERN,
  SIGNED_STATES,
  SIGNER_KIND_FIELDS,
} from '../../src/assumptions/index.ts';
import { getTextField, getValueAtPath, isObject, type JsonObject } from '../platform/client-core.ts';
import { liftPerson } from './lift-fields.ts';

/** True for an agreement that everybody has signed, and for one that shows neither a status nor signatures. */
export function isSigned(item: JsonObject): boolean {
  return isCertainlySigned(item) ?? getStatus(item) === undefined;
}

/** Like `isSigned`, but undefined for an agreement that shows neither. */
export function isCertainlySigned(item: JsonObject): boolean | undefined {
  return isStatusSigned(item) ?? haveAllSigned(item);
}

/**
 * Like `isSigned`, for an event. Undefined if the event does not tell: beside a signer, "signed" may be the status of that
 * signer only.
 */
export function isEventComplete(data: JsonObject): boolean | undefined {
  const status = isStatusSigned(data);
  if (status === false) return false;
  const isAboutSigner = [...RECORD_FIELDS.signerEmail, ...RECORD_FIELDS.signerName, 'signer', 'recipient'].some(
    (name) => getValueAtPath(data, name) !== undefined,
  );
  return isAboutSigner ? haveAllSigned(data) : isCertainlySigned(data);
}

/** Status in one form: `Out for Signature` equals `out-for-signature`, and `document.completed` equals `completed`. */
export function getStatus(item: unknown): string | undefined {
  const status = getTextField(item, AGREEMENT_STATUS_FIELDS);
  return status
    ?.trim()
    .toLowerCase()
    .replace(/^[a-z]+\.(?=\w)/, '')
    .replace(/[\s-]+/g, '_');
}

/** Status of an agreement that nobody will sign any more; undefined for any other. */
export function getEndStatus(item: unknown): string | undefined {
  const status = getStatus(item);
  return status !== undefined && ENDED_STATE_PATTERN.test(status) ? status : undefined;
}

/** Undefined for no status or flag, and for a status in the service's own words: then the signatures decide. */
function isStatusSigned(item: unknown): boolean | undefined {
  const status = getStatus(item);
  if (status === undefined)
    return RECORD_FIELDS.isSigned.map((name) => getValueAtPath(item, name)).find((value) => typeof value === 'boolean');
  if (SIGNED_STATES.includes(status)) return true;
  return SENT_STATE_PATTERN.test(status) || ENDED_STATE_PATTERN.test(status) ? false : undefined;
}

export function getRecipients(item: unknown): unknown[] {
  const list = RECIPIENT_FIELDS.map((name) => toList(getValueAtPath(item, name))).find(Array.isArray) ?? [];
  return list.map(liftPerson);
}

/** Undefined for a recipient whose entry shows none; an entry may also be the address itself. */
export function getRecipientEmail(recipient: unknown): string | undefined {
  return typeof recipient === 'string' ? recipient : getTextField(recipient, RECORD_FIELDS.email);
}

/** A service may list people by kind, such as signers, agents and carbonCopies; then those who sign count. */
function toList(value: unknown): unknown {
  if (!isObject(value)) return value;
  const lists = Object.entries(value).filter(([, list]) => Array.isArray(list));
  const signing = lists.filter(([kind]) => /sign(?!ed)/i.test(kind));
  return lists.length === 0 ? undefined : (signing.length > 0 ? signing : lists).flatMap(([, list]) => list);
}

/** Recipients who sign, in the form of the service: objects, or addresses. */
export function getSigners(item: JsonObject): unknown[] {
  return getRecipients(item).filter(
    (one) => !SIGNER_KIND_FIELDS.some((name) => NON_SIGNER_ROLE_PATTERN.test(getTextField(one, [name]) ?? '')),
  );
}

/** Undefined if the item shows no signatures. */
function haveAllSigned(item: JsonObject): boolean | undefined {
  const signatures = getSigners(item).filter(isObject).map(hasSigned);
  return signatures.includes(true) ? !signatures.includes(false) : undefined;
}

/** True for a recipient whose entry shows a signature. */
export function hasSigned(recipient: unknown): boolean {
  return getTextField(recipient, RECORD_FIELDS.signedAt) !== undefined || isStatusSigned(recipient) === true;
}

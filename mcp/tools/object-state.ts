import {
  AGREEMENT_STATUS_FIELDS,
  ENDED_STATES,
  RECORD_FIELDS,
  SIGNED_STATES,
  STATUS_CHANGES,
} from '../../src/assumptions/index.ts';
import { getTextField, type JsonObject, toIsoTime } from '../../src/records/fields.ts';

/** States that an expiry no longer changes. */
const FINAL_STATES: readonly string[] = [...SIGNED_STATES, ...ENDED_STATES, ...STATUS_CHANGES.accepted];

/** State of an object: the service's own (`draft` for `document.draft`), or `expired` if its expiry has passed. */
export function getState(item: JsonObject): string | undefined {
  const status = getTextField(item, AGREEMENT_STATUS_FIELDS)
    ?.toLowerCase()
    .replace(/^\w+\./, '');
  const isFinal = status !== undefined && FINAL_STATES.includes(status);
  return !isFinal && hasExpired(item) ? 'expired' : status;
}

function hasExpired(item: JsonObject): boolean {
  const expiry = getTextField(item, RECORD_FIELDS.expiresAt);
  const time = toIsoTime(expiry);
  if (expiry === undefined || time === undefined) return false;
  // A day ends later than its date begins, in any time zone.
  return Date.parse(time) + (/^\d{4}-\d\d-\d\d$/.test(expiry) ? 36 * 3_600_000 : 0) <= Date.now();
}

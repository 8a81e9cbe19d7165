import { RECORD_FIELDS, SIGNED_STATES } from '../../src/assumptions/index.ts';
import { getTextField, type JsonObject } from '../platform/client-core.ts';

/** True for a signed agreement, and for one without a status. */
export function isSigned(item: JsonObject): boolean {
  const status = getTextField(item, RECORD_FIELDS.status);
  return status === undefined || SIGNED_STATES.includes(status.toLowerCase().replace(/[\s-]+/g, '_'));
}

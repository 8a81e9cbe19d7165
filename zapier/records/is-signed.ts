import { RECORD_FIELDS, SIGNED_STATES } from '../../src/assumptions/index.ts';
import type { JsonObject } from '../platform/client-core.ts';
import { getTextField } from '../platform/client-core.ts';

/** Whether an agreement counts as signed; one without a state can't be told apart and counts. */
export function isSigned(item: JsonObject): boolean {
  const status = getTextField(item, RECORD_FIELDS.status);
  return status === undefined || SIGNED_STATES.includes(status.toLowerCase().replace(/[\s-]+/g, '_'));
}

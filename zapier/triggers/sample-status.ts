import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { type JsonObject, normalizeName } from '../platform/client-core.ts';

/** Sets the status of a sample's original record, in the field that it uses. */
export function withStatus(raw: unknown, status: string): JsonObject {
  const record = raw as JsonObject;
  const names = RECORD_FIELDS.status.map(normalizeName);
  const statusField = Object.keys(record).find((name) => names.includes(normalizeName(name)));
  return { ...record, [statusField ?? 'status']: status };
}

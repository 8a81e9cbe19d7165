import { isJSONRPCResponse } from '@modelcontextprotocol/server';
import { isObject } from '../../src/records/fields.ts';

/** Error code that replaces a malformed response of the host. */
export const MALFORMED_RESPONSE_CODE = -32_700;

/**
 * Returns an error to handle instead of a malformed response, so that the waiting request ends at once; undefined for a
 * valid response or another message.
 * @param isUnverified whether the JSON had a duplicate name, which parsers resolve differently
 */
export function toMalformedResponseError(value: unknown, { isUnverified: isAmbiguous = false } = {}) {
  if (!isObject(value) || Object.hasOwn(value, 'method')) return undefined;
  const { id } = value;
  if ((typeof id !== 'number' && typeof id !== 'string') || (!isAmbiguous && isJSONRPCResponse(value)))
    return undefined;
  return createMalformedResponseError(id);
}

export function createMalformedResponseError(id: string | number) {
  return { jsonrpc: '2.0' as const, id, error: { code: MALFORMED_RESPONSE_CODE, message: 'Malformed response' } };
}

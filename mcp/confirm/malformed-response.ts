import { isJSONRPCResponse } from '@modelcontextprotocol/server';
import { isObject } from '../../src/records/fields.ts';

/**
 * Returns an error to handle instead of a malformed response of the host, so that the waiting request ends at once; undefined
 * for a valid response or another message.
 * @param isAmbiguous whether the JSON had a duplicate name, which parsers resolve differently
 */
export function toMalformedResponseError(value: unknown, { isAmbiguous }: { isAmbiguous: boolean }) {
  if (!isObject(value) || Object.hasOwn(value, 'method')) return undefined;
  const { id } = value;
  const isResponse = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
  const isMalformed = isResponse && !isJSONRPCResponse(value);
  if ((typeof id !== 'number' && typeof id !== 'string') || !(isAmbiguous || isMalformed)) return undefined;
  return { jsonrpc: '2.0' as const, id, error: { code: -32_700, message: 'Malformed response' } };
}

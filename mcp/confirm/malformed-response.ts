import { isJSONRPCResponse } from '@modelcontextprotocol/server';
import { isObject } from '../../src/records/fields.ts';

/** The code of an error that this server puts in the place of an answer which was none. */
export const MALFORMED_RESPONSE_CODE = -32_700;

/**
 * What to hear in the place of a value that was sent as the answer to a question of ours and is none, so that who asked need not
 * wait until the time is over; undefined where it is sound, or no answer.
 *
 * @param isDoubtful where the text named something twice: which of the two counts, no two parsers agree on
 */
export function toMalformedResponseError(value: unknown, { isDoubtful: isAmbiguous = false } = {}) {
  if (!isObject(value) || Object.hasOwn(value, 'method')) return undefined;
  const { id } = value;
  if ((typeof id !== 'number' && typeof id !== 'string') || (!isAmbiguous && isJSONRPCResponse(value)))
    return undefined;
  return createMalformedResponseError(id);
}

export function createMalformedResponseError(id: string | number) {
  return {
    jsonrpc: '2.0' as const,
    id,
    error: { code: MALFORMED_RESPONSE_CODE, message: 'The answer is no message' },
  };
}

import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { isObject } from '../../src/records/fields.ts';
import { toMalformedResponseError } from '../confirm/malformed-response.ts';
import { isDeeperThan } from '../json-depth.ts';
import { DUPLICATE_KEY_MESSAGE, hasDuplicateKey, MAX_JSON_DEPTH } from './json-limits.ts';

/** Same as the body limit over HTTP. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** Error for a line that is not a valid message. */
export interface LineError {
  readonly code: -32_600 | -32_700;
  readonly message: string;
  readonly id: RequestId | null;
}

type ReadLine = { readonly message: JSONRPCMessage } | { readonly lineError: LineError };

/** Splits bytes into lines and parses each. An oversized line is not kept. */
export function createLineReader(onRead: (read: ReadLine) => void) {
  let parts: Buffer[] = [];
  let size = 0;

  function append(chunk: Buffer): void {
    size += chunk.byteLength;
    parts = size > MAX_LINE_BYTES ? [] : [...parts, chunk];
  }

  function finish(): void {
    const read =
      size > MAX_LINE_BYTES
        ? rejectLine(-32_600, `Invalid Request: the line is longer than ${MAX_LINE_BYTES} bytes`)
        : parseLine(Buffer.concat(parts));
    // Reset first, so that an error in a callback loses no other line.
    parts = [];
    size = 0;
    if (read) onRead(read);
  }

  return {
    push(chunk: Buffer): void {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        append(chunk.subarray(from, at));
        finish();
        from = at + 1;
      }
      if (from < chunk.byteLength) append(chunk.subarray(from));
    },
    /** Text after the last line break counts as a line. */
    end: finish,
  };
}

/** Returns undefined for a blank line. A malformed response becomes an error, so that the call that waits for it ends. */
function parseLine(line: Buffer): ReadLine | undefined {
  let value: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line).trim();
    if (text === '') return undefined;
    value = JSON.parse(text);
  } catch {
    return rejectLine(-32_700, 'Parse error: the line is not JSON in UTF-8');
  }
  if (Array.isArray(value)) return rejectLine(-32_600, 'Invalid Request: send one message per line, not a batch');
  const id =
    isObject(value) && (typeof value['id'] === 'string' || typeof value['id'] === 'number') ? value['id'] : null;
  if (isDeeperThan(MAX_JSON_DEPTH, value))
    return rejectLine(-32_600, `Invalid Request: nested deeper than ${MAX_JSON_DEPTH} levels`, id);
  const isAmbiguous = hasDuplicateKey(text, value);
  const malformedResponse = toMalformedResponseError(value, { isAmbiguous });
  if (malformedResponse) return { message: malformedResponse };
  if (isAmbiguous) return rejectLine(-32_600, `Invalid Request: ${DUPLICATE_KEY_MESSAGE}`, id);
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)) return { message: value };
  return rejectLine(-32_600, 'Invalid Request: not a JSON-RPC 2.0 message', id);
}

function rejectLine(code: LineError['code'], message: string, id: RequestId | null = null): { lineError: LineError } {
  return { lineError: { code, message, id } };
}

import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server';
import { isObject } from '../../src/records/fields.ts';
import { isDeeperThan } from '../json-depth.ts';
import { DUPLICATE_KEY_MESSAGE, hasDuplicateKey, MAX_JSON_DEPTH } from './json-limits.ts';
import { type JsonRpcEnvelope, type JsonRpcId, parseEnvelopes, parseId } from './jsonrpc-envelope.ts';

/** Same as the body limit over HTTP. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** Bytes kept of both ends of a longer line, to find its id. */
const EDGE_BYTES = 1024;
const MAX_ID_LENGTH = 1024;

/** Error for a line that is not a valid message. */
export interface LineError {
  readonly code: -32_600 | -32_700;
  readonly message: string;
  readonly id: JsonRpcId | null;
}

/** Splits bytes into lines; only both ends of an oversized line are kept. */
export function createLineReader(onLine: (line: Buffer) => void, onTooLong: (start: string, end: string) => void) {
  let parts: Buffer[] = [];
  let size = 0;
  let lastBytes = Buffer.alloc(0);

  function append(chunk: Buffer): void {
    size += chunk.byteLength;
    if (size <= MAX_LINE_BYTES) parts.push(chunk);
    else {
      if (lastBytes.byteLength === 0) parts = [Buffer.concat([...parts, chunk]).subarray(0, EDGE_BYTES)];
      lastBytes = Buffer.concat([lastBytes, chunk.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
    }
  }

  function finish(): void {
    const line = Buffer.concat(parts);
    const [length, end] = [size, lastBytes];
    // Reset first, so that an error in a callback loses no other line.
    parts = [];
    size = 0;
    lastBytes = Buffer.alloc(0);
    if (length > MAX_LINE_BYTES) onTooLong(`${line}`, `${end}`);
    else if (length > 0) onLine(line);
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

/** Parses a line to its message or error; undefined if blank. */
export function readLine(line: Buffer) {
  const read = parseMessage(line);
  return read && 'lineError' in read ? { ...read, envelopes: parseEnvelopes(line.toString()) } : read;
}

function parseMessage(line: Buffer) {
  let value: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line).trim();
    if (text === '') return undefined;
    value = JSON.parse(text);
  } catch {
    return rejectLine(-32_700, 'Parse error: the line is not JSON in UTF-8', null);
  }
  if (Array.isArray(value)) return rejectLine(-32_600, 'Invalid Request: send one message per line, not a batch', null);
  const id = isObject(value) && isId(value['id']) ? value['id'] : null;
  if (isDeeperThan(MAX_JSON_DEPTH, value))
    return rejectLine(-32_600, `Invalid Request: nested deeper than ${MAX_JSON_DEPTH} levels`, id);
  const isTooLong = isObject(value) && typeof value['id'] === 'string' && value['id'].length > MAX_ID_LENGTH;
  if (isTooLong) return rejectLine(-32_600, `Invalid Request: the id is longer than ${MAX_ID_LENGTH} characters`, null);
  if (hasDuplicateKey(text, value)) return rejectLine(-32_600, `Invalid Request: ${DUPLICATE_KEY_MESSAGE}`, id);
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)) return { message: value };
  return rejectLine(-32_600, 'Invalid Request: not a JSON-RPC 2.0 message', id);
}

export function rejectLongLine(start: string, end: string) {
  const envelopes = parseEnvelopes(start).map(
    (envelope): JsonRpcEnvelope => ({ ...envelope, id: envelope.id ?? findTrailingId(end) }),
  );
  const id = envelopes[0]?.id ?? null;
  const message = `Invalid Request: the line is longer than ${MAX_LINE_BYTES} bytes`;
  return { ...rejectLine(-32_600, message, id), envelopes };
}

function rejectLine(code: LineError['code'], message: string, id: JsonRpcId | null): { lineError: LineError } {
  return { lineError: { code, message, id } };
}

function isId(value: unknown): value is JsonRpcId {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_ID_LENGTH);
}

/** Finds an id right before the last brace, where some clients put it; elsewhere it could be nested. */
function findTrailingId(end: string): JsonRpcId | undefined {
  const found = /,\s*"id"\s*:\s*(\d{1,15}|"[\w:.-]{1,128}")\s*\}\s*$/.exec(end);
  return found?.[1] === undefined ? undefined : parseId(found[1]);
}

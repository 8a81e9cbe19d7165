import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server';
import { isObject } from '../../src/answer/fields.ts';
import { type Envelope, envelopesIn, type Id, idIn } from './envelopes.ts';
import { DEEPEST, isDeeperThan, repeatsName, TWICE } from './json-depth.ts';

/** As much as a body over HTTP. */
export const LINE_LIMIT_BYTES = 8 * 1024 * 1024;
/** What is kept of each end of a longer line, to find its id. */
const EDGE_BYTES = 1024;
const ID_LIMIT = 1024;

/** A line that is no message of the protocol. */
export interface Refusal {
  readonly code: -32_600 | -32_700;
  readonly message: string;
  readonly id: Id | null;
}

/** Cuts bytes into lines; of a line that is too long only its two ends are kept. */
export function createLineReader(
  onLine: (line: Buffer) => void,
  onTooLong: (start: string, end: string) => void,
) {
  let parts: Buffer[] = [];
  let size = 0;
  let tail = Buffer.alloc(0);

  function take(piece: Buffer): void {
    size += piece.byteLength;
    if (size <= LINE_LIMIT_BYTES) parts.push(piece);
    else {
      if (tail.byteLength === 0) parts = [Buffer.concat([...parts, piece]).subarray(0, EDGE_BYTES)];
      tail = Buffer.concat([tail, piece.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
    }
  }

  function finish(): void {
    const line = Buffer.concat(parts);
    const [length, end] = [size, tail];
    // First, so that a fault of whoever hears it costs no other line.
    parts = [];
    size = 0;
    tail = Buffer.alloc(0);
    if (length > LINE_LIMIT_BYTES) onTooLong(`${line}`, `${end}`);
    else if (length > 0) onLine(line);
  }

  return {
    push(chunk: Buffer): void {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        take(chunk.subarray(from, at));
        finish();
        from = at + 1;
      }
      if (from < chunk.byteLength) take(chunk.subarray(from));
    },
    /** What stands behind the last line break counts as a line. */
    end: finish,
  };
}

/** The message of a line, or why it is none and what can be told of it; undefined for a blank one. */
export function readLine(line: Buffer) {
  const read = messageIn(line);
  return read && 'refused' in read ? { ...read, envelopes: envelopesIn(line.toString()) } : read;
}

function messageIn(line: Buffer) {
  let value: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line).trim();
    if (text === '') return undefined;
    value = JSON.parse(text);
  } catch {
    return refuse(-32_700, 'Parse error: the line is no JSON in UTF-8', null);
  }
  if (Array.isArray(value))
    return refuse(-32_600, 'Invalid Request: send one message a line, no batches', null);
  const id = isObject(value) && isId(value['id']) ? value['id'] : null;
  if (isDeeperThan(DEEPEST, value))
    return refuse(-32_600, `Invalid Request: nested deeper than ${DEEPEST} levels`, id);
  const isTooLong = isObject(value) && typeof value['id'] === 'string' && value['id'].length > ID_LIMIT;
  if (isTooLong)
    return refuse(-32_600, `Invalid Request: the id is longer than ${ID_LIMIT} characters`, null);
  if (repeatsName(text)) return refuse(-32_600, `Invalid Request: ${TWICE}`, id);
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value))
    return { message: value };
  return refuse(-32_600, 'Invalid Request: no message of JSON-RPC 2.0', id);
}

export function refuseTooLong(start: string, end: string) {
  const envelopes = envelopesIn(start).map((one): Envelope => ({ ...one, id: one.id ?? idBefore(end) }));
  const id = envelopes[0]?.id ?? null;
  const why = `Invalid Request: the line is longer than ${LINE_LIMIT_BYTES} bytes`;
  return { ...refuse(-32_600, why, id), envelopes };
}

function refuse(code: Refusal['code'], message: string, id: Id | null): { refused: Refusal } {
  return { refused: { code, message, id } };
}

function isId(value: unknown): value is Id {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= ID_LIMIT);
}

/** Right before the last brace, where some clients put it: anywhere else in an end it may be nested. */
function idBefore(end: string): Id | undefined {
  const found = /,\s*"id"\s*:\s*(\d{1,15}|"[\w:.-]{1,128}")\s*\}\s*$/.exec(end);
  return found?.[1] === undefined ? undefined : idIn(found[1]);
}

import { isJsonContentType, readRequestBody } from '@modelcontextprotocol/server';
import { toMalformedResponseError } from '../confirm/malformed-response.ts';
import { isDeeperThan } from '../json-depth.ts';
import {
  DUPLICATE_KEY_MESSAGE,
  hasDuplicateKey,
  hasMoreValuesThan,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
} from './json-limits.ts';

/** Parses the JSON body of a POST, or returns an error response. A malformed response of the host becomes an error message. */
export async function readJsonBody(request: Request, maxBytes: number) {
  if (!isJsonContentType(request.headers.get('content-type')))
    return rejectBody(415, -32_000, 'Unsupported Media Type: Content-Type must be application/json');
  const declaredBytes = Number(request.headers.get('content-length') ?? Number.NaN);
  // Node's parser enforces a declared length, so such bodies need no stream.
  const read =
    declaredBytes >= 0 && declaredBytes <= maxBytes
      ? { tooLarge: false as const, text: await request.text() }
      : await readRequestBody(request, maxBytes);
  // The unread body would precede the next request of the connection.
  if (read.tooLarge)
    return rejectBody(413, -32_000, `Payload Too Large: the limit is ${maxBytes} bytes`, { connection: 'close' });
  return parseBody(read.text);
}

function parseBody(text: string): { body: unknown } | { errorResponse: Response } {
  if (hasMoreValuesThan(MAX_JSON_VALUES, text))
    return rejectBody(400, -32_600, `Invalid Request: more than ${MAX_JSON_VALUES} values`);
  try {
    const body: unknown = JSON.parse(text);
    if (isDeeperThan(MAX_JSON_DEPTH, body))
      return rejectBody(400, -32_600, `Invalid Request: nested deeper than ${MAX_JSON_DEPTH} levels`);
    if (Array.isArray(body)) return rejectBody(400, -32_600, 'Invalid Request: send one message, not a batch');
    const isAmbiguous = hasDuplicateKey(text, body);
    const malformedResponse = toMalformedResponseError(body, { isAmbiguous });
    if (malformedResponse) return { body: malformedResponse };
    return isAmbiguous ? rejectBody(400, -32_600, `Invalid Request: ${DUPLICATE_KEY_MESSAGE}`) : { body };
  } catch {
    return rejectBody(400, -32_700, 'Parse error: Invalid JSON');
  }
}

function rejectBody(...response: Parameters<typeof createRpcError>): { errorResponse: Response } {
  return { errorResponse: createRpcError(...response) };
}

/** JSON-RPC error response without a request id. */
export function createRpcError(status: number, code: number, message: string, headers: HeadersInit = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

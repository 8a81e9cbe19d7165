import { isJsonContentType, readRequestBody } from '@modelcontextprotocol/server';
import { toMalformedResponseError } from '../call/broken-answer.ts';
import { type Envelope, envelopesIn } from './envelopes.ts';
import { DEEPEST, holdsMoreThan, isDeeperThan, MAX_JSON_VALUES, repeatsName, TWICE } from './json-depth.ts';

/** The answer to a POST, with what can be told of its text where that was read. */
interface Refused {
  readonly refused: Response;
  readonly envelopes?: readonly Envelope[];
}

/** The JSON of a POST, or the answer to one that holds none. */
export async function readBody(request: Request, maxBytes: number): Promise<{ body: unknown } | Refused> {
  if (!isJsonContentType(request.headers.get('content-type')))
    return refuse(415, -32_000, 'Unsupported Media Type: Content-Type must be application/json');
  const told = Number(request.headers.get('content-length') ?? Number.NaN);
  // A length that was told is one that the parser of HTTP holds it to; whole bodies need no stream of pieces.
  const read =
    told >= 0 && told <= maxBytes
      ? { tooLarge: false as const, text: await request.text() }
      : await readRequestBody(request, maxBytes);
  // What was not read would stand before the next request of the connection.
  if (read.tooLarge)
    return {
      refused: rpcError(413, -32_000, `Payload Too Large: ${maxBytes} bytes at most`, {
        connection: 'close',
      }),
    };
  const found = bodyIn(read.text);
  return 'refused' in found ? { ...found, envelopes: envelopesIn(read.text) } : found;
}

function bodyIn(text: string): { body: unknown } | { refused: Response } {
  if (holdsMoreThan(MAX_JSON_VALUES, text))
    return refuse(400, -32_600, `Invalid Request: more than ${MAX_JSON_VALUES} values`);
  try {
    const body: unknown = JSON.parse(text);
    if (isDeeperThan(DEEPEST, body))
      return refuse(400, -32_600, `Invalid Request: nested deeper than ${DEEPEST} levels`);
    if (!repeatsName(text)) return { body };
    const broken = toMalformedResponseError(body, { isDoubtful: true });
    return broken ? { body: broken } : refuse(400, -32_600, `Invalid Request: ${TWICE}`);
  } catch {
    return refuse(400, -32_700, 'Parse error: Invalid JSON');
  }
}

function refuse(status: number, code: number, message: string): { refused: Response } {
  return { refused: rpcError(status, code, message) };
}

/** An error of the protocol that belongs to no request. */
export function rpcError(status: number, code: number, message: string, headers: HeadersInit = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

import type { TextAnswer } from '../answer/response.ts';
import { CLOSED_CODE } from '../retry/retry.ts';
import { readBytes, type TransportResponse } from '../wire/transport.ts';

const decoder = new TextDecoder();

/** Reads a body as text, at most `limit` bytes of it. */
export async function readText(response: TransportResponse, limit: number): Promise<TextAnswer> {
  const { bytes, complete } = await readBytes(response.body, limit);
  const { status, headers } = response;
  return { status, headers, text: decoder.decode(bytes), complete };
}

/** Reads what comes of a body that nobody asks for twice: one that breaks off is as whole as it will be. */
export async function readWhatComes(response: TransportResponse, limit: number): Promise<TextAnswer> {
  const came: Uint8Array[] = [];
  async function* body() {
    for await (const chunk of response.body) {
      came.push(chunk);
      yield chunk;
    }
  }
  try {
    return await readText({ ...response, body: body() }, limit);
  } catch {
    return cutShort(response, decoder.decode(Buffer.concat(came)));
  }
}

/** An answer whose head came and whose body did not, or not whole. */
export function cutShort(head: Pick<TransportResponse, 'status' | 'headers'>, text = ''): TextAnswer {
  const { status, headers } = head;
  return { status, headers, text, complete: false, lost: 'was cut off' };
}

/** One that the client's own end cut: the service is not to blame. */
export function closedShort(head: Pick<TransportResponse, 'status' | 'headers'>): TextAnswer {
  const lost = 'was not read to its end, because the client was closed';
  return { ...cutShort(head), lost, code: CLOSED_CODE };
}

/**
 * Reads a 2xx whose end nothing proves (no length, no chunks: it ends with the connection) and that may be sent again:
 * JSON that stops halfway was cut off.
 * @throws Error where it was.
 */
export async function readProvenText(response: TransportResponse, limit: number): Promise<TextAnswer> {
  const answer = await readText(response, limit);
  const { headers, text } = answer;
  const proven = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (!proven && answer.complete && /^\s*[{["]/.test(text) && !isJson(text))
    throw new Error('The answer stops in the middle of its JSON');
  return answer;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

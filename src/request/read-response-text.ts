import type { TextResponse } from '../response/parse-body.ts';
import { CLIENT_CLOSED_CODE } from '../retry/retry.ts';
import { readBodyBytes, type TransportResponse } from '../transport/transport.ts';

const decoder = new TextDecoder();

/** Reads a body as text, at most `limit` bytes of it. */
export async function readResponseText(response: TransportResponse, limit: number): Promise<TextResponse> {
  const { bytes, complete } = await readBodyBytes(response.body, limit);
  const { status, headers } = response;
  return { status, headers, text: decoder.decode(bytes), complete };
}

/** Reads what comes of a body that nobody asks for twice: one that breaks off is as whole as it will be. */
export async function readPartialText(response: TransportResponse, limit: number): Promise<TextResponse> {
  const chunks: Uint8Array[] = [];
  async function* body() {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      yield chunk;
    }
  }
  try {
    return await readResponseText({ ...response, body: body() }, limit);
  } catch {
    return toTruncatedResponse(response, decoder.decode(Buffer.concat(chunks)));
  }
}

/** An answer whose head came and whose body did not, or not whole. */
export function toTruncatedResponse(
  head: Pick<TransportResponse, 'status' | 'headers'>,
  text = '',
): TextResponse {
  const { status, headers } = head;
  return { status, headers, text, complete: false, truncationReason: 'was cut off' };
}

/** One that the client's own end cut: the service is not to blame. */
export function toClosedResponse(head: Pick<TransportResponse, 'status' | 'headers'>): TextResponse {
  const truncationReason = 'was not read to its end, because the client was closed';
  return { ...toTruncatedResponse(head), truncationReason, code: CLIENT_CLOSED_CODE };
}

/**
 * Reads a 2xx whose end nothing proves (no length, no chunks: it ends with the connection) and that may be sent again:
 * JSON that stops halfway was cut off.
 * @throws Error where it was.
 */
export async function readCompleteText(response: TransportResponse, limit: number): Promise<TextResponse> {
  const textResponse = await readResponseText(response, limit);
  const { headers, text } = textResponse;
  const isLengthProven =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (!isLengthProven && textResponse.complete && /^\s*[{["]/.test(text) && !isJson(text))
    throw new Error('The answer stops in the middle of its JSON');
  return textResponse;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

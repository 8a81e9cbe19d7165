import type { TextAnswer } from '../answer/response.ts';
import { readBytes, type TransportResponse } from '../wire/transport.ts';

const decoder = new TextDecoder();

/** Reads a body as text, at most `limit` bytes of it. */
export async function readText(response: TransportResponse, limit: number): Promise<TextAnswer> {
  const { bytes, complete } = await readBytes(response.body, limit);
  const { status, headers } = response;
  return { status, headers, text: decoder.decode(bytes), complete };
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

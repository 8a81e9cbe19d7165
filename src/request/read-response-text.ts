import type { TextResponse } from '../api-errors/text-response.ts';
import { CLIENT_CLOSED_CODE, getErrorCode } from '../retry/retry.ts';
import { MAX_COMPRESSION_RATIO, readBodyBytes, type TransportResponse } from '../transport/transport.ts';

const utf8 = new TextDecoder();

function getCharset({ headers }: Pick<TransportResponse, 'headers'>): string {
  return /;\s*charset="?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
}

/** Decodes by the declared charset. An unknown one is read as UTF-8, which is a problem if the text turns out to be another. */
function decode(response: Pick<TransportResponse, 'headers'>, bytes: Uint8Array): { text: string; problem?: string } {
  const charset = getCharset(response);
  if (/^(?:utf-?8|us-ascii)$/i.test(charset)) return { text: utf8.decode(bytes) };
  try {
    return { text: new TextDecoder(charset).decode(bytes) };
  } catch {
    const text = utf8.decode(bytes);
    return text.includes('\ufffd') ? { text, problem: `is in the unknown charset ${charset}` } : { text };
  }
}

/** Reads a body as text, at most `limit` bytes. @param chunks see {@link readBodyBytes}. */
export async function readResponseText(
  response: TransportResponse,
  limit: number,
  chunks?: Uint8Array[],
): Promise<TextResponse> {
  const { bytes, complete } = await readBodyBytes(response.body, limit, chunks);
  const { status, headers } = response;
  const { text, problem } = decode(response, bytes);
  if (complete) {
    const reason = problem === undefined ? {} : { truncationReason: problem };
    return { status, headers, text, complete: problem === undefined, ...reason };
  }
  const isTooLarge = bytes.byteLength >= limit;
  const truncationReason = isTooLarge
    ? `exceeds the maximum of ${limit / (1024 * 1024)} MiB`
    : `decompresses to more than ${MAX_COMPRESSION_RATIO} times the bytes that were sent`;
  return { status, headers, text, complete, truncationReason, isTooLarge };
}

/** Reads a body that can't be requested again; what arrives before a failure counts. */
export async function readPartialText(response: TransportResponse, limit: number): Promise<TextResponse> {
  const chunks: Uint8Array[] = [];
  try {
    return await readResponseText(response, limit, chunks);
  } catch (fault) {
    const truncationReason = describeBodyFault(fault, response);
    return { ...toTruncatedResponse(response, decode(response, Buffer.concat(chunks)).text), truncationReason };
  }
}

/** Why a body could not be read to its end. */
export function describeBodyFault(fault: unknown, { headers }: Pick<TransportResponse, 'headers'>): string {
  const isUndecodable = /^(?:Z_DATA_ERROR|ERR_+(?:ERROR_FORMAT|BROTLI)|ZSTD_)/.test(getErrorCode(fault) ?? '');
  return isUndecodable
    ? `is not compressed as its header says (content-encoding: ${headers['content-encoding']})`
    : CUT_OFF;
}

const CUT_OFF = 'was cut off';

/** A response whose body is missing or truncated. */
export function toTruncatedResponse(head: Pick<TransportResponse, 'status' | 'headers'>, text = ''): TextResponse {
  const { status, headers } = head;
  return { status, headers, text, complete: false, truncationReason: CUT_OFF };
}

/** A response truncated because the client was closed. */
export function toClientClosedResponse(head: Pick<TransportResponse, 'status' | 'headers'>): TextResponse {
  const truncationReason = 'was not read completely, because the client was closed';
  return { ...toTruncatedResponse(head), truncationReason, code: CLIENT_CLOSED_CODE };
}

/**
 * Reads a repeatable 2xx. If only the closed connection marks its end, JSON that stops halfway was cut off.
 * @throws Error if it was cut off.
 */
export async function readCompleteText(response: TransportResponse, limit: number): Promise<TextResponse> {
  const textResponse = await readResponseText(response, limit);
  const { headers, text } = textResponse;
  const isLengthProven = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (!isLengthProven && textResponse.complete && /^\s*[{["]/.test(text) && !isJson(text))
    throw new Error('The response stops in the middle of its JSON');
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

import { Agent, type Dispatcher } from 'undici';
import { parseDispositionFileName } from '../../src/download/file-location.ts';
import { sanitizeFileName } from '../../src/download/sanitize-file-name.ts';
import { isPublicAddress } from '../../src/public-address.ts';
import { getSystemErrorCode } from '../error-code.ts';
import { ToolError } from '../tool-error.ts';
import { MAX_FILE_BYTES } from './file-access.ts';
import { createPublicLookup, parsePublicUrl } from './public-url.ts';

const MAX_REDIRECTS = 5;
const FETCH_TIMEOUT_MS = 10 * 60_000;

/**
 * Starts fetching a file, without keys or cookies. Each redirect is checked like the first URL.
 * @throws ToolError for blocked URLs, failures and files that are too large.
 */
export async function fetchFile(
  address: string,
  options: { signal?: AbortSignal | undefined; isAllowed?: (address: string) => boolean; timeoutMs?: number },
) {
  const { isAllowed = isPublicAddress, timeoutMs = FETCH_TIMEOUT_MS } = options;
  // For the whole download, because a server that drips bytes would never time out.
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const dispatcher = new Agent({
    connect: { lookup: createPublicLookup(isAllowed), timeout: 10_000 },
    headersTimeout: 30_000,
    bodyTimeout: 60_000,
  });
  const close = () => dispatcher.destroy();
  try {
    let url = parsePublicUrl(address, isAllowed);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const { origin, pathname, search } = url;
      const response = await dispatcher.request({
        origin,
        path: `${pathname}${search}`,
        method: 'GET',
        headers: { accept: '*/*' },
        signal,
      });
      const location = firstValue(response.headers['location']);
      if (response.statusCode >= 300 && response.statusCode < 400 && location !== undefined) {
        // Not awaited: an endless body would delay the file.
        response.body.dump().catch(() => undefined);
        url = parsePublicUrl(URL.canParse(location, url) ? new URL(location, url).href : '', isAllowed);
        continue;
      }
      return { ...describeResponse(response, url), bytes: withTimeoutError(response.body, deadline), close };
    }
    throw new ToolError('url_not_allowed', `The URL redirects more than ${MAX_REDIRECTS} times.`);
  } catch (error) {
    await close();
    if (error instanceof ToolError || options.signal?.aborted) throw error;
    if (deadline.aborted) throw createTimeoutError();
    throw toFetchError(error);
  }
}

function describeResponse({ statusCode, headers }: Dispatcher.ResponseData, url: URL) {
  if (statusCode < 200 || statusCode >= 300)
    throw new ToolError('url_failed', `The URL returned status ${statusCode}. Check that it is publicly accessible.`);
  const length = firstValue(headers['content-length']);
  const sizeBytes = length === undefined ? undefined : Number(length);
  if (sizeBytes !== undefined && sizeBytes > MAX_FILE_BYTES)
    throw new ToolError('too_large', `The file has ${sizeBytes} bytes. The limit is ${MAX_FILE_BYTES} bytes.`);
  const type = (firstValue(headers['content-type']) ?? '').split(';')[0]?.trim() ?? '';
  const name =
    parseDispositionFileName(firstValue(headers['content-disposition'])) ??
    sanitizeFileName(safeDecode(url.pathname)) ??
    'document';
  return { name, type, sizeBytes };
}

async function* withTimeoutError(bytes: AsyncIterable<Uint8Array>, deadline: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw deadline.aborted ? createTimeoutError() : error;
  }
}

function createTimeoutError(): ToolError {
  return new ToolError('url_failed', 'The file took too long to arrive. Try again, or upload the file itself.');
}

function toFetchError(error: unknown): ToolError {
  const code = getSystemErrorCode(error);
  return new ToolError(
    'url_failed',
    `The URL could not be reached${/^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : ''}. Check it, or upload the file itself.`,
  );
}

function firstValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientContext, RequestOptions } from './context.ts';
import { TimeoutError, UploadError } from './errors.ts';
import type { FileSource } from './file-source.ts';
import type { UploadSession } from './operations/documents.ts';
import { excerpt } from './redact.ts';
import { backoffMs, codeOf } from './retry.ts';
import { readBytes } from './transport.ts';

/**
 * Sends the bytes to the one-time address with every signed header and an exact length (§4 step 2), never with the key.
 * A failed PUT starts a fresh session, since an address is good for one use (§8).
 * @returns the session whose bytes arrived.
 */
export async function putToStorage(
  context: ClientContext,
  params: {
    start: () => Promise<UploadSession>;
    file: FileSource;
    timeoutMs: number;
    options: RequestOptions & { onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void };
  },
): Promise<UploadSession> {
  const { start, file, options } = params;
  for (let attempt = 0; ; attempt++) {
    const session = await start();
    const failure = await putOnce(context, { ...params, session });
    if (!failure) return session;
    if (!failure.again || attempt >= context.retry.retries) throw failure.error;
    context.log('warn', 'retrying the upload with a fresh session', {
      attempt: attempt + 1,
      sizeBytes: file.blob.size,
    });
    await sleep(
      backoffMs(attempt, context.retry),
      undefined,
      options.signal ? { signal: options.signal } : {},
    );
  }
}

async function putOnce(
  context: ClientContext,
  params: {
    session: UploadSession;
    file: FileSource;
    timeoutMs: number;
    options: RequestOptions & { onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void };
  },
): Promise<{ error: Error; again: boolean } | undefined> {
  const { session, file, options } = params;
  const totalBytes = file.blob.size;
  const timeout = AbortSignal.timeout(params.timeoutMs);
  async function* body() {
    let sentBytes = 0;
    for await (const chunk of file.blob.stream()) {
      sentBytes += chunk.byteLength;
      options.onProgress?.({ sentBytes, totalBytes });
      yield chunk;
    }
  }
  try {
    const response = await context.transport({
      method: 'PUT',
      url: new URL(session.uploadUrl, context.origin).href,
      headers: { ...lowerCased(session.headers), 'content-length': String(totalBytes) },
      body: body(),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    });
    const { bytes } = await readBytes(response.body, 16 * 1024);
    if (response.status >= 200 && response.status < 300) return undefined;
    return explainRefusal(response.status, new TextDecoder().decode(bytes), Object.keys(session.headers));
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    if (timeout.aborted)
      return { error: new TimeoutError(`The upload took longer than ${params.timeoutMs} ms.`), again: false };
    const code = codeOf(error);
    return {
      error: new UploadError(
        `The storage could not be reached${code ? ` (${code})` : ''}; nothing was registered.`,
      ),
      again: true,
    };
  }
}

function explainRefusal(
  status: number,
  text: string,
  sent: readonly string[],
): { error: Error; again: boolean } {
  const words = excerpt(text.replace(/<[^>]*>/g, ' '), { limit: 300 });
  if (status === 403) {
    const named = text.match(/\b(?:content-(?:type|length|md5)|x-amz-[a-z-]+)\b/i)?.[0]?.toLowerCase();
    const missing =
      named && !sent.some((name) => name.toLowerCase() === named)
        ? ` The header ${named} is missing from the session's headers.`
        : '';
    return {
      error: new UploadError(
        `The storage refused the bytes (status 403): a signed header is missing or the one-time address is spent.${missing} It said: "${words}"`,
        { status },
      ),
      again: false,
    };
  }
  const again = status >= 500 || status === 408 || status === 429;
  return {
    error: new UploadError(`The storage refused the bytes (status ${status}). It said: "${words}"`, {
      status,
    }),
    again,
  };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

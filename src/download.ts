import { DOWNLOAD_URL_FIELDS, FILE_NAME_FIELDS } from './assumptions.ts';
import { call, readAnswer, type Wire } from './call.ts';
import type { ClientContext, RequestOptions } from './context.ts';
import { NetworkError, UnexpectedResponseError } from './errors.ts';
import { isObject, textField } from './fields.ts';
import type { NamedOperation } from './operations/index.ts';
import { excerpt } from './redact.ts';
import { codeOf } from './retry.ts';
import { discard, readBytes, type TransportResponse } from './transport.ts';

/** A file on its way: where it can be had for a short time, what it is called, and its bytes. */
export interface Download {
  /** Short-lived address, a secret; undefined where the service sent the bytes themselves. */
  readonly url: string | undefined;
  readonly name: string | undefined;
  /** Media type, as far as known before the bytes are asked for. */
  readonly type: string | undefined;
  /** Starts reading the bytes, once. Asks the short-lived address without the key; does not count against the limit. */
  open(options?: { signal?: AbortSignal }): Promise<DownloadBody>;
}

export interface DownloadBody {
  readonly type: string;
  readonly name: string | undefined;
  /** From `Content-Length`, where given. */
  readonly sizeBytes: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

const JSON_LIMIT_BYTES = 1024 * 1024;

/**
 * Asks for a file. The answer may be JSON with an address under any usual name, a redirect, or the bytes (§4 says
 * "a short-lived presigned URL", not in which form).
 */
export function openDownload(
  context: ClientContext,
  params: { named: NamedOperation; wire: Wire; options: RequestOptions },
): Promise<Download> {
  const { named } = params;
  return call(context, {
    ...params,
    wire: { ...params.wire, headers: { ...params.wire.headers, accept: 'application/json, */*;q=0.8' } },
    redirects: true,
    read: async (response) => {
      const { location, 'content-type': type = '' } = response.headers;
      if (response.status >= 300) {
        await discard(response);
        if (location === undefined) throw noFile(named, { response, text: 'a redirect without a location' });
        return addressed(context, { url: new URL(location, params.wire.request.url).href });
      }
      if (!/\bjson\b|^text\/(plain|html)|^$/.test(type)) return direct(response);
      const { text } = await readAnswer(response, JSON_LIMIT_BYTES);
      const found = findAddress(text);
      if (!found) throw noFile(named, { response, text, secrets: [context.apiKey] });
      return addressed(context, { ...found, url: new URL(found.url, params.wire.request.url).href });
    },
  });
}

function noFile(
  named: NamedOperation,
  answer: { response: TransportResponse; text: string; secrets?: readonly string[] },
): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `${named.name}: the answer holds neither a file nor the address of one.`,
    {
      operation: named.name,
      status: answer.response.status,
      excerpt: excerpt(answer.text, { secrets: answer.secrets ?? [] }),
    },
  );
}

/** The address in a JSON answer, a JSON text or a bare address. */
function findAddress(text: string): { url: string; name?: string; type?: string } | undefined {
  let raw: unknown = text.trim();
  try {
    raw = JSON.parse(text);
  } catch {
    // A bare address is an answer too.
  }
  if (typeof raw === 'string') return /^https?:\/\/\S+$/.test(raw) ? { url: raw } : undefined;
  return searchAddress(raw, 0);
}

function searchAddress(
  value: unknown,
  depth: number,
): { url: string; name?: string; type?: string } | undefined {
  if (!isObject(value) || depth > 3) return undefined;
  for (const field of DOWNLOAD_URL_FIELDS) {
    const url = textField(value, [field]);
    if (url === undefined || !/^(https?:\/\/|\/)\S+$/.test(url)) continue;
    const name = textField(value, FILE_NAME_FIELDS);
    const type = textField(value, ['content_type', 'contentType', 'mime_type', 'mimeType']);
    return { url, ...(name ? { name } : {}), ...(type ? { type } : {}) };
  }
  for (const nested of Object.values(value)) {
    const found = searchAddress(nested, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function direct(response: TransportResponse): Download {
  const body = describeBody(response);
  return { url: undefined, name: body.name, type: body.type, open: async () => body };
}

function addressed(context: ClientContext, found: { url: string; name?: string; type?: string }): Download {
  return {
    url: found.url,
    name: found.name,
    type: found.type,
    open: async (options = {}) => {
      const body = describeBody(await fetchFile(context, found.url, options));
      return { ...body, name: body.name ?? found.name };
    },
  };
}

/** Follows the storage's own redirects; never carries the key, whatever the host. */
async function fetchFile(
  context: ClientContext,
  address: string,
  options: { signal?: AbortSignal },
): Promise<TransportResponse> {
  let url = address;
  for (let hop = 0; hop < 5; hop++) {
    const response = await context
      .transport({
        method: 'GET',
        url,
        headers: { accept: '*/*' },
        ...(options.signal ? { signal: options.signal } : {}),
      })
      .catch((error: unknown) => {
        if (options.signal?.aborted) throw error;
        const code = codeOf(error);
        throw new NetworkError(
          `The file's storage could not be reached${code ? ` (${code})` : ''}; ask for the file again.`,
          code,
        );
      });
    if (response.status >= 200 && response.status < 300) return response;
    const { location } = response.headers;
    if (response.status >= 300 && response.status < 400 && location !== undefined) {
      await discard(response);
      url = new URL(location, url).href;
      continue;
    }
    await readBytes(response.body, 4096).catch(() => undefined);
    throw new NetworkError(
      `The file's short-lived address answered ${response.status}; it may have expired: ask for the file again.`,
    );
  }
  throw new NetworkError('The file is redirected too often.');
}

function describeBody(response: TransportResponse): DownloadBody {
  const {
    'content-type': type = 'application/octet-stream',
    'content-length': length,
    'content-disposition': disposition,
  } = response.headers;
  const encoded = response.headers['content-encoding'] !== undefined;
  return {
    type: type.split(';')[0]?.trim() ?? type,
    name: nameOfDisposition(disposition),
    sizeBytes: length === undefined || encoded ? undefined : Number(length),
    bytes: response.body,
  };
}

/** The last segment only: a name from elsewhere must not choose a folder. */
function nameOfDisposition(disposition: string | undefined): string | undefined {
  const extended = disposition?.match(/filename\*\s*=\s*(?:utf-8|iso-8859-1)?''([^;]+)/i)?.[1];
  const plain = disposition?.match(/filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i);
  let name = plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2];
  try {
    if (extended !== undefined) name = decodeURIComponent(extended.trim());
  } catch {
    // A broken escape: the plain form stands.
  }
  return name?.trim().split(/[\\/]/).at(-1) || undefined;
}

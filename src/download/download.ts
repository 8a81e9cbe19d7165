import { NetworkError } from '../errors.ts';
import { checkOptionNames } from '../option-names.ts';
import type { ClientContext } from '../request/client-context.ts';
import { validateRequestOptions } from '../request/validate-request-options.ts';
import { DEFAULT_RETRY } from '../retry/retry.ts';
import { getContentLength } from '../transport/guard-body.ts';
import type { Transport, TransportResponse } from '../transport/transport.ts';
import { type FileRequest, fetchSource, requestFile } from './download-source.ts';
import {
  DOWNLOAD_OPTION_NAMES,
  type DownloadOptions,
  fetchFromStorage,
  type StorageRequest,
} from './fetch-from-storage.ts';
import { parseFileHeaders } from './file-location.ts';
import { type SavedFile, type SaveOptions, saveDownload } from './save-download.ts';

/** A file to download: its short-lived URL, its name and its bytes. */
export interface Download {
  /** Short-lived URL, a secret; undefined if the service sent the bytes themselves. */
  readonly url: string | undefined;
  /** Safe as a file name: one path segment without control characters. */
  readonly name: string | undefined;
  /** Media type, if known before the bytes are requested. */
  readonly type: string | undefined;
  /**
   * Starts reading the bytes, without the key and outside the rate limit; an expired URL is renewed once.
   * Bytes that came without a URL can be opened once, within a minute.
   * @throws NetworkError if the storage fails or the bytes are cut off; TimeoutError if it stops responding.
   */
  open(options?: DownloadOptions): Promise<DownloadBody>;
  /**
   * Saves the complete file to `path`, or nothing; in a folder under its own name. Resumes a broken
   * connection if the storage supports it.
   * @throws InputError if the file exists (without `overwrite`) or the folder doesn't;
   * UnexpectedResponseError if the bytes are of another kind, such as a web page; FileError if the disk
   * fails; otherwise as `open`.
   */
  saveTo(path: string | URL, options?: SaveOptions): Promise<SavedFile>;
}

export interface DownloadBody {
  readonly type: string;
  readonly name: string | undefined;
  /** From `Content-Length`, if present; another number of bytes ends in an error. */
  readonly sizeBytes: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export async function openDownload(context: ClientContext, request: FileRequest): Promise<Download> {
  const source = await requestFile(context, request);
  const { url, name, type } = source;
  return {
    url,
    name,
    type,
    open: async (options = {}) => {
      checkOptionNames('open', options, DOWNLOAD_OPTION_NAMES);
      validateRequestOptions(options);
      const { response, source: usedSource } = await fetchSource(source, options);
      const body = describeBody(response);
      return { ...body, name: body.name ?? usedSource.name };
    },
    saveTo: (path, options = {}) => saveDownload(source, path, options),
  };
}

/**
 * Opens a file at a URL of any host, following redirects, without the key.
 * @throws NetworkError if the URL is unreachable or responds with a status other than 2xx.
 */
export async function fetchUrl(
  transport: Transport,
  url: string,
  { maxWaitMs, ...options }: DownloadOptions & Pick<StorageRequest, 'maxWaitMs'> = {},
): Promise<DownloadBody> {
  const request = { url: new URL(url), maxWaitMs };
  const response = await fetchFromStorage({ transport, retry: DEFAULT_RETRY }, request, options);
  if (response.status >= 200 && response.status < 300) return describeBody(response);
  const { status } = response;
  const problem = { code: 'file_unavailable', status } as const;
  throw new NetworkError(`The file's URL responded with status ${status}; it may have expired.`, undefined, problem);
}

function describeBody(response: TransportResponse): DownloadBody {
  return { ...parseFileHeaders(response), sizeBytes: getContentLength(response), bytes: response.body };
}

import { NetworkError } from '../errors.ts';
import type { ClientContext } from '../request/client-context.ts';
import { DEFAULT_RETRY } from '../retry/retry.ts';
import { getContentLength } from '../transport/guard-body.ts';
import type { Transport, TransportResponse } from '../transport/transport.ts';
import { type DownloadSource, type FileRequest, fetchSource, requestFile } from './download-source.ts';
import { type DownloadOptions, fetchFromStorage } from './fetch-from-storage.ts';
import { describeFileHeaders } from './file-location.ts';
import { type SavedFile, type SaveOptions, saveDownload } from './save-download.ts';

/** A file on its way: where it can be had for a short time, what it is called, and its bytes. */
export interface Download {
  /** Short-lived address, a secret; undefined where the service sent the bytes themselves. */
  readonly url: string | undefined;
  /** Safe to write into a folder: one segment, no control characters. */
  readonly name: string | undefined;
  /** Media type, as far as known before the bytes are asked for. */
  readonly type: string | undefined;
  /**
   * Starts reading the bytes. Asks the short-lived address without the key and outside the limit; where that has
   * expired, asks the service once for another. Bytes that came without an address can be opened once, within a minute.
   * @throws NetworkError where the storage fails or the bytes are cut off; TimeoutError where it falls silent.
   */
  open(options?: DownloadOptions): Promise<DownloadBody>;
  /**
   * Writes the file to `path`, complete or not at all; into a folder under its own name. A connection that breaks off is
   * taken up where it stopped, where the storage can.
   * @throws InputError where something stands there already (unless `overwrite`), or there is no such folder;
   * UnexpectedResponseError where the bytes are of another kind, such as a web page in place of a PDF;
   * FileError where the disk refuses; else as `open`.
   */
  saveTo(path: string | URL, options?: SaveOptions): Promise<SavedFile>;
}

export interface DownloadBody {
  readonly type: string;
  readonly name: string | undefined;
  /** From `Content-Length`, where given; fewer or more bytes end in an error. */
  readonly sizeBytes: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Asks for a file; see `askForFile`. */
export async function openDownload(context: ClientContext, request: FileRequest): Promise<Download> {
  return toDownload(await requestFile(context, request));
}

function toDownload(source: DownloadSource): Download {
  const { url, name, type } = source;
  return {
    url,
    name,
    type,
    open: async (options = {}) => {
      const { response, source: usedSource } = await fetchSource(source, options);
      const body = describeBody(response);
      return { ...body, name: body.name ?? usedSource.name };
    },
    saveTo: (path, options = {}) => saveDownload(source, path, options),
  };
}

/**
 * Opens a file at an address of any host, following redirects; no key goes along.
 * @throws NetworkError where the address can't be reached, or answers with a status other than 2xx.
 */
export async function fetchUrl(
  transport: Transport,
  url: string,
  options: DownloadOptions = {},
): Promise<DownloadBody> {
  const response = await fetchFromStorage(
    { transport, retry: DEFAULT_RETRY },
    { url: new URL(url) },
    options,
  );
  if (response.status >= 200 && response.status < 300) return describeBody(response);
  throw new NetworkError(`The file's address answered ${response.status}; it may have expired.`);
}

function describeBody(response: TransportResponse): DownloadBody {
  return { ...describeFileHeaders(response), sizeBytes: getContentLength(response), bytes: response.body };
}

import type { ZObject } from 'zapier-platform-core';
import { fetchUrl, InputError, NetworkError, TimeoutError, type UploadSource } from './client-core.ts';
import { getStepRun, type StepRun } from './step-run.ts';
import { createZapTransport } from './zapier-transport.ts';

/** The contents of a file field, ready to be streamed on. */
export interface OpenedFile {
  readonly source: UploadSource;
  readonly name: string;
  readonly type: string | undefined;
}

/** The largest file of a step: as much as a good line carries there and on within the platform's 30 s. */
export const MAX_FILE_MEGABYTES = 100;
export const MAX_FILE_BYTES = MAX_FILE_MEGABYTES * 1_000_000;

/** The longest silence of an address: earlier steps' files lie in stores that answer at once. */
export const IDLE_TIMEOUT_MS = 8_000;
/** After so long the pace of a file tells whether it can be through in time. */
const SPEED_CHECK_DELAY_MS = 5_000;
/** How far beyond the run's end a file has to be for it to be given up early. */
const MAX_TIME_OVERRUN = 2;

/**
 * A file at an address of an earlier step. Where the address says how long it is, its bytes go on as they come, and are
 * asked for again where they have to be sent again; a file of unknown length is written to disk first.
 * @throws InputError for a web page, a file that is too large, slow or cut, and an address that gives none.
 */
export async function openFileUrl(z: ZObject, url: string): Promise<OpenedFile> {
  const run = getStepRun(z);
  const fetchFile = () =>
    fetchUrl(createZapTransport(z), url, { signal: run.signal, timeoutMs: IDLE_TIMEOUT_MS }).catch(
      (error: unknown) => {
        throw toFileError(error, run);
      },
    );
  const body = await fetchFile();
  const name = body.name ?? fileNameFromUrl(url);
  const type = parseContentType(body.type);
  const { sizeBytes: size } = body;
  if (type === 'text/html' && !/\.html?$/i.test(name)) {
    await releaseConnection(body.bytes);
    throw htmlFileError();
  }
  if (size !== undefined && size > MAX_FILE_BYTES) {
    await releaseConnection(body.bytes);
    throw fileTooLargeError(`has ${formatMegabytes(size)} MB`);
  }
  if (size === undefined) return { source: guardStream(body.bytes, { run, size, name }), name, type };
  let unreadBytes: AsyncIterable<Uint8Array> | undefined = body.bytes;
  async function* stream() {
    const bytes = unreadBytes ?? (await fetchFile()).bytes;
    unreadBytes = undefined;
    yield* guardStream(bytes, { run, size, name });
  }
  return { source: { size, name, ...(type === undefined ? {} : { type }), stream }, name, type };
}

/** Bytes as they come; a file that can't be through in time, or is larger than it may be, ends early. */
async function* guardStream(
  bytes: AsyncIterable<Uint8Array>,
  { run, size, name }: { run: StepRun; size: number | undefined; name: string },
): AsyncGenerator<Uint8Array> {
  const startedAt = performance.now();
  let bytesRead = 0;
  try {
    for await (const chunk of bytes) {
      // Also where its address calls it a file.
      if (bytesRead === 0 && isHtml(chunk) && !/\.(?:html?|txt|md)$/i.test(name)) throw htmlFileError();
      bytesRead += chunk.byteLength;
      if (bytesRead > MAX_FILE_BYTES) throw fileTooLargeError(`is larger than ${MAX_FILE_MEGABYTES} MB`);
      const elapsedMs = performance.now() - startedAt;
      const remainingTransferMs = size === undefined ? 0 : (elapsedMs / bytesRead) * (size - bytesRead);
      if (elapsedMs > SPEED_CHECK_DELAY_MS && remainingTransferMs > run.remainingMs() * MAX_TIME_OVERRUN)
        throw fileTooSlowError(
          `${formatMegabytes(bytesRead)} of ${formatMegabytes(size ?? 0)} MB in ${Math.round(elapsedMs / 1000)} s`,
        );
      yield chunk;
    }
  } catch (error) {
    throw toFileError(error, run);
  }
}

function isHtml(start: Uint8Array): boolean {
  return /^\ufeff?\s*<(?:!doctype html|html)[\s>]/i.test(new TextDecoder().decode(start.subarray(0, 200)));
}

/** In the words of who filled in the step: the file's address is none of Docshare's. */
function toFileError(error: unknown, run: StepRun): unknown {
  if (run.signal.aborted) return new TimeoutError('The upload was not done in the time of its step.');
  if (error instanceof TimeoutError)
    return new InputError(
      `The address of the file gave nothing for ${IDLE_TIMEOUT_MS / 1000} seconds, so no document was made. Test the step that the file comes from, then replay this run.`,
    );
  if (!(error instanceof NetworkError)) return error;
  const status = /answered (\d{3})/.exec(error.message)?.[1];
  if (status !== undefined)
    return new InputError(
      `The address of the file answered ${status}: it may have expired. Test the step that the file comes from, then replay this run.`,
    );
  const problem = /cut off/.test(error.message)
    ? 'The file broke off on its way, so no document was made of it.'
    : 'The address of the file could not be reached, so no document was made.';
  return new InputError(`${problem} Test the step that the file comes from, then replay this run.`);
}

function htmlFileError(): InputError {
  return new InputError(
    'The address of the file gave a web page, such as a sign-in page, in place of the file. Map the file itself from an earlier step.',
  );
}

function fileTooLargeError(detail: string): InputError {
  return new InputError(
    `The file ${detail}, and a step takes at most ${MAX_FILE_MEGABYTES} MB: more does not get through in Zapier's 30 seconds. Nothing was sent. Upload it in Docshare.`,
  );
}

function fileTooSlowError(speed: string): InputError {
  return new InputError(
    `The file is too slow for Zapier's 30 seconds (${speed}), so it was given up and no document was made. Give this step a smaller file, or upload this one in Docshare.`,
  );
}

function formatMegabytes(bytes: number): string {
  const number = bytes / 1_000_000;
  return number < 10 ? number.toFixed(1) : String(Math.ceil(number));
}

/** Gives the connection back. */
async function releaseConnection(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of bytes) break;
  } catch {
    // Nobody wants it.
  }
}

function fileNameFromUrl(url: string): string {
  const lastSegment = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(lastSegment) || 'document';
  } catch {
    return lastSegment || 'document';
  }
}

/** Storage that does not know a file's type says so; the name then tells more. */
function parseContentType(type: string): string | undefined {
  const [mediaType = ''] = type.split(';');
  return mediaType === 'application/octet-stream' || mediaType === 'binary/octet-stream'
    ? undefined
    : mediaType.trim().toLowerCase();
}

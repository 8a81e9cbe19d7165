import type { ZObject } from 'zapier-platform-core';
import { fetchUrl, InputError, NetworkError, TimeoutError, type UploadSource } from './core.ts';
import { getStepRun, type Run } from './run.ts';
import { createZapTransport } from './transport.ts';

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
const FAR_TOO_SLOW = 2;

/**
 * A file at an address of an earlier step. Where the address says how long it is, its bytes go on as they come, and are
 * asked for again where they have to be sent again; a file of unknown length is written to disk first.
 * @throws InputError for a web page, a file that is too large, slow or cut, and an address that gives none.
 */
export async function openAddress(z: ZObject, address: string): Promise<OpenedFile> {
  const run = getStepRun(z);
  const ask = () =>
    fetchUrl(createZapTransport(z), address, { signal: run.signal, timeoutMs: IDLE_TIMEOUT_MS }).catch(
      (error: unknown) => {
        throw explain(error, run);
      },
    );
  const body = await ask();
  const name = body.name ?? nameOfAddress(address);
  const type = parseContentType(body.type);
  const { sizeBytes: size } = body;
  if (type === 'text/html' && !/\.html?$/i.test(name)) {
    await letGo(body.bytes);
    throw webPage();
  }
  if (size !== undefined && size > MAX_FILE_BYTES) {
    await letGo(body.bytes);
    throw tooLarge(`has ${megabytes(size)} MB`);
  }
  if (size === undefined) return { source: watched(body.bytes, { run, size, name }), name, type };
  let opened: AsyncIterable<Uint8Array> | undefined = body.bytes;
  async function* stream() {
    const bytes = opened ?? (await ask()).bytes;
    opened = undefined;
    yield* watched(bytes, { run, size, name });
  }
  return { source: { size, name, ...(type === undefined ? {} : { type }), stream }, name, type };
}

/** Bytes as they come; a file that can't be through in time, or is larger than it may be, ends early. */
async function* watched(
  bytes: AsyncIterable<Uint8Array>,
  { run, size, name }: { run: Run; size: number | undefined; name: string },
): AsyncGenerator<Uint8Array> {
  const startedAt = performance.now();
  let read = 0;
  try {
    for await (const chunk of bytes) {
      // Also where its address calls it a file.
      if (read === 0 && isWebPage(chunk) && !/\.(?:html?|txt|md)$/i.test(name)) throw webPage();
      read += chunk.byteLength;
      if (read > MAX_FILE_BYTES) throw tooLarge(`is larger than ${MAX_FILE_MEGABYTES} MB`);
      const tookMs = performance.now() - startedAt;
      const neededMs = size === undefined ? 0 : (tookMs / read) * (size - read);
      if (tookMs > SPEED_CHECK_DELAY_MS && neededMs > run.remainingMs() * FAR_TOO_SLOW)
        throw tooSlow(`${megabytes(read)} of ${megabytes(size ?? 0)} MB in ${Math.round(tookMs / 1000)} s`);
      yield chunk;
    }
  } catch (error) {
    throw explain(error, run);
  }
}

function isWebPage(start: Uint8Array): boolean {
  return /^\ufeff?\s*<(?:!doctype html|html)[\s>]/i.test(new TextDecoder().decode(start.subarray(0, 200)));
}

/** In the words of who filled in the step: the file's address is none of Docshare's. */
function explain(error: unknown, run: Run): unknown {
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
  const what = /cut off/.test(error.message)
    ? 'The file broke off on its way, so no document was made of it.'
    : 'The address of the file could not be reached, so no document was made.';
  return new InputError(`${what} Test the step that the file comes from, then replay this run.`);
}

function webPage(): InputError {
  return new InputError(
    'The address of the file gave a web page, such as a sign-in page, in place of the file. Map the file itself from an earlier step.',
  );
}

function tooLarge(how: string): InputError {
  return new InputError(
    `The file ${how}, and a step takes at most ${MAX_FILE_MEGABYTES} MB: more does not get through in Zapier's 30 seconds. Nothing was sent. Upload it in Docshare.`,
  );
}

function tooSlow(pace: string): InputError {
  return new InputError(
    `The file is too slow for Zapier's 30 seconds (${pace}), so it was given up and no document was made. Give this step a smaller file, or upload this one in Docshare.`,
  );
}

function megabytes(bytes: number): string {
  const number = bytes / 1_000_000;
  return number < 10 ? number.toFixed(1) : String(Math.ceil(number));
}

/** Gives the connection back. */
async function letGo(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of bytes) break;
  } catch {
    // Nobody wants it.
  }
}

function nameOfAddress(address: string): string {
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || 'document';
  } catch {
    return last || 'document';
  }
}

/** Storage that does not know a file's type says so; the name then tells more. */
function parseContentType(type: string): string | undefined {
  const [plain = ''] = type.split(';');
  return plain === 'application/octet-stream' || plain === 'binary/octet-stream'
    ? undefined
    : plain.trim().toLowerCase();
}

import type { ZObject } from 'zapier-platform-core';
import {
  cancelBody,
  detectFileKind,
  fetchUrl,
  getFileKind,
  getMediaTypeByName,
  InputError,
  NetworkError,
  TimeoutError,
  type UploadSource,
} from './client-core.ts';
import { getStepRun, type StepRun } from './step-run.ts';
import { createZapTransport } from './zapier-transport.ts';

export interface OpenedFile {
  readonly source: UploadSource;
  readonly name: string;
  readonly type: string | undefined;
}

type NamedFile = Pick<OpenedFile, 'name' | 'type'>;

/** Maximum file size: about what a good connection downloads and uploads within Zapier's 30 seconds. */
export const MAX_FILE_MEGABYTES = 100;
export const MAX_FILE_BYTES = MAX_FILE_MEGABYTES * 1_000_000;

/** Maximum time without data from the file's server. */
export const IDLE_TIMEOUT_MS = 8_000;
/** Maximum wait before a retry that the file's server may request. */
const MAX_WAIT_MS = 4_000;
/** Time after which the transfer speed is meaningful. */
const SPEED_CHECK_DELAY_MS = 5_000;
/** A transfer that needs more than this multiple of the remaining time is given up early. */
const MAX_TIME_OVERRUN = 2;

/**
 * Opens the URL of an earlier step's file, which must have the content that its given name promises. A file of known length is streamed, and fetched again for a retry; one of
 * unknown length is written to disk first.
 * @throws InputError for a web page, a file that is too large, too slow or cut off, and a URL that fails.
 */
export async function openFileUrl(z: ZObject, url: string, givenName?: string): Promise<OpenedFile> {
  const run = getStepRun(z);
  const fetchFile = () =>
    fetchUrl(createZapTransport(z), url, {
      signal: run.signal,
      timeoutMs: IDLE_TIMEOUT_MS,
      maxWaitMs: MAX_WAIT_MS,
    }).catch((error: unknown) => {
      throw toFileError(error, run);
    });
  const body = await fetchFile();
  const name = body.name ?? getFileNameFromUrl(url);
  const type = parseContentType(body.type);
  const namedFile = { name: givenName && getMediaTypeByName(givenName) ? givenName : name, type };
  const { sizeBytes: size } = body;
  if (type === 'text/html' && !/\.html?$/i.test(name)) {
    await cancelBody(body.bytes).catch(() => undefined);
    throw createHtmlFileError();
  }
  if (size !== undefined && size > MAX_FILE_BYTES) {
    await cancelBody(body.bytes).catch(() => undefined);
    throw createFileTooLargeError(`has ${formatMegabytes(size)} MB`);
  }
  if (size === undefined) return { source: guardStream(body.bytes, { run, size, ...namedFile }), name, type };
  let unreadBytes: AsyncIterable<Uint8Array> | undefined = body.bytes;
  async function* stream() {
    const bytes = unreadBytes ?? (await fetchFile()).bytes;
    unreadBytes = undefined;
    yield* guardStream(bytes, { run, size, ...namedFile });
  }
  return { source: { size, name, ...(type === undefined ? {} : { type }), stream }, name, type };
}

/** Passes the bytes on, and fails early if the file is too large or too slow. */
async function* guardStream(
  bytes: AsyncIterable<Uint8Array>,
  { run, size, name, type }: NamedFile & { run: StepRun; size: number | undefined },
): AsyncGenerator<Uint8Array> {
  const startedAt = performance.now();
  let bytesRead = 0;
  try {
    for await (const chunk of withWholeStart(bytes, { name, type })) {
      if (bytesRead === 0 && !matchesName(chunk, { name, type })) throw createOtherFileError(name, chunk);
      bytesRead += chunk.byteLength;
      if (bytesRead > MAX_FILE_BYTES) throw createFileTooLargeError(`is larger than ${MAX_FILE_MEGABYTES} MB`);
      const elapsedMs = performance.now() - startedAt;
      const neededMs = size === undefined ? 0 : (elapsedMs / bytesRead) * (size - bytesRead);
      if (size !== undefined && elapsedMs > SPEED_CHECK_DELAY_MS && neededMs > run.remainingMs() * MAX_TIME_OVERRUN) {
        const amount = `${formatMegabytes(bytesRead)} of ${formatMegabytes(size)} MB`;
        const speed = `${amount} in ${Math.round(elapsedMs / 1000)} s`;
        throw new InputError(
          `The transfer of the file is too slow for Zapier's limit of 30 seconds (${speed}), so no document was created. Use a smaller file, or upload this one in Docshare.`,
        );
      }
      yield chunk;
    }
  } catch (error) {
    throw toFileError(error, run);
  }
}

const TEXT_FILE_NAME = /\.(?:html?|xhtml|xml|svg|json|txt|md|csv|ya?ml|log)$/i;

/** Readers look for the beginning of a PDF this far. */
const START_BYTES = 1024;

/** Joins the first chunks until they show what the file is. */
async function* withWholeStart(bytes: AsyncIterable<Uint8Array>, file: NamedFile): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of bytes) {
    if (start) {
      start = Buffer.concat([start, chunk]);
      if (start.byteLength < START_BYTES && (getExpectedKind(file) !== undefined || mayBeMarkup(start))) continue;
    }
    yield start ?? chunk;
    start = undefined;
  }
  if (start && start.byteLength > 0) yield start;
}

function getExpectedKind({ name, type }: NamedFile): string | undefined {
  return getFileKind(getMediaTypeByName(name) ?? type);
}

/** True for nothing but space, and for the first character of HTML, XML or JSON. */
function mayBeMarkup(start: Uint8Array): boolean {
  return /^\ufeff?\s*(?:$|[<{[])/.test(new TextDecoder().decode(start));
}

/** False for HTML, XML or JSON, in which services report errors, and for a start that files of this name never have. */
function matchesName(start: Uint8Array, file: NamedFile): boolean {
  if (TEXT_FILE_NAME.test(file.name)) return true;
  const expected = getExpectedKind(file);
  if (expected === 'PDF') return Buffer.from(start).subarray(0, START_BYTES).includes('%PDF-');
  const kind = detectFileKind(start);
  // Error pages are text. Other bytes may be a protected Office file, or a photo with a wrong ending.
  if (expected !== undefined) return kind === expected || (kind === undefined && start.includes(0));
  return !isMarkup(start);
}

/** True for HTML, XML and JSON. */
export function isMarkup(start: Uint8Array): boolean {
  return /^\ufeff?\s*(?:<[!?a-z]|\{\s*"|\[\s*["{])/i.test(new TextDecoder().decode(start));
}

/** Translates an error of the file's server, which is not Docshare. */
function toFileError(error: unknown, run: StepRun): unknown {
  if (run.signal.aborted)
    return new TimeoutError('The upload did not finish within the time of its step.', {
      problem: { code: 'upload_too_slow' },
    });
  if (error instanceof TimeoutError)
    return new InputError(
      `The file's URL sent no data for ${IDLE_TIMEOUT_MS / 1000} seconds, so no document was created. ${FILE_ADVICE}`,
    );
  if (!(error instanceof NetworkError)) return error;
  return new InputError(`${describeFileError(error)} ${FILE_ADVICE}`);
}

function describeFileError({ problem }: NetworkError): string {
  if (problem?.code === 'file_unavailable') {
    const { status = 0 } = problem;
    const isBusy = status === 429 || status >= 500;
    return `The file's URL answered ${status}: ${isBusy ? 'its server is busy or has an error' : 'it may have expired'}.`;
  }
  return problem?.code === 'file_cut_off'
    ? 'The file was cut off, so no document was created.'
    : "The file's URL could not be reached, so no document was created.";
}

const FILE_ADVICE = 'Test the step that the file comes from, then replay this run.';

function createHtmlFileError(): InputError {
  return new InputError(
    "The file's URL returned something else than the file, such as a sign-in or error page. Map the file itself from an earlier step.",
  );
}

/** Tells a file with a wrong name, such as a converted one, from a sign-in or error page served with the type of a file. */
function createOtherFileError(name: string, start: Uint8Array): InputError {
  const kind = detectFileKind(start);
  if (kind === undefined || !/^[A-Z]+$/.test(kind)) return createHtmlFileError();
  return new InputError(
    `"${name.slice(0, 60)}" has the content of a ${kind === 'ZIP' ? 'ZIP or Office' : kind} file, so no document was created. Enter a name with the right ending in this step, or map another file.`,
  );
}

function createFileTooLargeError(detail: string): InputError {
  return new InputError(
    `The file ${detail}. A step can upload at most ${MAX_FILE_MEGABYTES} MB within Zapier's limit of 30 seconds. Nothing was sent. Upload this file in Docshare.`,
  );
}

function formatMegabytes(bytes: number): string {
  const number = bytes / 1_000_000;
  return number < 10 ? number.toFixed(1) : String(Math.ceil(number));
}

function getFileNameFromUrl(url: string): string {
  const lastSegment = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(lastSegment) || 'document';
  } catch {
    return lastSegment || 'document';
  }
}

/** Media type; undefined for the types of unknown data, since the file's name says more. */
function parseContentType(type: string): string | undefined {
  const [mediaType = ''] = type.split(';');
  return mediaType === 'application/octet-stream' || mediaType === 'binary/octet-stream'
    ? undefined
    : mediaType.trim().toLowerCase();
}

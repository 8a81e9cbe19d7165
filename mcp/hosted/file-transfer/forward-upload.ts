import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { sanitizeFileName } from '../../../src/download/sanitize-file-name.ts';
import { getMediaTypeByName, SNIFF_BYTES } from '../../../src/media-type.ts';
import type { JsonObject } from '../../../src/records/fields.ts';
import { findTypeMismatch } from '../../files/check-file-type.ts';
import { MAX_FILE_BYTES } from '../../files/file-access.ts';
import { checkUploadedFileName } from '../../files/upload-name.ts';
import { type ListReader, PATIENT } from '../../tool/tool.ts';
import { ToolError } from '../../tool-error.ts';
import { hashPlaces, readPlaces } from '../../tools/new-version-action.ts';
import { finishUpload, REACHES_MORE } from '../../tools/upload-with-progress.ts';
import type { UploadAttempt } from './upload-attempt.ts';
import { createCutOffError, peekStart } from './upload-stream.ts';
import type { UploadTicket } from './upload-tickets.ts';

/** Incoming file, as described by its request. */
export interface IncomingFile {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** Undefined if the request does not say. */
  readonly sizeBytes: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface ForwardContext extends Omit<ListReader, 'options'> {
  readonly ticket: UploadTicket;
  readonly attempt: UploadAttempt;
  /** @throws ToolError if the sign-in has ended */
  readonly requireSignIn: () => Promise<void>;
}

/** Files up to this size are buffered, so that a failed attempt can be repeated and any upload route works. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * Forwards a file to the service as it arrives, without storing it.
 * @returns the result of the upload.
 * @throws ToolError, or an error of the client's upload.
 */
export async function forwardUpload(
  file: IncomingFile,
  { client, ticket, attempt, memory, requireSignIn }: ForwardContext,
): Promise<JsonObject> {
  const sizeBytes = validateSize(file, ticket);
  const { documentId, replacement } = ticket;
  const stop = new AbortController();
  /** @throws ToolError if the sign-in has ended, or if the document has another name or other places by now */
  const requireApproval = async () => {
    await requireSignIn();
    if (documentId === undefined || !replacement) return;
    const { document, names } = await readPlaces({ client, memory, options: PATIENT }, documentId);
    if (hashPlaces(document, names) !== replacement.places) throw REACHES_MORE;
  };
  const onPending = () => requireApproval().catch((error: unknown) => stop.abort(error));
  const fileName = sanitizeFileName(file.name);
  const { start, bytes } = await peekStart(file.bytes, SNIFF_BYTES);
  try {
    const name = chooseName(ticket, fileName, start);
    const hash = createHash('sha256');
    const type = getMediaTypeByName(name) ?? (fileName && getMediaTypeByName(fileName)) ?? parseMediaType(file.type);
    const options = {
      name,
      ...(type === undefined ? {} : { type }),
      ...(documentId === undefined ? {} : { documentId }),
    };
    const whole = countBytes(bytes, { sizeBytes, attempt, hash });
    const buffered = sizeBytes <= MAX_BUFFERED_BYTES ? await buffer(whole) : undefined;
    await requireApproval();
    const result = buffered
      ? await client.upload(buffered, options)
      : await client.upload(whole, { ...options, sizeBytes, via: 'direct', signal: stop.signal, onPending });
    return await finishUpload(result, { documentId, memory, name, fileName, sha256: hash.digest('hex') });
  } finally {
    await bytes.return(undefined);
  }
}

/** @throws ToolError if the size is missing or not the requested one. */
function validateSize({ sizeBytes }: IncomingFile, ticket: UploadTicket): number {
  if (sizeBytes === undefined)
    throw new ToolError('no_length', 'The request has no Content-Length header. Send the size of the file.');
  if (sizeBytes === 0)
    throw new ToolError('empty', 'The file is empty. Save or export it again, or choose another file.');
  if (sizeBytes > MAX_FILE_BYTES)
    throw new ToolError('too_large', `The file has ${sizeBytes} bytes. The limit is ${MAX_FILE_BYTES} bytes.`);
  if (ticket.sizeBytes !== undefined && ticket.sizeBytes !== sizeBytes)
    throw new ToolError(
      'wrong_size',
      `The file has ${sizeBytes} bytes, not the expected ${ticket.sizeBytes}. Choose the right file.`,
    );
  return sizeBytes;
}

/** Returns the requested name, or the file's own. @throws ToolError if a name looks like a secret, or another type. */
function chooseName({ name }: UploadTicket, fileName: string | undefined, start: Uint8Array): string {
  const [expectedType, actualType] = [getMediaTypeByName(name ?? ''), getMediaTypeByName(fileName ?? '')];
  if (expectedType !== undefined && actualType !== undefined && expectedType !== actualType)
    throw new ToolError(
      'wrong_type',
      `Expected a file of type ${expectedType}, but its name ends like ${actualType}. Choose another file.`,
    );
  const chosenName = name ?? fileName ?? 'document';
  for (const label of [fileName ?? chosenName, chosenName]) {
    checkUploadedFileName(label);
    const mismatch = findTypeMismatch(label, start);
    if (mismatch) throw new ToolError('wrong_type', `This isn’t a ${mismatch.expected} file. Choose another file.`);
  }
  return chosenName;
}

/**
 * Passes on exactly `sizeBytes` bytes. The last chunk waits until it is recorded that the service may have
 * the whole file.
 */
async function* countBytes(
  bytes: AsyncIterable<Uint8Array>,
  { sizeBytes, attempt, hash }: { sizeBytes: number; attempt: UploadAttempt; hash: ReturnType<typeof createHash> },
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0;
  for await (const chunk of bytes) {
    receivedBytes += chunk.byteLength;
    if (receivedBytes > sizeBytes)
      throw new ToolError('wrong_size', `The request sent more than the announced ${sizeBytes} bytes.`);
    hash.update(chunk);
    if (receivedBytes === sizeBytes) await attempt.markRegistering();
    yield chunk;
    attempt.sent(receivedBytes);
  }
  if (receivedBytes < sizeBytes) throw createCutOffError();
}

/** Returns the sender's media type, unless it is generic or invalid. */
function parseMediaType(type: string | undefined): string | undefined {
  const plain = type?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isSpecific = /^[a-z]+\/[a-z0-9.+-]{1,80}$/.test(plain) && !/octet-stream|form-urlencoded|form-data/.test(plain);
  return isSpecific ? plain : undefined;
}

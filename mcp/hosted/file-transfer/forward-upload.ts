import { createHash } from 'node:crypto';
import { sanitizeFileName } from '../../../src/download/sanitize-file-name.ts';
import type { Client } from '../../../src/index.ts';
import { getMediaTypeByName, SNIFF_BYTES } from '../../../src/media-type.ts';
import type { JsonObject } from '../../../src/records/fields.ts';
import { checkFileType } from '../../files/check-file-type.ts';
import { MAX_FILE_BYTES } from '../../files/file-access.ts';
import { ToolError } from '../../tool-error.ts';
import { toUploadResult } from '../../tools/upload-with-progress.ts';
import type { UploadAttempt } from './upload-attempt.ts';
import { createCutOffError, peekStart } from './upload-stream.ts';
import type { UploadTicket } from './upload-tickets.ts';

/** A file that somebody sends, as far as its request says. */
export interface IncomingFile {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** Undefined where it does not say. */
  readonly sizeBytes: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** So little is held until it is whole: then a failed attempt can be repeated, and the service may take either way. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * Sends a file on to the service as it comes, never kept and no faster than the service takes it.
 * @returns what an upload answers.
 * @throws ToolError, or what the client's upload throws.
 */
export async function forwardUpload(
  file: IncomingFile,
  { client, ticket, attempt }: { client: Client; ticket: UploadTicket; attempt: UploadAttempt },
): Promise<JsonObject> {
  const sizeBytes = validateSize(file, ticket);
  const { documentId } = ticket;
  const fileName = sanitizeFileName(file.name);
  const { start, bytes } = await peekStart(file.bytes, SNIFF_BYTES);
  try {
    const name = chooseName(ticket, fileName, start);
    const hash = createHash('sha256');
    const type =
      getMediaTypeByName(name) ?? (fileName && getMediaTypeByName(fileName)) ?? parseMediaType(file.type);
    const options = {
      name,
      ...(type === undefined ? {} : { type }),
      ...(documentId === undefined ? {} : { documentId }),
    };
    const whole = countBytes(bytes, { sizeBytes, attempt, hash });
    const result =
      sizeBytes <= MAX_BUFFERED_BYTES
        ? await client.upload(await bufferAll(whole), options)
        : await client.upload(whole, { ...options, sizeBytes, via: 'direct' });
    return toUploadResult(result, { documentId, sha256: hash.digest('hex') });
  } finally {
    await bytes.return(undefined);
  }
}

/** @throws ToolError for a length that is missing, or is not the one that was asked for. */
function validateSize({ sizeBytes }: IncomingFile, ticket: UploadTicket): number {
  if (sizeBytes === undefined)
    throw new ToolError(
      'no_length',
      'The request does not say how long the file is: send it with Content-Length.',
    );
  if (sizeBytes === 0)
    throw new ToolError(
      'empty',
      'The file is empty, so nothing was sent. Export or save it again, or choose another.',
    );
  if (sizeBytes > MAX_FILE_BYTES)
    throw new ToolError('too_large', `The file has ${sizeBytes} bytes; the limit is ${MAX_FILE_BYTES}.`);
  if (ticket.sizeBytes !== undefined && ticket.sizeBytes !== sizeBytes)
    throw new ToolError(
      'wrong_size',
      `The file has ${sizeBytes} bytes, not the ${ticket.sizeBytes} that were asked for.`,
    );
  return sizeBytes;
}

/** The name that was asked for, else the file's own. @throws ToolError where the file is of another kind than that says. */
function chooseName({ name }: UploadTicket, fileName: string | undefined, start: Uint8Array): string {
  const [expectedType, actualType] = [getMediaTypeByName(name ?? ''), getMediaTypeByName(fileName ?? '')];
  if (expectedType !== undefined && actualType !== undefined && expectedType !== actualType)
    throw new ToolError(
      'wrong_type',
      `The file should be of the type ${expectedType}, but its name says ${actualType}.`,
    );
  const chosenName = name ?? fileName ?? 'document';
  for (const one of [fileName ?? chosenName, chosenName]) checkType(one, start);
  return chosenName;
}

/** In words of our own alone: whoever has the address chose the name. */
function checkType(name: string, start: Uint8Array): void {
  try {
    checkFileType(name, start);
  } catch {
    throw new ToolError(
      'wrong_type',
      'The content of the file is of another kind than its name says. Check the file, or give it its right name.',
    );
  }
}

/** Exactly as many bytes as were told; the last of them waits until it is noted that the service may have all. */
async function* countBytes(
  bytes: AsyncIterable<Uint8Array>,
  {
    sizeBytes,
    attempt,
    hash,
  }: { sizeBytes: number; attempt: UploadAttempt; hash: ReturnType<typeof createHash> },
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0;
  for await (const chunk of bytes) {
    receivedBytes += chunk.byteLength;
    if (receivedBytes > sizeBytes)
      throw new ToolError('wrong_size', `More than the ${sizeBytes} bytes that were told came in.`);
    hash.update(chunk);
    if (receivedBytes === sizeBytes) await attempt.markRegistering();
    yield chunk;
    attempt.sent(receivedBytes);
  }
  if (receivedBytes < sizeBytes) throw createCutOffError();
}

async function bufferAll(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What a sender says of the type, unless that says nothing, or is no media type. */
function parseMediaType(type: string | undefined): string | undefined {
  const plain = type?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isSpecific =
    /^[a-z]+\/[a-z0-9.+-]{1,80}$/.test(plain) && !/octet-stream|form-urlencoded|form-data/.test(plain);
  return isSpecific ? plain : undefined;
}

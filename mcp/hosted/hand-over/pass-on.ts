import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../src/answer/fields.ts';
import { sanitizeFileName } from '../../../src/download/safe-name.ts';
import type { Client } from '../../../src/index.ts';
import { getMediaTypeByName, SNIFF_BYTES } from '../../../src/media-type.ts';
import { FILE_LIMIT_BYTES } from '../../files/file-door.ts';
import { checkFileKind } from '../../files/file-signature.ts';
import { ToolError } from '../../tool-error.ts';
import { toUploadResult } from '../../tools/upload.ts';
import type { Run } from './hand-over-run.ts';
import type { OpenHandOver } from './hand-overs.ts';
import { beginning, cutOff } from './incoming.ts';

/** A file that somebody sends, as far as its request says. */
export interface IncomingFile {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** Undefined where it does not say. */
  readonly sizeBytes: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** So little is held until it is whole: then a failed attempt can be repeated, and the service may take either way. */
const HELD_BYTES = 1024 * 1024;

/**
 * Sends a file on to the service as it comes, never kept and no faster than the service takes it.
 * @returns what an upload answers.
 * @throws ToolError, or what the client's upload throws.
 */
export async function passOn(
  file: IncomingFile,
  { client, hand, run }: { client: Client; hand: OpenHandOver; run: Run },
): Promise<JsonObject> {
  const sizeBytes = checkedSize(file, hand);
  const { documentId } = hand;
  const fileName = sanitizeFileName(file.name);
  const { start, bytes } = await beginning(file.bytes, SNIFF_BYTES);
  try {
    const name = chooseName(hand, fileName, start);
    const hash = createHash('sha256');
    const type =
      getMediaTypeByName(name) ?? (fileName && getMediaTypeByName(fileName)) ?? plainType(file.type);
    const options = {
      name,
      ...(type === undefined ? {} : { type }),
      ...(documentId === undefined ? {} : { documentId }),
    };
    const whole = counted(bytes, { sizeBytes, run, hash });
    const result =
      sizeBytes <= HELD_BYTES
        ? await client.upload(await gathered(whole), options)
        : await client.upload(whole, { ...options, sizeBytes, via: 'direct' });
    return toUploadResult(result, { documentId, sha256: hash.digest('hex') });
  } finally {
    await bytes.return(undefined);
  }
}

/** @throws ToolError for a length that is missing, or is not the one that was asked for. */
function checkedSize({ sizeBytes }: IncomingFile, hand: OpenHandOver): number {
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
  if (sizeBytes > FILE_LIMIT_BYTES)
    throw new ToolError('too_large', `The file has ${sizeBytes} bytes; the limit is ${FILE_LIMIT_BYTES}.`);
  if (hand.sizeBytes !== undefined && hand.sizeBytes !== sizeBytes)
    throw new ToolError(
      'wrong_size',
      `The file has ${sizeBytes} bytes, not the ${hand.sizeBytes} that were asked for.`,
    );
  return sizeBytes;
}

/** The name that was asked for, else the file's own. @throws ToolError where the file is of another kind than that says. */
function chooseName({ name }: OpenHandOver, fileName: string | undefined, start: Uint8Array): string {
  const [wanted, given] = [getMediaTypeByName(name ?? ''), getMediaTypeByName(fileName ?? '')];
  if (wanted !== undefined && given !== undefined && wanted !== given)
    throw new ToolError(
      'wrong_type',
      `The file should be of the type ${wanted}, but its name says ${given}.`,
    );
  const own = name ?? fileName ?? 'document';
  for (const one of [fileName ?? own, own]) checkKind(one, start);
  return own;
}

/** In words of our own alone: whoever has the address chose the name. */
function checkKind(name: string, start: Uint8Array): void {
  try {
    checkFileKind(name, start);
  } catch {
    throw new ToolError(
      'wrong_type',
      'The content of the file is of another kind than its name says. Check the file, or give it its right name.',
    );
  }
}

/** Exactly as many bytes as were told; the last of them waits until it is noted that the service may have all. */
async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  { sizeBytes, run, hash }: { sizeBytes: number; run: Run; hash: ReturnType<typeof createHash> },
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of bytes) {
    seen += chunk.byteLength;
    if (seen > sizeBytes)
      throw new ToolError('wrong_size', `More than the ${sizeBytes} bytes that were told came in.`);
    hash.update(chunk);
    if (seen === sizeBytes) await run.registering();
    yield chunk;
    run.sent(seen);
  }
  if (seen < sizeBytes) throw cutOff();
}

async function gathered(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What a sender says of the type, unless that says nothing, or is no media type. */
function plainType(type: string | undefined): string | undefined {
  const plain = type?.split(';')[0]?.trim().toLowerCase() ?? '';
  const says =
    /^[a-z]+\/[a-z0-9.+-]{1,80}$/.test(plain) && !/octet-stream|form-urlencoded|form-data/.test(plain);
  return says ? plain : undefined;
}

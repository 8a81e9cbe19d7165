import { MULTIPART_LIMIT_BYTES, UPLOAD_WAY_REFUSED, uploadStartBodies } from './assumptions.ts';
import type { Client } from './client.ts';
import type { ClientContext, RequestOptions } from './context.ts';
import { ApiError, DocshareError, type PendingUpload, UploadError } from './errors.ts';
import { idOf, type JsonObject } from './fields.ts';
import { type FileSource, openSource, type UploadSource } from './file-source.ts';
import { firstAccepted } from './first-accepted.ts';
import { putToStorage } from './storage.ts';

export type { UploadSource } from './file-source.ts';

export interface UploadOptions extends RequestOptions {
  /** Name of the document; the file's own unless told. */
  readonly name?: string;
  /** Media type; from the name unless told. */
  readonly type?: string;
  /** Records a new version of this document instead of a new document; always goes direct to storage (§4). */
  readonly documentId?: string;
  /** `auto`: multipart for files up to 4 MiB, direct to storage above; each falls back on the other. */
  readonly via?: 'auto' | 'multipart' | 'direct';
  /** Bytes handed to the network so far, and in all. */
  readonly onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void;
}

export interface UploadResult {
  /** Id of the document, where the answer gave one (§4 shows no answer of finalize). */
  readonly id: string | undefined;
  readonly name: string;
  readonly sizeBytes: number;
  readonly via: 'multipart' | 'direct';
  /** The service's answer. */
  readonly document: JsonObject;
}

/** Uploads by the way that fits; the source is read in constant memory and left as it was. */
export async function upload(
  client: Client,
  context: ClientContext,
  { source, options }: { source: UploadSource; options: UploadOptions },
): Promise<UploadResult> {
  const file = await openSource(source, options);
  try {
    const { via = 'auto' } = options;
    const small = file.blob.size <= MULTIPART_LIMIT_BYTES && options.documentId === undefined;
    const ways = {
      multipart: () => sendMultipart(client, file, options),
      direct: () => sendDirect(client, context, { file, options }),
    };
    if (via !== 'auto') return await ways[via]();
    const [first, second] = small ? (['multipart', 'direct'] as const) : (['direct', 'multipart'] as const);
    try {
      return await ways[first]();
    } catch (error) {
      // A new version can only be recorded by finalize, so there is no other way for it.
      if (options.documentId !== undefined || !isWayRefused(error)) throw error;
      context.log('info', 'upload falls back', { from: first, to: second });
      return await ways[second]().catch((fallback) => {
        throw isWayRefused(fallback) ? error : fallback;
      });
    }
  } finally {
    await file.remove();
  }
}

function isWayRefused(error: unknown): boolean {
  return error instanceof ApiError && UPLOAD_WAY_REFUSED.includes(error.status);
}

async function sendMultipart(
  client: Client,
  file: FileSource,
  options: UploadOptions,
): Promise<UploadResult> {
  if (options.documentId !== undefined) {
    throw new UploadError(
      'A new version can only be uploaded direct to storage: leave out `via: "multipart"`.',
    );
  }
  const { size } = file.blob;
  const part = new File([file.blob], file.name, { type: file.type });
  const document = await client.documents.create(
    { file: withProgress(part, options.onProgress), name: file.name },
    { timeoutMs: transferTimeoutMs(size), ...options },
  );
  return { id: document.id, name: file.name, sizeBytes: size, via: 'multipart', document };
}

/** A File that tells how much of it was read. */
function withProgress(file: File, onProgress: UploadOptions['onProgress']): File {
  if (!onProgress) return file;
  const stream = () => {
    let sentBytes = 0;
    return file.stream().pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          sentBytes += chunk.byteLength;
          onProgress({ sentBytes, totalBytes: file.size });
          controller.enqueue(chunk);
        },
      }),
    );
  };
  return Object.defineProperty(file, 'stream', { value: stream });
}

/** A minute, and a second more for each 256 KiB. */
function transferTimeoutMs(size: number): number {
  return 60_000 + Math.ceil(size / 262_144) * 1000;
}

async function sendDirect(
  client: Client,
  context: ClientContext,
  { file, options }: { file: FileSource; options: UploadOptions },
): Promise<UploadResult> {
  const size = file.blob.size;
  const bodies = uploadStartBodies({
    name: file.name,
    type: file.type,
    size,
    ...(options.documentId === undefined ? {} : { documentId: options.documentId }),
  });
  const start = () => firstAccepted(bodies, (body) => client.documents.startUpload(body, options));
  const session = await putToStorage(context, {
    start,
    file,
    timeoutMs: options.timeoutMs ?? transferTimeoutMs(size),
    options,
  });
  const pending: PendingUpload = {
    storageKey: session.storageKey,
    token: session.token,
    ...(options.documentId === undefined ? {} : { documentId: options.documentId }),
  };
  return finalizeUpload(client, pending, options, { name: file.name, sizeBytes: size });
}

/** Registers stored bytes (§4 step 3). What can't be registered now is handed back in `UploadError.pending`. */
export async function finalizeUpload(
  client: Client,
  pending: PendingUpload,
  options: RequestOptions,
  file: { name: string; sizeBytes: number } = { name: '', sizeBytes: 0 },
): Promise<UploadResult> {
  const { storageKey, token, documentId } = pending;
  try {
    const document = await client.documents.finalizeUpload(
      { storageKey, token, ...(documentId === undefined ? {} : { documentId }) },
      options,
    );
    const id = idOf(document, 'document') ?? documentId;
    return { id, ...file, via: 'direct', document };
  } catch (error) {
    if (!(error instanceof DocshareError)) throw error;
    const status = error instanceof ApiError ? { status: error.status } : {};
    throw new UploadError(`The bytes are stored but not registered: ${error.message}`, {
      ...status,
      pending,
    });
  }
}

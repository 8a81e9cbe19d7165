import {
  getUploadStartBodies,
  MAX_MULTIPART_BYTES,
  UPLOAD_FALLBACK_STATUSES,
  VERSION_FIELDS,
} from '../assumptions/index.ts';
import { ApiError, InputError, type PendingUpload, TimeoutError, UnknownOutcomeError, UploadError } from '../errors.ts';
import { withExtension } from '../media-type.ts';
import type { Methods } from '../methods.ts';
import type { OptionNames } from '../option-names.ts';
import { getTextField } from '../records/fields.ts';
import { explainClientClosed } from '../request/client-closed.ts';
import { type ClientContext, REQUEST_OPTION_NAMES, type RequestOptions } from '../request/client-context.ts';
import { limitToClientLifetime } from '../request/send-request.ts';
import { tryProfileBodyFirst } from '../request/try-request-bodies.ts';
import { validateRequestOptions } from '../request/validate-request-options.ts';
import { anySignal, runAfter } from '../timer.ts';
import { type FileSource, openSource, type UploadSource } from './file-source.ts';
import { finalizeUpload, type UploadResult } from './finalize-upload.ts';
import { putToStorage } from './put-to-storage.ts';
import { createTransfer, type UploadProgress } from './upload-transfer.ts';

export type { UploadSource } from './file-source.ts';

export interface UploadOptions extends RequestOptions {
  /** Name of the document. Default: the file's own name. */
  readonly name?: string;
  /** Media type. Default: from the name, otherwise from the first bytes. */
  readonly type?: string;
  /** Length of a stream, which is then sent without a temporary file; failures are not retried. */
  readonly sizeBytes?: number;
  /** Records a new version of this document; always uploads directly to storage (§4). */
  readonly documentId?: string;
  /** `auto`: multipart for files up to 4 MiB, direct for larger ones; each falls back to the other. */
  readonly via?: 'auto' | 'multipart' | 'direct';
  /** Called with the bytes accepted by the network; starts again when an attempt is retried. */
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Called before the registration, which waits for it. Store the secret value for `finalizeUpload` after an abort. */
  readonly onPending?: (pending: PendingUpload) => unknown;
  /** Maximum silence without progress or response. Default: 2 minutes. If set, also for reading a stream. */
  readonly timeoutMs?: number | undefined;
  /** Deadline for the whole upload with its waits and retries. Default: none. */
  readonly deadlineMs?: number | undefined;
}

export const UPLOAD_OPTION_NAMES: OptionNames<UploadOptions> = {
  ...REQUEST_OPTION_NAMES,
  name: true,
  type: true,
  sizeBytes: true,
  documentId: true,
  via: true,
  onProgress: true,
  onPending: true,
};

/**
 * Uploads a file by the suitable method, in constant memory.
 * @throws InputError for an unreadable source, FileError if a stream does not fit on the disk; nothing was
 * sent.
 * @throws UploadError if the bytes did not arrive, or are not registered (`pending`).
 * @throws UnknownOutcomeError if the document may exist.
 */
export async function upload(
  client: Pick<Methods, 'documents'>,
  context: ClientContext,
  { source, options }: { source: UploadSource; options: UploadOptions },
): Promise<UploadResult> {
  const { via = 'auto' } = options;
  validateRequestOptions(options);
  const deadlineMs = limitToClientLifetime(context, options.deadlineMs);
  if (via !== 'auto' && !Object.hasOwn(UPLOAD_METHODS, via))
    throw new InputError('upload: via must be "auto", "multipart" or "direct".');
  const documentId = parseDocumentId(options.documentId);
  if (documentId !== undefined && via === 'multipart')
    throw new InputError("A new version can't be uploaded with multipart. Omit `via`, or use `direct`.");
  const deadline = new AbortController();
  const cancelDeadline =
    deadlineMs === undefined ? undefined : runAfter(deadlineMs, () => deadline.abort(createDeadlineError(deadlineMs)));
  const signal = anySignal(deadline.signal, options.signal);
  let file: FileSource | undefined;
  try {
    const { closing } = context;
    file = await openSource(source, { ...options, signal, closing }).catch((error: unknown) => {
      throw explainClientClosed(error, context, 'upload: nothing was sent');
    });
    const version = documentId === undefined ? {} : { documentId };
    const uploadJob: UploadJob = { client, context, file, options: { ...options, ...version, signal } };
    if (via !== 'auto') return await UPLOAD_METHODS[via](uploadJob);
    const isSmall = file.size <= MAX_MULTIPART_BYTES && documentId === undefined;
    const { activeProfile } = context;
    const isMultipartKnownRejected =
      isSmall && activeProfile?.profile.facts.multipart === false && activeProfile.isTrusted(MULTIPART_FACT);
    const [firstMethod, secondMethod] =
      isSmall && !isMultipartKnownRejected ? (['multipart', 'direct'] as const) : (['direct', 'multipart'] as const);
    try {
      return await UPLOAD_METHODS[firstMethod](uploadJob);
    } catch (error) {
      // New versions need finalize, and a stream can be read once, so there is no fallback.
      if (documentId !== undefined || file.isSingleUse || !isMethodRejected(error)) throw error;
      context.log('info', 'Upload falls back', { from: firstMethod, to: secondMethod });
      const result = await UPLOAD_METHODS[secondMethod](uploadJob).catch((fallbackError) => {
        throw isMethodRejected(fallbackError) ? error : fallbackError;
      });
      if (isMultipartKnownRejected)
        activeProfile.contradict({
          operation: 'documents.create',
          fact: MULTIPART_FACT,
          expected: 'multipart uploads are rejected',
          actual: 'one was accepted',
        });
      return result;
    }
  } finally {
    cancelDeadline?.();
    await file?.close();
  }
}

/** Checked before sending: finalize would reject it after the upload. Accepts numbers, like other IDs. */
function parseDocumentId(id: unknown): string | undefined {
  if (id === undefined) return undefined;
  if ((typeof id === 'string' && id !== '') || typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id);
  throw new InputError('upload: documentId must be the ID of an existing document.');
}

interface UploadJob {
  readonly client: Pick<Methods, 'documents'>;
  readonly context: ClientContext;
  readonly file: FileSource;
  readonly options: UploadOptions & { readonly signal: AbortSignal };
}

/** Profile fact that says whether multipart is accepted. */
const MULTIPART_FACT = 'facts.multipart';

const UPLOAD_METHODS = { multipart: sendMultipart, direct: sendDirect };

function createDeadlineError(deadlineMs: number): TimeoutError {
  return new TimeoutError(`The upload did not finish within its deadline of ${Math.round(deadlineMs)} ms.`, {
    problem: { code: 'upload_too_slow' },
  });
}

/** Returns true if the service, or the storage before registration, rejected this upload method. */
function isMethodRejected(error: unknown): boolean {
  const status =
    error instanceof ApiError || (error instanceof UploadError && !error.pending) ? error.status : undefined;
  // A file that is too large for the storage is too large for the API.
  if (error instanceof UploadError && status === 413) return false;
  return status !== undefined && UPLOAD_FALLBACK_STATUSES.includes(status);
}

/** The transfer has its own timeout, so the attempt's is disabled. */
const MULTIPART_TIMEOUT_MS = 86_400_000;

async function sendMultipart({ client, file, options }: UploadJob): Promise<UploadResult> {
  const transfer = createTransfer(file, options);
  const { name, fileName, type, size } = file;
  try {
    const document = await client.documents.create(
      { file: { name: fileName, type, size, stream: transfer.stream }, name },
      {
        ...toRequestOptions(options),
        signal: anySignal(options.signal, transfer.signal),
        ...(file.isSingleUse ? { retries: 0 } : {}),
        timeoutMs: MULTIPART_TIMEOUT_MS,
        onResponse: (head) => {
          transfer.stopTimer();
          options.onResponse?.(head);
        },
      },
    );
    const version = getTextField(document, VERSION_FIELDS);
    return { id: document.id, name, sizeBytes: size, version, via: 'multipart', document };
  } catch (error) {
    throw (
      transfer.getFailure() ?? (transfer.isComplete() && error instanceof TimeoutError ? createUnknownOutcome() : error)
    );
  } finally {
    transfer.stopTimer();
  }
}

/** The options that also apply to a single request. */
function toRequestOptions(options: UploadOptions): RequestOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(REQUEST_OPTION_NAMES, name)));
}

function createUnknownOutcome(): UnknownOutcomeError {
  return new UnknownOutcomeError(
    'documents.create: all bytes were sent, but no response came in time, so it is unknown whether the document exists. List the documents to check before you try again.',
    'documents.create',
  );
}

/** A failing callback must not prevent the registration. */
async function notifyPending({ log }: ClientContext, { onPending }: UploadOptions, pending: PendingUpload) {
  try {
    await onPending?.(pending);
  } catch (error) {
    log('warn', 'onPending threw', { reason: error instanceof Error ? error.name : typeof error });
  }
}

/** Index of the body that the service accepted, for its next upload. */
const acceptedBodies = new WeakMap<ClientContext, number>();

async function sendDirect({ client, context, file, options }: UploadJob): Promise<UploadResult> {
  const { name, type, size } = file;
  const { documentId } = options;
  const { deadlineMs: _, ...request } = toRequestOptions(options);
  const version = documentId === undefined ? {} : { documentId };
  // The document names no field for the title, so the file name carries it, with the ending.
  const fileName = withExtension(name, type, file.fileName);
  const bodies: Record<string, unknown>[] = getUploadStartBodies({ name: fileName, type, size, ...version });
  const startSession = () => {
    const acceptedBody = bodies[acceptedBodies.get(context) ?? 0];
    const orderedBodies =
      acceptedBody === undefined ? bodies : [acceptedBody, ...bodies.filter((body) => body !== acceptedBody)];
    const candidates = {
      operation: 'documents.startUpload',
      bodies: orderedBodies,
      placeholderValues: { name: fileName, type, size },
    } as const;
    return tryProfileBodyFirst(context.activeProfile, candidates, async (body) => {
      const session = await client.documents.startUpload(body, request);
      const index = bodies.indexOf(body);
      if (index >= 0) acceptedBodies.set(context, index);
      return session;
    });
  };
  const { storageKey, token } = await putToStorage(context, { startSession, file, options });
  const pending = { storageKey, token, ...version, name, sizeBytes: size };
  await notifyPending(context, options, pending);
  return { ...(await finalizeUpload(client, pending, request)), name, sizeBytes: size };
}

import {
  MAX_MULTIPART_BYTES,
  UPLOAD_FALLBACK_STATUSES,
  uploadStartBodies,
  VERSION_FIELDS,
} from '../assumptions/index.ts';
import {
  ApiError,
  InputError,
  type PendingUpload,
  TimeoutError,
  UnknownOutcomeError,
  UploadError,
} from '../errors.ts';
import type { Methods } from '../methods.ts';
import { getTextField } from '../records/fields.ts';
import { explainClientClosed } from '../request/client-closed.ts';
import type { ClientContext, RequestOptions } from '../request/client-context.ts';
import { limitToClientLifetime } from '../request/send-request.ts';
import { tryProfileBodyFirst } from '../request/try-request-bodies.ts';
import { validateRequestOptions } from '../request/validate-request-options.ts';
import { runAfter } from '../timer.ts';
import { type FileSource, openSource, type UploadSource } from './file-source.ts';
import { finalizeUpload, type UploadResult } from './finalize-upload.ts';
import { putToStorage } from './put-to-storage.ts';
import { createTransfer, type UploadProgress } from './upload-transfer.ts';

export type { UploadSource } from './file-source.ts';

export interface UploadOptions extends RequestOptions {
  /** Name of the document; the file's own unless told. */
  readonly name?: string;
  /** Media type; from the name, else from the file's first bytes, unless told. */
  readonly type?: string;
  /**
   * Length of a stream. Without it a stream is written to a temporary file first; with it, it goes out as it comes, and
   * nothing that failed is repeated.
   */
  readonly sizeBytes?: number;
  /** Records a new version of this document instead of a new document; always goes direct to storage (§4). */
  readonly documentId?: string;
  /** `auto`: multipart for files up to 4 MiB, direct to storage above; each falls back on the other. */
  readonly via?: 'auto' | 'multipart' | 'direct';
  /** Bytes that the network has taken, and all; begins again where an attempt is repeated. */
  readonly onProgress?: (progress: UploadProgress) => void;
  /**
   * Told once the bytes are stored, before they are registered. An abort in between ends in the caller's own reason, which
   * can't carry this: keep it, and pass it to `client.finalizeUpload` later. It holds a secret.
   */
  readonly onPending?: (pending: PendingUpload) => void;
  /**
   * The longest silence: no byte taken and no answer; 2 minutes for the bytes unless told, however long they take in all.
   * Where told, a stream that gives no byte for so long is given up too.
   */
  readonly timeoutMs?: number | undefined;
  /** For the whole upload, its waits and retries included; none unless told. */
  readonly deadlineMs?: number | undefined;
}

/**
 * Uploads by the way that fits; the source is read in constant memory and left as it was.
 * @throws InputError for a source that can't be read, FileError where a stream finds no room on the disk, before anything
 * is sent.
 * @throws UploadError where the bytes did not arrive, or arrived but are not registered (`pending`).
 * @throws UnknownOutcomeError where the document may exist or not.
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
    throw new InputError(
      'A new version can only be uploaded direct to storage: leave out `via: "multipart"`.',
    );
  const deadline = new AbortController();
  const cancelDeadline =
    deadlineMs === undefined
      ? undefined
      : runAfter(deadlineMs, () => deadline.abort(createDeadlineError(deadlineMs)));
  const signal = AbortSignal.any([deadline.signal, ...(options.signal ? [options.signal] : [])]);
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
      isSmall && !isMultipartKnownRejected
        ? (['multipart', 'direct'] as const)
        : (['direct', 'multipart'] as const);
    try {
      return await UPLOAD_METHODS[firstMethod](uploadJob);
    } catch (error) {
      // A new version can only be recorded by finalize, and a stream read once: there is no other way for them.
      if (documentId !== undefined || file.isSingleUse || !isMethodRejected(error)) throw error;
      context.log('info', 'upload falls back', { from: firstMethod, to: secondMethod });
      const result = await UPLOAD_METHODS[secondMethod](uploadJob).catch((fallbackError) => {
        throw isMethodRejected(fallbackError) ? error : fallbackError;
      });
      if (isMultipartKnownRejected)
        activeProfile.contradict({
          operation: 'documents.create',
          fact: MULTIPART_FACT,
          expected: 'no document in one multipart request',
          actual: 'one that was taken',
        });
      return result;
    }
  } finally {
    cancelDeadline?.();
    await file?.close();
  }
}

/** Before a byte is sent: finalize would refuse it when they are stored. A number is taken as everywhere. */
function parseDocumentId(id: unknown): string | undefined {
  if (id === undefined) return undefined;
  if ((typeof id === 'string' && id !== '') || typeof id === 'bigint' || Number.isSafeInteger(id))
    return String(id);
  throw new InputError('upload: documentId must be the id of an existing document.');
}

interface UploadJob {
  readonly client: Pick<Methods, 'documents'>;
  readonly context: ClientContext;
  readonly file: FileSource;
  readonly options: UploadOptions & { readonly signal: AbortSignal };
}

/** Where a profile says whether the one way is taken. */
const MULTIPART_FACT = 'facts.multipart';

const UPLOAD_METHODS = { multipart: sendMultipart, direct: sendDirect };

function createDeadlineError(deadlineMs: number): TimeoutError {
  return new TimeoutError(`The upload was not done within its deadline of ${Math.round(deadlineMs)} ms.`);
}

/** The service, or the storage before anything was registered, said "not this way". */
function isMethodRejected(error: unknown): boolean {
  const status =
    error instanceof ApiError || (error instanceof UploadError && !error.pending) ? error.status : undefined;
  return status !== undefined && UPLOAD_FALLBACK_STATUSES.includes(status);
}

/** The transfer watches the bytes itself, so the clock of an attempt is set aside: a large body takes its time. */
const MULTIPART_TIMEOUT_MS = 86_400_000;

async function sendMultipart({ client, file, options }: UploadJob): Promise<UploadResult> {
  const transfer = createTransfer(file, options);
  const { name, type, size } = file;
  try {
    const document = await client.documents.create(
      { file: { name, type, size, stream: transfer.stream }, name },
      {
        ...options,
        signal: AbortSignal.any([options.signal, transfer.signal]),
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
      transfer.failure() ??
      (transfer.isComplete() && error instanceof TimeoutError ? createUnknownOutcome() : error)
    );
  } finally {
    transfer.stopTimer();
  }
}

function createUnknownOutcome(): UnknownOutcomeError {
  return new UnknownOutcomeError(
    'documents.create: all bytes were sent, but no answer came in time, so it is unknown whether the document exists. List the documents and look before you try again.',
    'documents.create',
  );
}

/** What a listener throws is its own fault: the bytes are there, and are registered. */
function notifyPending({ log }: ClientContext, { onPending }: UploadOptions, pending: PendingUpload): void {
  try {
    onPending?.(pending);
  } catch (error) {
    log('warn', 'onPending threw', { reason: error instanceof Error ? error.name : typeof error });
  }
}

/** Which of the assumed bodies a service took, so that its next upload asks once. */
const acceptedBodies = new WeakMap<ClientContext, number>();

async function sendDirect({ client, context, file, options }: UploadJob): Promise<UploadResult> {
  const { name, type, size } = file;
  const { documentId, deadlineMs: _, ...request } = options;
  const version = documentId === undefined ? {} : { documentId };
  const bodies: Record<string, unknown>[] = uploadStartBodies({ name, type, size, ...version });
  const startSession = () => {
    const acceptedBody = bodies[acceptedBodies.get(context) ?? 0];
    const orderedBodies =
      acceptedBody === undefined ? bodies : [acceptedBody, ...bodies.filter((body) => body !== acceptedBody)];
    const candidates = {
      operation: 'documents.startUpload',
      bodies: orderedBodies,
      placeholderValues: { name, type, size },
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
  notifyPending(context, options, pending);
  return { ...(await finalizeUpload(client, pending, request)), name, sizeBytes: size };
}

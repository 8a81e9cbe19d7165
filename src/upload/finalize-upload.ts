import { FILE_NAME_FIELDS, FINALIZED_ID_FIELDS, RECORD_FIELDS, VERSION_FIELDS } from '../assumptions/index.ts';
import {
  ApiError,
  InputError,
  NetworkError,
  NotFoundError,
  type PendingUpload,
  TimeoutError,
  UnknownOutcomeError,
  UploadError,
} from '../errors.ts';
import type { Methods } from '../methods.ts';
import type { Document } from '../operations/objects.ts';
import { getTextField, idOf } from '../records/fields.ts';
import type { RequestOptions } from '../request/client-context.ts';

export interface FinalizedUpload {
  /** ID of the document, if the response has one (§4 does not show it). */
  readonly id: string | undefined;
  /** As uploaded, otherwise as in the response. */
  readonly name: string | undefined;
  readonly sizeBytes: number | undefined;
  /** The service's name for this version, if any. */
  readonly version: string | undefined;
  readonly via: 'multipart' | 'direct';
  readonly document: Document;
}

export interface UploadResult extends FinalizedUpload {
  readonly name: string;
  readonly sizeBytes: number;
}

/**
 * Registers stored bytes (§4 step 3).
 * @throws UploadError with `pending` to finalize later, if the service rejected it or was unreachable.
 * @throws UnknownOutcomeError with `pending` if they may be registered: check first, then finalize.
 */
export async function finalizeUpload(
  client: Pick<Methods, 'documents'>,
  pending: PendingUpload,
  options: RequestOptions,
): Promise<FinalizedUpload> {
  if (typeof pending !== 'object' || pending === null)
    throw new InputError(
      'finalizeUpload: pass { storageKey, token }, from the `pending` of an error or from `onPending`.',
    );
  const { storageKey, token, documentId } = pending;
  try {
    const document = await client.documents.finalizeUpload(
      { storageKey, token, ...(documentId === undefined ? {} : { documentId }) },
      options,
    );
    return toFinalizedUpload(pending, document);
  } catch (error) {
    if (error instanceof UnknownOutcomeError || error instanceof TimeoutError) {
      const checkAdvice = documentId === undefined ? 'List the documents' : `Get the document ${documentId}`;
      throw new UnknownOutcomeError(
        `The bytes are stored, but it is unknown whether they were registered. ${checkAdvice} to check; if they are not, call finalizeUpload with this error's \`pending\`.`,
        'documents.finalizeUpload',
        { pending, cause: error },
      );
    }
    // Any other error came before a request or after a success: nothing is pending.
    if (!(error instanceof ApiError) && !(error instanceof NetworkError)) throw error;
    const status = error instanceof ApiError ? { status: error.status } : {};
    const advice =
      error instanceof NotFoundError && documentId !== undefined
        ? `documents.finalizeUpload: the service does not know the document ${documentId} or the upload (status ${error.status}). Take the document's ID from a list of documents.`
        : error instanceof ApiError
          ? error.advice
          : error.message;
    throw new UploadError(
      `The bytes are stored but not registered: ${advice} Then call finalizeUpload with this error's \`pending\`.`,
      { ...status, pending, cause: error },
    );
  }
}

/** Uses what is known, however little the response contains: the upload succeeded. */
function toFinalizedUpload({ documentId, name, sizeBytes }: PendingUpload, document: Document): FinalizedUpload {
  const inner = 'document' in document ? document.document : undefined;
  const records = [inner, document];
  const getText = (names: readonly string[]) =>
    records.map((one) => getTextField(one, names)).find((text) => text !== undefined);
  const sizeText = Number(getText(RECORD_FIELDS.sizeBytes) ?? Number.NaN);
  return {
    // A named document takes precedence over `id`, which may belong to the upload or version.
    id: documentId ?? getTextField(document, FINALIZED_ID_FIELDS) ?? idOf(inner) ?? idOf(document),
    name: name ?? getText(['name', ...FILE_NAME_FIELDS]),
    sizeBytes: sizeBytes ?? (Number.isSafeInteger(sizeText) ? sizeText : undefined),
    version: getText(VERSION_FIELDS),
    via: 'direct',
    document,
  };
}

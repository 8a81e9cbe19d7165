import { Readable } from 'node:stream';
import type { ZObject } from 'zapier-platform-core';
import { PENDING_FILE_PATTERN } from '../../src/assumptions/index.ts';
import {
  ApiError,
  ConflictError,
  cancelBody,
  InputError,
  NotFoundError,
  peekBody,
  UnexpectedResponseError,
  ValidationError,
} from '../platform/client-core.ts';
import { isRecordNotFound } from '../platform/error-messages.ts';
import { IDLE_TIMEOUT_MS, isMarkup, MAX_FILE_BYTES, MAX_FILE_MEGABYTES } from '../platform/open-file-url.ts';
import { getStepRun } from '../platform/step-run.ts';
import { type ClientStep, withClient } from '../platform/with-client.ts';

/** Docshare may need a moment to create the signed file. */
const RETRY_DELAY_S = 60;

/**
 * Fetches the signed PDF when a later step uses it, and stores it with Zapier. The Zap carries only the ID: the file's
 * URL is short-lived and secret (§4).
 */
export const fetchSignedDocument = withClient(({ client, z, input }) =>
  stashSignedDocument({ client, z }, String(input['agreement_id'])),
);

/** @throws ThrottledError if the file is not ready yet, so Zapier tries again. */
async function stashSignedDocument({ client, z }: ClientStep, id: string): Promise<string> {
  try {
    const download = await client.agreements.document({ id });
    const body = await download.open({ signal: getStepRun(z).signal, timeoutMs: IDLE_TIMEOUT_MS });
    if (body.sizeBytes !== undefined && body.sizeBytes > MAX_FILE_BYTES) {
      await cancelBody(body.bytes).catch(() => undefined);
      throw new InputError(
        `The signed document is ${Math.ceil(body.sizeBytes / 1_000_000)} MB, larger than Zapier can pass to a step (${MAX_FILE_MEGABYTES} MB). Download it in Docshare.`,
      );
    }
    const name = body.name ?? download.name ?? `agreement-${id}.pdf`;
    const bytes = await requireFile(z, body.bytes);
    return await z.stashFile(Readable.from(bytes), body.sizeBytes, withExtension(name, body.type), body.type);
  } catch (error) {
    if (!isNotReady(error)) throw error;
    const advice =
      error instanceof NotFoundError
        ? ' If this continues, check that the API key has the permission Agreements: read (envelopes:read).'
        : '';
    throw new z.errors.ThrottledError(
      `The signed document is not ready yet. Zapier tries again in a minute.${advice}`,
      RETRY_DELAY_S,
    );
  }
}

/** Returns the bytes of a file. @throws Error for none, and for a web page or JSON, with which a storage reports errors. */
async function requireFile(z: ZObject, bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const { first, body } = await peekBody(bytes);
  if (first === undefined || isMarkup(first)) {
    await cancelBody(body).catch(() => undefined);
    throw new z.errors.Error(
      'Docshare sent an empty file or a web page instead of the signed document. Replay this run in a few minutes. If it fails again, download the document in Docshare.',
      'not_a_file',
    );
  }
  return body;
}

/**
 * §3 and §7 show no status for this; these are the usual ones. The ID is known, so it is not what was rejected, but the
 * key may be.
 */
function isNotReady(error: unknown): boolean {
  if (error instanceof NotFoundError) return isRecordNotFound(error);
  if (error instanceof ConflictError || error instanceof ValidationError) return true;
  if (error instanceof UnexpectedResponseError)
    return error.status === 202 || error.status === 204 || PENDING_FILE_PATTERN.test(error.excerpt);
  return error instanceof ApiError && error.status === 425;
}

function withExtension(name: string, type: string): string {
  return type === 'application/pdf' && !/\.pdf$/i.test(name) ? `${name}.pdf` : name;
}

/** Reference to a file that is fetched only when a step uses it. */
export function dehydrateSignedDocument(z: ZObject, id: string): string {
  return z.dehydrateFile(fetchSignedDocument, { agreement_id: id });
}

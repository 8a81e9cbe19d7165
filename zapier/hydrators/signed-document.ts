import { Readable } from 'node:stream';
import type { ZObject } from 'zapier-platform-core';
import {
  ApiError,
  type Client,
  ConflictError,
  cancelBody,
  InputError,
  NotFoundError,
  UnexpectedResponseError,
} from '../platform/client-core.ts';
import { IDLE_TIMEOUT_MS, MAX_FILE_BYTES, MAX_FILE_MEGABYTES } from '../platform/open-file-url.ts';
import { getStepRun } from '../platform/step-run.ts';
import { withClient } from '../platform/with-client.ts';

/** Until the service has made the signed file of an agreement that was signed a moment ago. */
const RETRY_DELAY_S = 60;

/**
 * Fetches the signed PDF of an agreement when a later step uses it, and stores it with the platform. Only the id
 * travels in the Zap: the file's own address is short-lived and secret (§4).
 */
export const fetchSignedDocument = withClient((client, { z, input }) =>
  stashSignedDocument(client, z, String(input['agreement_id'])),
);

/** @throws ThrottledError where the file is not ready yet, so that the platform asks again by itself. */
export async function stashSignedDocument(client: Client, z: ZObject, id: string): Promise<string> {
  try {
    const download = await client.agreements.document({ id });
    const body = await download.open({ signal: getStepRun(z).signal, timeoutMs: IDLE_TIMEOUT_MS });
    if (body.sizeBytes !== undefined && body.sizeBytes > MAX_FILE_BYTES) {
      await cancelBody(body.bytes).catch(() => undefined);
      throw new InputError(
        `The signed document has ${Math.ceil(body.sizeBytes / 1_000_000)} MB, more than Zapier carries between two steps (${MAX_FILE_MEGABYTES} MB). Fetch it in Docshare.`,
      );
    }
    const name = body.name ?? download.name ?? `agreement-${id}.pdf`;
    // stashFile spools a stream to a file by itself, for its length.
    return await z.stashFile(
      Readable.from(body.bytes),
      body.sizeBytes,
      withExtension(name, body.type),
      body.type,
    );
  } catch (error) {
    if (!isNotReady(error)) throw error;
    throw new z.errors.ThrottledError(
      'The signed document is not ready yet. Zapier tries again by itself in a minute.',
      RETRY_DELAY_S,
    );
  }
}

/** §3 and §7 show no state and no status for it; these are the usual ones. */
function isNotReady(error: unknown): boolean {
  if (error instanceof NotFoundError || error instanceof ConflictError) return true;
  if (error instanceof UnexpectedResponseError) return error.status === 202 || error.status === 204;
  return error instanceof ApiError && error.status === 425;
}

function withExtension(name: string, type: string): string {
  return type === 'application/pdf' && !/\.pdf$/i.test(name) ? `${name}.pdf` : name;
}

/** A file that is fetched only when a step uses it. */
export function dehydrateSignedDocument(z: ZObject, id: string): string {
  return z.dehydrateFile(fetchSignedDocument, { agreement_id: id });
}

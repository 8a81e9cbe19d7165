import { FINALIZED_ID_FIELDS, getUploadStartBodies, UPLOAD_FALLBACK_STATUSES } from '../../src/assumptions/index.ts';
import { InputError } from '../../src/errors.ts';
import type { DocumentUpload } from '../../src/index.ts';
import { UploadSession } from '../../src/operations/documents.ts';
import { getTextField, isObject } from '../../src/records/fields.ts';
import { resolveStorageUrl } from '../../src/transport/storage-url.ts';
import { STORAGE_ENCRYPTION } from '../assumptions.ts';
import { inferUrlFacts } from '../infer/infer-download.ts';
import type { RecordedResponse } from '../probes/session.ts';
import type { Topic } from '../questions/question.ts';
import {
  canRemove,
  createObject,
  removeObject,
  type ThrowawayObject,
  trackCreation,
  tryBodies,
  type WriteContext,
} from './create-object.ts';
import { createMinimalPdf } from './minimal-pdf.ts';
import { extractId } from './remove.ts';

/** Uploads a few bytes: start, storage, and, if documents can be removed, finalize. */
export async function probeUpload(writeContext: WriteContext): Promise<void> {
  const { facts, context, createdResources } = writeContext;
  const bytes = createMinimalPdf();
  const file = { name: `${createdResources.marker}.pdf`, type: 'application/pdf', size: bytes.byteLength };
  const bodies = getUploadStartBodies(file);
  const started = await tryBodies(writeContext, { name: 'documents.startUpload', bodies, topic: 'uploads' });
  if (!started) return;
  const templates = getUploadStartBodies({ name: '{name}', type: '{type}', size: -1 });
  const template = templates.find((body) => Object.keys(body).join() === Object.keys(started.body).join());
  facts.uploadStart = Object.fromEntries(
    Object.entries(template ?? {}).map(([name, value]) => [name, value === -1 ? '{size}' : value]),
  );
  await findRequiredFields(writeContext, started.body);
  const session = UploadSession.safeParse(unwrapSession(started.response)).data;
  if (!session) return;
  const { origin } = new URL(context.session.client.baseUrl);
  const { sameOrigin = false, ttlSeconds } = inferUrlFacts(session.uploadUrl, started.response, origin);
  const isEncryptionHeader = ([name]: [string, string]) => /server-side-encryption$/i.test(name);
  const encryption = Object.entries(session.headers).find(isEncryptionHeader)?.[1];
  facts.upload = {
    headers: Object.keys(session.headers),
    ...(encryption !== undefined && STORAGE_ENCRYPTION.includes(encryption) ? { encryption } : {}),
    sameOrigin,
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
  };
  const stored = await putBytes(writeContext, session, bytes);
  if (!stored) return;
  facts.upload = { ...facts.upload, stored: stored.status };
  if (!stored.ok || !canRemove(writeContext, 'documents')) return;
  const { storageKey, token } = session;
  const body = { storageKey, token, name: createdResources.marker };
  const name = 'documents.finalizeUpload';
  const request = { name, bodies: [body, { storageKey, token }], list: '/documents', readId: readFinalizedId } as const;
  const finalize = (purpose: { topic: Topic; expected?: 'conflict' }) =>
    createObject(writeContext, { ...request, ...purpose });
  const created = await finalize({ topic: 'uploads' });
  if (!created) return;
  // Provokes a conflict: the session is used up. If finalize succeeds again, it creates another document.
  const secondDocument = await finalize({ topic: 'errors', expected: 'conflict' });
  if (secondDocument && secondDocument.path !== created.path) await removeObject(writeContext, secondDocument);
  await removeObject(writeContext, created);
}

/** Leaves out each field once to learn which are required. An unfinished session leaves nothing visible behind. */
async function findRequiredFields(writeContext: WriteContext, body: Record<string, unknown>): Promise<void> {
  const without = (name: string) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
  const names = Object.keys(body);
  const request = { name: 'documents.startUpload', topic: 'uploads', expected: 'badBody' } as const;
  let requiredCount = 0;
  for (const name of names)
    if (!(await tryBodies(writeContext, { ...request, bodies: [without(name)] }))) requiredCount += 1;
  if (requiredCount === 0 && names.length > 0) await tryBodies(writeContext, { ...request, bodies: [{}] });
}

function unwrapSession({ json }: RecordedResponse): unknown {
  if (!isObject(json) || 'uploadUrl' in json) return json;
  return Object.values(json).find((value) => isObject(value) && 'uploadUrl' in value) ?? json;
}

/** Prefers the document's ID: a plain `id` may be that of a version. */
function readFinalizedId({ json }: RecordedResponse): string | undefined {
  return getTextField(json, FINALIZED_ID_FIELDS) ?? extractId(json, 'documents');
}

/** Sends the bytes with the headers of the session, and without the API key. */
async function putBytes(
  { context }: WriteContext,
  session: DocumentUpload,
  bytes: Uint8Array,
): Promise<RecordedResponse | undefined> {
  const fail = (reason: string) => new InputError(reason);
  const base = `${context.session.client.baseUrl}/documents/uploads`;
  const url = resolveStorageUrl(session.uploadUrl, { base, createError: fail }).href;
  const sessionHeaders = Object.entries(session.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = { ...Object.fromEntries(sessionHeaders), 'content-length': String(bytes.byteLength) };
  const signal = AbortSignal.timeout(15_000);
  return context.session.recordCall({ method: 'PUT', path: '/', route: '(the storage)', topic: 'uploads' }, () =>
    context.session.recorder.transport({ method: 'PUT', url, headers, body: bytes, signal }),
  );
}

/** Uploads a document in one request, only if it can be removed. */
export async function uploadThrowawayDocument(writeContext: WriteContext): Promise<ThrowawayObject | undefined> {
  if (!canRemove(writeContext, 'documents')) return undefined;
  const { context, createdResources } = writeContext;
  const { marker } = createdResources;
  const bytes = createMinimalPdf() as Uint8Array<ArrayBuffer>;
  const file = new File([bytes], `${marker}.pdf`, { type: 'application/pdf' });
  const operation = 'documents.create';
  const request = { method: 'POST', path: '/documents', operation, topic: 'uploads' } as const;
  return trackCreation(writeContext, '/documents', async () => {
    const response = await context.session.recordCall(request, (options) =>
      context.session.client.documents.create({ file, name: marker }, options),
    );
    if (response && (response.ok || UPLOAD_FALLBACK_STATUSES.includes(response.status)))
      writeContext.facts.multipart = response.ok;
    return response?.ok ? response : undefined;
  });
}

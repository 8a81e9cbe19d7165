import type { ReceivedFile } from '../handlers/handler.ts';
import type { View } from '../handlers/view.ts';
import { itemPlace } from '../learned/kin-answer.ts';
import { findSchemaField, schemaAt } from '../learned/schema-at.ts';
import { Refusal } from '../refusal.ts';
import { newSecret, type Service, storageOrigin } from '../service.ts';
import type { UploadRecord } from '../state/records.ts';
import { addressLife, STORAGE_PATH, sign } from './addresses.ts';

/** §4: what the byte upload must carry; `Content-Type` always, under the name that the finalizing reads. */
function signedHeaders({ learned, profile }: Service, type: string): Record<string, string> {
  const seen = learned?.facts.upload;
  const encryption = seen?.encryption ?? profile.encryption;
  const others = (seen?.headers ?? []).filter(
    (name) => !/^(content-type|x-amz-server-side-encryption)$/i.test(name),
  );
  return {
    'Content-Type': type,
    ...(encryption === 'none' ? {} : { 'x-amz-server-side-encryption': encryption }),
    ...Object.fromEntries(others.map((name) => [name, 'sandbox'])),
  };
}

/** What keys of stored bytes begin with, where that was learned. */
function keyPrefix({ learned }: Service): string {
  const called = learned?.operations['documents.startUpload'];
  const body = called?.answer?.body;
  const form = learned && called && findSchemaField(schemaAt(body, itemPlace(learned, called)), 'storageKey');
  const prefix = form?.['x-prefix'] ?? '';
  return /^[A-Za-z][\w-]{0,30}$/.test(prefix) ? prefix : 'up_';
}

/** §4 step 1: a one-time address and the headers that its PUT must carry. */
export function startUploadSession(
  service: Service,
  input: { fileName: string | null; contentType: string | null },
): View {
  const storage_key = `${keyPrefix(service)}${newSecret(service, 12).toString('hex')}`;
  const expires_at = service.clock.now() + addressLife(service) * 1000;
  const headers = signedHeaders(service, input.contentType ?? 'application/pdf');
  const upload: UploadRecord = {
    storage_key,
    token: newSecret(service, 18).toString('base64url'),
    signature: sign(service, `PUT ${storage_key} ${expires_at}`),
    headers,
    file_name: input.fileName,
    expires_at,
    status: 'open',
    size: 0,
  };
  service.state.uploads.set(storage_key, upload);
  const query = new URLSearchParams({
    'X-Amz-Expires': String(expires_at),
    'X-Amz-SignedHeaders': Object.keys(headers)
      .map((name) => name.toLowerCase())
      .sort()
      .join(';'),
    'X-Amz-Signature': upload.signature,
  });
  return {
    object: 'upload',
    uploadUrl: `${storageOrigin(service)}${STORAGE_PATH}/uploads/${storage_key}?${query}`,
    headers,
    storageKey: storage_key,
    token: upload.token,
    expires_at,
  };
}

/**
 * §4 step 3: hands over what was stored, once.
 *
 * @throws Refusal for a key or token that was never given, for bytes that never came, and for a second time.
 */
export function finalizeUpload(service: Service, input: { storageKey: string; token: string }): ReceivedFile {
  const upload = service.state.uploads.get(input.storageKey);
  if (!upload || upload.token !== input.token)
    throw new Refusal('unknownId', 'No upload has this storageKey and token');
  if (upload.status === 'finalized')
    throw new Refusal('conflict', 'This upload was already finalized; start a new one');
  if (upload.status !== 'stored' || !service.files.has(upload.storage_key))
    throw new Refusal(
      'conflict',
      'No bytes were stored at the uploadUrl of this upload yet, or they are gone',
    );
  upload.status = 'finalized';
  return {
    key: upload.storage_key,
    fileName: upload.file_name,
    contentType: upload.headers['Content-Type'] ?? 'application/octet-stream',
    size: upload.size,
  };
}

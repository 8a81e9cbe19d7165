import { getSchemaAt } from '../../src/profile/profile-fields.ts';
import { Rejection } from '../base/rejection.ts';
import { getItemPath } from '../service-profile/item-path.ts';
import type { UploadRecord } from '../state/records.ts';
import { generateSecret, getStorageOrigin, type Service } from '../state/service.ts';
import { computeSignature, getUploadTtlSeconds, STORAGE_PATH } from '../storage/storage-urls.ts';
import type { ReceivedFile } from '../storage/stored-file.ts';
import type { ResourceView } from './view.ts';

/** §4: headers that the byte upload must carry: always `Content-Type`, and what the profile adds. */
function getSignedHeaders({ serviceProfile, profile }: Service, type: string): Record<string, string> {
  const uploadFacts = serviceProfile?.facts.upload;
  const encryption = uploadFacts?.encryption ?? profile.encryption;
  const others = (uploadFacts?.headers ?? []).filter(
    (name) => !/^(content-type|x-amz-server-side-encryption)$/i.test(name),
  );
  return {
    'Content-Type': type,
    ...(encryption === 'none' ? {} : { 'x-amz-server-side-encryption': encryption }),
    ...Object.fromEntries(others.map((name) => [name, 'sandbox'])),
  };
}

/** Returns the learned prefix of storage keys. */
function getKeyPrefix({ serviceProfile }: Service): string {
  const operationProfile = serviceProfile?.operations['documents.startUpload'];
  const schema =
    operationProfile && getSchemaAt(operationProfile.response?.body, [...getItemPath(operationProfile), 'storageKey']);
  const prefix = schema?.['x-prefix'] ?? '';
  return /^[A-Za-z][\w-]{0,30}$/.test(prefix) ? prefix : 'up_';
}

/** §4 step 1: returns a one-time URL and the headers that its PUT must carry. */
export function startUploadSession(
  service: Service,
  input: { fileName: string | null; contentType: string | null },
): ResourceView {
  const storage_key = `${getKeyPrefix(service)}${generateSecret(service, 12).toString('hex')}`;
  const expires_at = service.clock.now() + getUploadTtlSeconds(service) * 1000;
  const headers = getSignedHeaders(service, input.contentType ?? 'application/pdf');
  const upload: UploadRecord = {
    storage_key,
    token: generateSecret(service, 18).toString('base64url'),
    signature: computeSignature(service, `PUT ${storage_key} ${expires_at}`),
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
    uploadUrl: `${getStorageOrigin(service)}${STORAGE_PATH}/uploads/${storage_key}?${query}`,
    headers,
    storageKey: storage_key,
    token: upload.token,
    expires_at,
  };
}

/**
 * §4 step 3: returns the uploaded file, once.
 *
 * @throws Rejection for an unknown key or token, missing bytes, or a second call
 */
export function consumeUpload(service: Service, input: { storageKey: string; token: string }): ReceivedFile {
  const upload = service.state.uploads.get(input.storageKey);
  if (!upload || upload.token !== input.token)
    throw new Rejection('unknownId', 'No upload has this storageKey and token');
  if (upload.status === 'finalized')
    throw new Rejection('conflict', 'This upload was already finalized; start a new one');
  if (upload.status !== 'stored' || !service.files.has(upload.storage_key))
    throw new Rejection('conflict', 'No file was uploaded to the uploadUrl yet, or it is missing');
  upload.status = 'finalized';
  return {
    key: upload.storage_key,
    fileName: upload.file_name,
    contentType: upload.headers['Content-Type'] ?? 'application/octet-stream',
    size: upload.size,
  };
}

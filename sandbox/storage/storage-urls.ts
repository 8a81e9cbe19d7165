import { timingSafeEqual } from 'node:crypto';
import { deriveBytes } from '../base/random.ts';
import type { Version } from '../state/records.ts';
import { getStorageOrigin, type Service } from '../state/service.ts';

export const STORAGE_PATH = '/storage';

export function getUploadTtlSeconds({ serviceProfile, profile }: Service): number {
  return serviceProfile?.facts.upload?.ttlSeconds ?? Number(profile.urlTtlSeconds);
}

/** §8: download URLs are short-lived; the profile sets the lifetime. */
export function createDownloadUrl(
  service: Service,
  input: { version: Version; name: string },
): { url: string; expires_at: number } {
  const ttlSeconds = service.serviceProfile?.facts.download?.ttlSeconds ?? getUploadTtlSeconds(service) / 3;
  const expires_at = service.clock.now() + ttlSeconds * 1000;
  const { kind, ...content } = input.version.content;
  const query = new URLSearchParams({
    kind,
    ...content,
    filename: [...input.name].slice(0, 150).join(''),
    type: input.version.content_type,
  });
  query.set('X-Amz-Expires', String(Math.round(expires_at)));
  query.set('X-Amz-Signature', computeSignature(service, query.toString()));
  return { url: `${getStorageOrigin(service)}${STORAGE_PATH}/files?${query}`, expires_at };
}

/** Returns true if the URL was signed here and is unchanged. */
export function hasValidSignature(service: Service, query: URLSearchParams): boolean {
  const unsigned = new URLSearchParams(query);
  const signature = Buffer.from(unsigned.get('X-Amz-Signature') ?? '');
  unsigned.delete('X-Amz-Signature');
  const expected = Buffer.from(computeSignature(service, unsigned.toString()));
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

export function computeSignature(service: Service, text: string): string {
  return deriveBytes(service.secretRoot, `address ${text}`, 32).toString('hex');
}

import { createHash, createHmac } from 'node:crypto';
import { isObject } from '../src/records/fields.ts';

/** JSON with sorted keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

export function hashCanonicalJson(value: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}

/** Keyed hash. */
export function hmacHash(secret: Buffer, text: string): string {
  return createHmac('sha256', secret).update(`hash\n${text}`).digest('base64url');
}

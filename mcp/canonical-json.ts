import { createHash, createHmac } from 'node:crypto';
import { isObject } from '../src/records/fields.ts';

/** Serializes a value as JSON with sorted keys. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

export function hashCanonicalJson(value: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(toCanonicalJson(value)).digest('base64url');
}

/** Returns the HMAC-SHA256 of a text, in base64url. */
export function computeHmac(secret: Buffer, text: string): string {
  return createHmac('sha256', secret).update(`hash\n${text}`).digest('base64url');
}

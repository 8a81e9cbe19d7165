import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_HEADERS, SIGNATURE_TOLERANCE_MS, STANDARD_WEBHOOK_HEADERS } from './assumptions.ts';

export type SignatureCheck = 'valid' | 'invalid' | 'missing' | 'unchecked';

interface Signed {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Checks the first known signature header, in constant time; a signed time more than five minutes off is invalid. */
export function checkSignature(signed: Signed): SignatureCheck {
  const { headers } = signed;
  for (const names of STANDARD_WEBHOOK_HEADERS) {
    const signature = headers[names.signature];
    if (signature !== undefined) return verdict(checkStandard(signed, { ...names, value: signature }));
  }
  for (const name of SIGNATURE_HEADERS) {
    const value = headers[name];
    if (value !== undefined)
      return verdict(/(^|,)\s*t=\d+/.test(value) ? checkTimed(signed, value) : checkPlain(signed, value));
  }
  return 'missing';
}

function verdict(valid: boolean): SignatureCheck {
  return valid ? 'valid' : 'invalid';
}

/** Standard Webhooks: HMAC of `id.timestamp.body`, base64, several as `v1,… v1,…`. */
function checkStandard(
  { text, headers, secret, now }: Signed,
  names: { id: string; timestamp: string; value: string },
): boolean {
  const id = headers[names.id];
  const timestamp = headers[names.timestamp];
  if (id === undefined || timestamp === undefined || !isRecent(timestamp, now)) return false;
  const content = `${id}.${timestamp}.${text}`;
  return names.value
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .some((part) => keysOf(secret).some((key) => equal(part.slice(3), hmac(key, content, 'base64'))));
}

/** `t=…,v1=…[,v1=…]`: HMAC of `t.body`, hex. */
function checkTimed({ text, secret, now }: Signed, value: string): boolean {
  const parts = value.split(',').map((part) => part.trim().split(/=(.*)/s));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!isRecent(timestamp, now)) return false;
  return parts
    .filter(([name]) => name === 'v1')
    .some(([, given = '']) => keysOf(secret).some((key) => matches(given, key, `${timestamp}.${text}`)));
}

/** A bare HMAC of the body, hex or base64, with or without `sha256=`. */
function checkPlain({ text, secret }: Signed, value: string): boolean {
  return value
    .split(/[\s,]+/)
    .map((part) => part.replace(/^(sha256|v1)=/i, ''))
    .some((given) => keysOf(secret).some((key) => matches(given, key, text)));
}

function matches(given: string, key: Uint8Array, content: string): boolean {
  return equal(given.toLowerCase(), hmac(key, content, 'hex')) || equal(given, hmac(key, content, 'base64'));
}

/** A `whsec_` secret is base64 after its prefix; any other is taken as text, and as it stands. */
function keysOf(secret: string): Uint8Array[] {
  const text = new TextEncoder();
  if (!secret.startsWith('whsec_')) return [text.encode(secret)];
  return [Buffer.from(secret.slice('whsec_'.length), 'base64'), text.encode(secret)];
}

function hmac(key: Uint8Array, content: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(content).digest(encoding);
}

function equal(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

function isRecent(timestamp: string, now: number): boolean {
  if (!/^\d{9,13}$/.test(timestamp)) return false;
  const ms = Number(timestamp) * (timestamp.length > 10 ? 1 : 1000);
  return Math.abs(now - ms) <= SIGNATURE_TOLERANCE_MS;
}

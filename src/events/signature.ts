import { createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_HEADERS, SIGNATURE_TOLERANCE_MS, STANDARD_WEBHOOK_HEADERS } from '../assumptions/index.ts';

export type SignatureCheck = 'valid' | 'invalid' | 'missing' | 'unchecked';

interface Signed {
  /** Exactly as delivered. */
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Several while one is being replaced by another. */
  readonly secrets: readonly string[];
  /** Unix milliseconds. */
  readonly now: number;
}

/** Checks the first known signature header, in constant time; a signed time more than five minutes off is invalid. */
export function checkSignature(signed: Signed): SignatureCheck {
  const { headers } = signed;
  for (const names of STANDARD_WEBHOOK_HEADERS) {
    const value = headers[names.signature];
    if (value !== undefined) return verdict(checkStandard(signed, { ...names, value }));
  }
  for (const name of SIGNATURE_HEADERS) {
    const value = headers[name];
    if (value === undefined) continue;
    return verdict(/(^|[,;])\s*t=\d/.test(value) ? checkTimed(signed, value) : checkPlain(signed, value));
  }
  return 'missing';
}

function verdict(valid: boolean): SignatureCheck {
  return valid ? 'valid' : 'invalid';
}

/** Standard Webhooks: HMAC of `id.timestamp.body`, base64, several as `v1,… v1,…`. */
function checkStandard(
  { body, headers, secrets, now }: Signed,
  names: { id: string; timestamp: string; value: string },
): boolean {
  const id = headers[names.id];
  const timestamp = headers[names.timestamp];
  if (id === undefined || timestamp === undefined || !isRecent(timestamp, now)) return false;
  const given = [...names.value.matchAll(/(?:^|[\s,])v1,([^\s,]+)/g)].map(([, one = '']) => one);
  // Its secrets are base64, with or without their prefix.
  const keys = secrets.flatMap((secret) => [...keysOf(secret), ...keysOf(`whsec_${secret}`)]);
  return anyMatches({ given, keys, content: [`${id}.${timestamp}.`, body] });
}

/** `t=…,v1=…[,v1=…]`: HMAC of `t.body`. */
function checkTimed({ body, secrets, now }: Signed, value: string): boolean {
  const parts = value.split(/[,;]/).map((part) => part.trim().split(/=(.*)/s));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!isRecent(timestamp, now)) return false;
  const given = parts.flatMap(([name, one = '']) => (name === 'v1' ? [one] : []));
  return anyMatches({ given, keys: secrets.flatMap(keysOf), content: [`${timestamp}.`, body] });
}

/** A bare HMAC of the body, with or without `sha256=` before it. */
function checkPlain({ body, secrets }: Signed, value: string): boolean {
  const given = value.split(/[\s,]+/).map((part) => part.replace(/^(?:hmac-)?(?:sha256|v1)=/i, ''));
  return anyMatches({ given, keys: secrets.flatMap(keysOf), content: ['', body] });
}

function anyMatches(check: {
  given: readonly string[];
  keys: readonly Uint8Array[];
  content: readonly [string, Uint8Array];
}): boolean {
  const [prefix, body] = check.content;
  const expected = check.keys.map((key) => createHmac('sha256', key).update(prefix).update(body).digest());
  return check.given.some((text) => {
    const bytes = digestOf(text);
    return bytes !== undefined && expected.some((digest) => timingSafeEqual(bytes, digest));
  });
}

/** The 32 bytes that a text writes in hex, base64 or base64url; undefined for anything else, spare bits included. */
function digestOf(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64url') === text.replace('=', '').replaceAll('+', '-').replaceAll('/', '_')
    ? bytes
    : undefined;
}

/** A `whsec_` secret is base64 after its prefix, and any is taken as it stands too; an empty key would fit any forger. */
export function keysOf(secret: string): Uint8Array[] {
  const text = secret.trim();
  const coded = text.match(/^whsec_([A-Za-z0-9+/_-]+=*)$/)?.[1];
  const keys = [Buffer.from(coded ?? '', 'base64'), Buffer.from(text)];
  return keys.filter((key) => key.byteLength > 0);
}

function isRecent(timestamp: string, now: number): boolean {
  if (!/^\d{9,13}$/.test(timestamp)) return false;
  const ms = Number(timestamp) * (timestamp.length > 10 ? 1 : 1000);
  return Math.abs(now - ms) <= SIGNATURE_TOLERANCE_MS;
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { isSignatureHeader, STANDARD_WEBHOOK_HEADERS } from '../assumptions/index.ts';
import { getSigningKeyCandidates } from './signing-secrets.ts';

export type SignatureStatus = 'valid' | 'invalid' | 'missing' | 'unchecked';

interface SignedDelivery {
  /** Exactly as delivered. */
  readonly body: Uint8Array;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** Several during a rotation. */
  readonly secrets: readonly string[];
  /** Unix milliseconds. */
  readonly now: number;
  readonly toleranceMs: number;
}

export interface SignatureResult {
  readonly status: Exclude<SignatureStatus, 'unchecked'>;
  /** Index of the secret that signed it. */
  readonly secretIndex?: number;
  /** Difference to now, if only the time is invalid. */
  readonly clockOffsetMs?: number;
}

/** A header's signatures, the signed text before the body, and the signing time. */
interface SignatureCandidate {
  readonly signatures: readonly string[];
  readonly prefix: string;
  readonly timestamp?: string | undefined;
  readonly getKeyCandidates: (secret: string) => readonly Uint8Array[];
}

/** Each one costs a digest of the whole body. */
const MAX_SIGNATURE_HEADERS = 8;

type StandardHeaders = (typeof STANDARD_WEBHOOK_HEADERS)[number];

/** Checks a signature in constant time. If a scheme signs the ID, only its header counts, so the ID can be trusted. */
export function checkSignature(delivery: SignedDelivery): SignatureResult {
  const standardHeaders = findStandardHeaders(delivery.headers);
  const candidates = standardHeaders
    ? [parseStandardSignature(delivery.headers, standardHeaders)]
    : [...delivery.headers]
        .filter(([name]) => isSignatureHeader(name))
        .slice(0, MAX_SIGNATURE_HEADERS)
        .map(([, value]) => parseSignatureHeader(value));
  if (candidates.length === 0) return { status: 'missing' };
  const matching = candidates.flatMap((candidate) => checkCandidate(delivery, candidate) ?? []);
  return matching.find(({ status }) => status === 'valid') ?? matching[0] ?? { status: 'invalid' };
}

/** Returns the signed ID of a delivery, if its scheme signs one. */
export function getSignedId(headers: ReadonlyMap<string, string>): string | undefined {
  const standardHeaders = findStandardHeaders(headers);
  return (standardHeaders && headers.get(standardHeaders.id)) || undefined;
}

function findStandardHeaders(headers: ReadonlyMap<string, string>): StandardHeaders | undefined {
  return STANDARD_WEBHOOK_HEADERS.find(({ signature }) => headers.has(signature));
}

/** Standard Webhooks: HMAC of `id.timestamp.body` in base64; several as `v1,… v1,…`. */
function parseStandardSignature(headers: ReadonlyMap<string, string>, names: StandardHeaders): SignatureCandidate {
  const [id, timestamp, value = ''] = [names.id, names.timestamp, names.signature].map((n) => headers.get(n));
  const isComplete = id !== undefined && timestamp !== undefined;
  return {
    signatures: isComplete ? [...value.matchAll(/(?:^|[\s,])v1,([^\s,]+)/g)].map(([, one = '']) => one) : [],
    prefix: `${id}.${timestamp}.`,
    timestamp: timestamp ?? '',
    // These secrets are base64, with or without prefix.
    getKeyCandidates: (secret) => [...getSigningKeyCandidates(secret), ...getSigningKeyCandidates(`whsec_${secret}`)],
  };
}

/** `t=…,v1=…[,v1=…]`: HMAC of `t.body`. Otherwise a plain HMAC of the body, with or without `sha256=`. */
function parseSignatureHeader(value: string): SignatureCandidate {
  if (!/(^|[,;])\s*t=\d/.test(value)) {
    const signatures = value.split(/[\s,]+/).map((part) => part.replace(/^(?:hmac-)?(?:sha256|v1)=/i, ''));
    return { signatures, prefix: '', getKeyCandidates: getSigningKeyCandidates };
  }
  const parts = value.split(/[,;]/).map((part) => part.trim().split(/=(.*)/s));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.flatMap(([name, one = '']) => (name === 'v1' ? [one] : []));
  return { signatures, prefix: `${timestamp}.`, timestamp, getKeyCandidates: getSigningKeyCandidates };
}

/** Returns the result if one of the secrets made the signature; otherwise undefined. */
function checkCandidate(
  { body, secrets, now, toleranceMs }: SignedDelivery,
  candidate: SignatureCandidate,
): SignatureResult | undefined {
  const digests = candidate.signatures.flatMap((text) => parseDigest(text) ?? []);
  const secretIndex = secrets.findIndex((secret) =>
    candidate.getKeyCandidates(secret).some((key) => {
      const digest = createHmac('sha256', key).update(candidate.prefix).update(body).digest();
      return digests.some((bytes) => timingSafeEqual(bytes, digest));
    }),
  );
  if (secretIndex < 0) return undefined;
  if (candidate.timestamp === undefined) return { status: 'valid', secretIndex };
  const clockOffsetMs = now - parseTimestamp(candidate.timestamp);
  return Math.abs(clockOffsetMs) <= toleranceMs
    ? { status: 'valid', secretIndex }
    : { status: 'invalid', clockOffsetMs };
}

/** Decodes 32 bytes from hex, base64 or base64url; undefined for other texts and non-canonical base64. */
function parseDigest(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64url') === text.replace('=', '').replaceAll('+', '-').replaceAll('/', '_')
    ? bytes
    : undefined;
}

/** Converts Unix seconds or milliseconds to milliseconds; NaN (never within tolerance) otherwise. */
function parseTimestamp(timestamp: string): number {
  if (!/^\d{9,13}$/.test(timestamp)) return Number.NaN;
  return Number(timestamp) * (timestamp.length > 10 ? 1 : 1000);
}

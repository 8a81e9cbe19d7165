import { createHmac, timingSafeEqual } from 'node:crypto';
import { isSignatureHeader, STANDARD_WEBHOOK_HEADERS } from '../assumptions/index.ts';
import { getSecretKeys } from './secrets.ts';

export type SignatureCheck = 'valid' | 'invalid' | 'missing' | 'unchecked';

interface Signed {
  /** Exactly as delivered. */
  readonly body: Uint8Array;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** Several while one is being replaced by another. */
  readonly secrets: readonly string[];
  /** Unix milliseconds. */
  readonly now: number;
  readonly toleranceMs: number;
}

export interface SignatureFinding {
  readonly check: Exclude<SignatureCheck, 'unchecked'>;
  /** Which of the secrets it was made with. */
  readonly secretIndex?: number;
  /** How far its time is from now, where that alone makes it invalid. */
  readonly offMs?: number;
}

/** What one scheme reads from a header: candidates, what they cover before the body, and when it was signed. */
interface Claim {
  readonly given: readonly string[];
  readonly prefix: string;
  readonly timestamp?: string | undefined;
  readonly getSecretKeys: (secret: string) => readonly Uint8Array[];
}

/** Each costs a digest of the whole body; no service signs more often. */
const MAX_SIGNATURE_HEADERS = 8;

type StandardHeaders = (typeof STANDARD_WEBHOOK_HEADERS)[number];

/** Checks in constant time. Where a scheme signs the id too, its header alone decides: the id is believed. */
export function findSignature(signed: Signed): SignatureFinding {
  const standard = findStandardHeaders(signed.headers);
  const claims = standard
    ? [claimStandard(signed.headers, standard)]
    : [...signed.headers]
        .filter(([name]) => isSignatureHeader(name))
        .slice(0, MAX_SIGNATURE_HEADERS)
        .map(([, value]) => parseSignatureHeader(value));
  if (claims.length === 0) return { check: 'missing' };
  const fitting = claims.flatMap((claim) => judge(signed, claim) ?? []);
  return fitting.find(({ check }) => check === 'valid') ?? fitting[0] ?? { check: 'invalid' };
}

/** The id that the delivery's signature covers, where its scheme signs one. */
export function getSignedId(headers: ReadonlyMap<string, string>): string | undefined {
  const standard = findStandardHeaders(headers);
  return (standard && headers.get(standard.id)) || undefined;
}

function findStandardHeaders(headers: ReadonlyMap<string, string>): StandardHeaders | undefined {
  return STANDARD_WEBHOOK_HEADERS.find(({ signature }) => headers.has(signature));
}

/** Standard Webhooks: HMAC of `id.timestamp.body`, base64, several as `v1,… v1,…`. */
function claimStandard(headers: ReadonlyMap<string, string>, names: StandardHeaders): Claim {
  const [id, timestamp, value = ''] = [names.id, names.timestamp, names.signature].map((n) => headers.get(n));
  const complete = id !== undefined && timestamp !== undefined;
  return {
    given: complete ? [...value.matchAll(/(?:^|[\s,])v1,([^\s,]+)/g)].map(([, one = '']) => one) : [],
    prefix: `${id}.${timestamp}.`,
    timestamp: timestamp ?? '',
    // Its secrets are base64, with or without their prefix.
    getSecretKeys: (secret) => [...getSecretKeys(secret), ...getSecretKeys(`whsec_${secret}`)],
  };
}

/** `t=…,v1=…[,v1=…]`: HMAC of `t.body`. Else a bare HMAC of the body, with or without `sha256=` before it. */
function parseSignatureHeader(value: string): Claim {
  if (!/(^|[,;])\s*t=\d/.test(value)) {
    const given = value.split(/[\s,]+/).map((part) => part.replace(/^(?:hmac-)?(?:sha256|v1)=/i, ''));
    return { given, prefix: '', getSecretKeys };
  }
  const parts = value.split(/[,;]/).map((part) => part.trim().split(/=(.*)/s));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const given = parts.flatMap(([name, one = '']) => (name === 'v1' ? [one] : []));
  return { given, prefix: `${timestamp}.`, timestamp, getSecretKeys };
}

/** What a claim is worth whose signature one of the secrets made; undefined for any other. */
function judge({ body, secrets, now, toleranceMs }: Signed, claim: Claim): SignatureFinding | undefined {
  const given = claim.given.flatMap((text) => parseDigest(text) ?? []);
  const secretIndex = secrets.findIndex((secret) =>
    claim.getSecretKeys(secret).some((key) => {
      const digest = createHmac('sha256', key).update(claim.prefix).update(body).digest();
      return given.some((bytes) => timingSafeEqual(bytes, digest));
    }),
  );
  if (secretIndex < 0) return undefined;
  if (claim.timestamp === undefined) return { check: 'valid', secretIndex };
  const offMs = now - parseTimestamp(claim.timestamp);
  return Math.abs(offMs) <= toleranceMs ? { check: 'valid', secretIndex } : { check: 'invalid', offMs };
}

/** The 32 bytes that a text writes in hex, base64 or base64url; undefined for anything else, spare bits included. */
function parseDigest(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64url') === text.replace('=', '').replaceAll('+', '-').replaceAll('/', '_')
    ? bytes
    : undefined;
}

/** Unix milliseconds of a time in seconds or milliseconds; NaN, which is near to nothing, for any other text. */
function parseTimestamp(timestamp: string): number {
  if (!/^\d{9,13}$/.test(timestamp)) return Number.NaN;
  return Number(timestamp) * (timestamp.length > 10 ? 1 : 1000);
}

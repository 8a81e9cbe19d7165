import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose';
import type { JsonObject } from '../../../src/records/fields.ts';

/** What a sealed text is for; one that was sealed for another purpose does not open. */
export type ClaimsPurpose = 'client' | 'form' | 'grant' | 'access' | 'refresh' | 'visit';

/** Texts that only this server can read, and nobody can change. */
export interface ClaimsEncryptor {
  encrypt(purpose: ClaimsPurpose, claims: JsonObject, ttlMs?: number): Promise<string>;
  /** Undefined for what is forged, expired, from another server or for another purpose. */
  decrypt(purpose: ClaimsPurpose, text: string): Promise<JsonObject | undefined>;
  /** Hashes of a text under each secret, the present one first: what was stored under an older one is still found. */
  getHashes(subject: string, text: string): readonly [string, ...string[]];
}

const ALGORITHM = { alg: 'dir', enc: 'A256GCM' } as const;
/** Tokens stand in headers, which are no longer; forms hold whatever a host may send with a request. */
const MAX_TEXT_LENGTH = { form: 48 * 1024, other: 16 * 1024 };

/**
 * Seals under the first secret and opens under all, so that a secret can be replaced while nobody is signed out. Each
 * purpose has a key of its own; what is sealed for one `audience` opens at no other.
 */
export function createClaimsEncryptor(options: {
  secrets: readonly string[];
  issuer: string;
  audience: string;
  now?: () => number;
}): ClaimsEncryptor {
  const { issuer, audience, now = Date.now } = options;
  const keys = new Map<string, Uint8Array>();
  const ids = options.secrets.map((secret) => ({ secret, kid: getSecretId(secret) }));
  const [current] = ids;
  if (!current) throw new Error('No secret to seal with');

  function deriveKey(secret: string, purpose: string): Uint8Array {
    const name = `${getSecretId(secret)} ${purpose}`;
    const key = keys.get(name) ?? new Uint8Array(hkdfSync('sha256', secret, '', `docshare ${purpose}`, 32));
    keys.set(name, key);
    return key;
  }

  return {
    encrypt(purpose, claims, ttlMs) {
      const token = new EncryptJWT(claims as JWTPayload)
        .setProtectedHeader({ ...ALGORITHM, kid: current.kid, typ: purpose })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(new Date(now()));
      if (ttlMs !== undefined) token.setExpirationTime(new Date(now() + ttlMs));
      return token.encrypt(deriveKey(current.secret, purpose));
    },
    async decrypt(purpose, text) {
      if (text.length > (purpose === 'form' ? MAX_TEXT_LENGTH.form : MAX_TEXT_LENGTH.other)) return undefined;
      try {
        const { payload } = await jwtDecrypt(
          text,
          ({ kid }) => {
            const known = ids.find((one) => one.kid === kid);
            if (!known) throw new errors.JWEDecryptionFailed();
            return deriveKey(known.secret, purpose);
          },
          {
            issuer,
            audience,
            typ: purpose,
            keyManagementAlgorithms: [ALGORITHM.alg],
            contentEncryptionAlgorithms: [ALGORITHM.enc],
            currentDate: new Date(now()),
          },
        );
        return { ...payload };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
    getHashes(subject, text) {
      const hash = ({ secret }: { secret: string }) =>
        createHmac('sha256', deriveKey(secret, `hash ${subject}`))
          .update(text)
          .digest('base64url');
      return [hash(current), ...ids.slice(1).map(hash)];
    },
  };
}

/** Says which secret sealed a text, and nothing about it. */
function getSecretId(secret: string): string {
  return createHash('sha256').update(`docshare secret\n${secret}`).digest('base64url').slice(0, 8);
}

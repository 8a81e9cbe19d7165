import { createHmac } from 'node:crypto';
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose';
import type { JsonObject } from '../../../src/records/fields.ts';
import { deriveKey } from '../../state/encryptor.ts';

/** Purpose of an encrypted text; it can't be decrypted for another one. */
type ClaimsPurpose = 'client' | 'form' | 'grant' | 'access' | 'refresh' | 'visit';

/** Encrypts texts that only this server can read, and detects changes. */
export interface ClaimsEncryptor {
  encrypt(purpose: ClaimsPurpose, claims: JsonObject, ttlMs?: number): Promise<string>;
  /** Returns undefined if forged, expired, from another server or for another purpose. */
  decrypt(purpose: ClaimsPurpose, text: string): Promise<JsonObject | undefined>;
  /** Hashes with each secret, the current one first, so that entries stored under an older secret are still found. */
  getHashes(subject: string, text: string): readonly [string, ...string[]];
}

const ALGORITHM = { alg: 'dir', enc: 'A256GCM' } as const;
/** Tokens must fit into headers; forms contain whatever a host sends with a request. */
const MAX_TEXT_LENGTH = { form: 48 * 1024, other: 16 * 1024 };

/**
 * Encrypts with the first secret and decrypts with any, so that a secret can be replaced without signing
 * anyone out. Each purpose and `audience` has its own key or check.
 */
export function createClaimsEncryptor(options: {
  secrets: readonly string[];
  issuer: string;
  audience: string;
  now?: () => number;
}): ClaimsEncryptor {
  const { issuer, audience, now = Date.now } = options;
  const keys = new Map<string, Uint8Array>();
  const ids = options.secrets.map((secret) => ({ secret, kid: deriveKey(secret, 'kid').toString('base64url', 0, 6) }));
  const [current] = ids;
  if (!current) throw new Error('No secret to encrypt with');

  function getKey({ secret, kid }: (typeof ids)[number], purpose: string): Uint8Array {
    const name = `${kid} ${purpose}`;
    const key = keys.get(name) ?? deriveKey(secret, `claims ${purpose}`);
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
      return token.encrypt(getKey(current, purpose));
    },
    async decrypt(purpose, text) {
      if (text.length > (purpose === 'form' ? MAX_TEXT_LENGTH.form : MAX_TEXT_LENGTH.other)) return undefined;
      try {
        const { payload } = await jwtDecrypt(
          text,
          ({ kid }) => {
            const known = ids.find((id) => id.kid === kid);
            if (!known) throw new errors.JWEDecryptionFailed();
            return getKey(known, purpose);
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
      const hash = (id: (typeof ids)[number]) =>
        createHmac('sha256', getKey(id, `hash ${subject}`))
          .update(text)
          .digest('base64url');
      return [hash(current), ...ids.slice(1).map(hash)];
    },
  };
}

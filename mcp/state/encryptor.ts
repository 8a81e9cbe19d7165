import { createHmac, hkdfSync } from 'node:crypto';

/** Invalid state setting. The message says what to do and never quotes the setting. */
export class StateConfigError extends Error {}

/** Derives an independent 32-byte key for one purpose. */
export function deriveKey(secret: Buffer | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'docshare', purpose, 32));
}

/** Encrypts texts for external storage. */
export interface Encryptor {
  encrypt(text: string): Promise<string>;
  /** Returns undefined if no key fits or the text was changed. */
  decrypt(sealed: string): Promise<string | undefined>;
}

/** Creates an encryptor that encrypts with the first key and decrypts with any. */
export async function createEncryptor(keys: readonly Buffer[]): Promise<Encryptor> {
  // Imported late: only servers with replicas need it.
  const { CompactEncrypt, compactDecrypt, decodeProtectedHeader } = await import('./jwe.ts');
  const byId = new Map(keys.map((key) => [getKeyId(key), key]));
  const [currentKey] = keys;
  if (!currentKey) throw new StateConfigError('Encryption needs at least one key.');
  const header = { alg: 'dir', enc: 'A256GCM', kid: getKeyId(currentKey) };
  return {
    encrypt: (text) =>
      new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader(header).encrypt(currentKey),
    async decrypt(sealed) {
      try {
        const key = byId.get(decodeProtectedHeader(sealed).kid ?? '');
        if (!key) return undefined;
        const { plaintext } = await compactDecrypt(sealed, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        return new TextDecoder().decode(plaintext);
      } catch {
        return undefined;
      }
    },
  };
}

/** Identifies a key without revealing it. */
function getKeyId(key: Buffer): string {
  return createHmac('sha256', key).update('id').digest('base64url').slice(0, 12);
}

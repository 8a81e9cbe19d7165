import { createHmac, hkdfSync } from 'node:crypto';

/** A setting of the state that can't be meant; its message says what to do, and never quotes the setting. */
export class StateConfigError extends Error {}

/** A key of 32 bytes for one purpose; two purposes of one secret have nothing in common. */
export function deriveKey(secret: Buffer | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'docshare', purpose, 32));
}

/** Seals texts for the road through somebody else's memory. */
export interface Encryptor {
  encrypt(text: string): Promise<string>;
  /** The text; undefined where none of the keys sealed it, or somebody changed it. */
  decrypt(sealed: string): Promise<string | undefined>;
}

/** The first key seals, all open. */
export async function createEncryptor(keys: readonly Buffer[]): Promise<Encryptor> {
  // Imported late: only servers with replicas need it.
  const { CompactEncrypt, compactDecrypt, decodeProtectedHeader } = await import('./jwe.ts');
  const byId = new Map(keys.map((key) => [getKeyId(key), key]));
  const [currentKey] = keys;
  if (!currentKey) throw new StateConfigError('A seal needs a key.');
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

/** Tells keys apart and says nothing about them. */
function getKeyId(key: Buffer): string {
  return createHmac('sha256', key).update('id').digest('base64url').slice(0, 12);
}

import { createHash, createHmac, randomBytes } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { isObject, type JsonObject } from '../../src/records/fields.ts';

/** How long an address of this server that leads to one act is good. */
export const ONE_TIME_URL_TTL_MS = 10 * 60_000;

/**
 * The last segment of an address that nobody can guess. The state holds only its hash; who has the state's secret and
 * the nonce can make it once more, so that the same call gives the same address at every replica.
 */
export function createUrlToken(secret: Buffer, { kind, nonce }: { kind: string; nonce: string }): string {
  return createHmac('sha256', secret).update(`address\n${kind}\n${nonce}`).digest('base64url');
}

export const createNonce = () => randomBytes(18).toString('base64url');

export function hashUrlToken(token: string): string {
  return createHash('sha256').update(`address\n${token}`).digest('base64url');
}

/** Whether a text has the form of such a token: nothing else is looked up. */
export function isUrlToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Seals what belongs to an address. The state alone, or the address alone, does not open it. */
export async function encryptForToken(secret: Buffer, token: string, value: JsonObject): Promise<string> {
  return new CompactEncrypt(Buffer.from(JSON.stringify(value)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(deriveTokenKey(secret, token));
}

/** Undefined where it was sealed for another address, or under another secret. */
export async function decryptForToken(
  secret: Buffer,
  token: string,
  sealed: unknown,
): Promise<JsonObject | undefined> {
  if (typeof sealed !== 'string') return undefined;
  try {
    const { plaintext } = await compactDecrypt(sealed, deriveTokenKey(secret, token), {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    const value: unknown = JSON.parse(Buffer.from(plaintext).toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function deriveTokenKey(secret: Buffer, token: string): Uint8Array {
  return createHmac('sha256', secret).update(`seal\n${token}`).digest();
}

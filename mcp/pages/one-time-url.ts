import { createHash, createHmac, randomBytes } from 'node:crypto';
import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { createEncryptor, type Encryptor } from '../state/encryptor.ts';

/** Lifetime of a one-time URL. */
export const ONE_TIME_URL_TTL_MS = 10 * 60_000;

/**
 * Creates the unguessable last segment of a one-time URL. The state holds only its hash; the state's secret
 * and the nonce recreate it, so that the same call returns the same URL on every replica.
 */
export function createUrlToken(secret: Buffer, { kind, nonce }: { kind: string; nonce: string }): string {
  return createHmac('sha256', secret).update(`address\n${kind}\n${nonce}`).digest('base64url');
}

export const createNonce = () => randomBytes(18).toString('base64url');

export function hashUrlToken(token: string): string {
  return createHash('sha256').update(`address\n${token}`).digest('base64url');
}

/** Returns whether text has the form of a URL token; nothing else is looked up. */
export function isUrlToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Encrypts data of a one-time URL. Decryption needs both the state's secret and the URL. */
export async function encryptForToken(secret: Buffer, token: string, value: JsonObject): Promise<string> {
  return (await createTokenEncryptor(secret, token)).encrypt(JSON.stringify(value));
}

/** Returns undefined if it was encrypted for another URL or with another secret. */
export async function decryptForToken(secret: Buffer, token: string, sealed: unknown): Promise<JsonObject | undefined> {
  const text =
    typeof sealed === 'string' ? await (await createTokenEncryptor(secret, token)).decrypt(sealed) : undefined;
  const value: unknown = JSON.parse(text ?? 'null');
  return isObject(value) ? value : undefined;
}

function createTokenEncryptor(secret: Buffer, token: string): Promise<Encryptor> {
  return createEncryptor([createHmac('sha256', secret).update(`seal\n${token}`).digest()]);
}

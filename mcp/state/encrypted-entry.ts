import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { toCanonicalJson } from '../canonical-json.ts';
import type { Encryptor } from './encryptor.ts';
import { StateUnavailableError } from './shared-state.ts';

/** Encrypts an entry for external storage together with its key, so that entries can't be swapped. */
export function encryptEntry(
  encryptor: Encryptor,
  { key, entry }: { key: string; entry: JsonObject },
): Promise<string> {
  return encryptor.encrypt(toCanonicalJson({ key, entry }));
}

/** @throws StateUnavailableError for an entry of another deployment: an unreadable entry may be a used-up one. */
export async function decryptEntry(
  encryptor: Encryptor,
  { key, sealed }: { key: string; sealed: string },
): Promise<JsonObject> {
  const text = await encryptor.decrypt(sealed);
  const found: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isObject(found) || found['key'] !== key || !isObject(found['entry'])) throw new StateUnavailableError();
  return found['entry'];
}

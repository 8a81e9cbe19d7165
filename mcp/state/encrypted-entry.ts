import { isObject, type JsonObject } from '../../src/records/fields.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { Encryptor } from './encryptor.ts';
import { StateUnavailableError } from './shared-state.ts';

/** An entry as it stands in somebody else's memory; its key is sealed in, so that none can be put in another's place. */
export function encryptEntry(
  encryptor: Encryptor,
  { key, entry }: { key: string; entry: JsonObject },
): Promise<string> {
  return encryptor.encrypt(canonicalJson({ key, entry }));
}

/** @throws StateAwayError for what this deployment did not write: an entry that can't be read may be a spent one. */
export async function decryptEntry(
  encryptor: Encryptor,
  { key, sealed }: { key: string; sealed: string },
): Promise<JsonObject> {
  const text = await encryptor.decrypt(sealed);
  const found: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isObject(found) || found['key'] !== key || !isObject(found['entry']))
    throw new StateUnavailableError();
  return found['entry'];
}

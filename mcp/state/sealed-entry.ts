import { isObject, type JsonObject } from '../../src/answer/fields.ts';
import { canonicalJson } from '../canonical.ts';
import type { Seal } from './seal.ts';
import { StateAwayError } from './shared-state.ts';

/** An entry as it stands in somebody else's memory; its key is sealed in, so that none can be put in another's place. */
export function sealEntry(seal: Seal, { key, entry }: { key: string; entry: JsonObject }): Promise<string> {
  return seal.seal(canonicalJson({ key, entry }));
}

/** @throws StateAwayError for what this deployment did not write: an entry that can't be read may be a spent one. */
export async function readSealed(
  seal: Seal,
  { key, sealed }: { key: string; sealed: string },
): Promise<JsonObject> {
  const text = await seal.open(sealed);
  const found: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isObject(found) || found['key'] !== key || !isObject(found['entry'])) throw new StateAwayError();
  return found['entry'];
}

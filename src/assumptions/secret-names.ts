/** Names of secret fields: the document shows few (§2 `token`, `uploadUrl`), but errors may quote any. */
import { splitWords } from '../split-words.ts';

/** Parts of the names of secret fields. */
const SECRET_WORDS = splitWords(`
  password passcode passphrase secret token signature api_?key api-?key authorization credential cookie
`);
/** Whole names of secret fields. */
const SECRET_FULL_NAMES = splitWords(`
  pwd sig x-amz-.+ x-goog-.+ upload_?url download_?url signed_?url presigned_?url
`);

const SECRET_NAME = new RegExp(`${SECRET_WORDS.join('|')}|^(?:${SECRET_FULL_NAMES.join('|')})$`, 'i');

/** Returns true if a field, header or query parameter of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

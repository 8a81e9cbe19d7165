/**
 * Which fields hold a secret, by their names: the document shows few of them (§2 `token`, `uploadUrl`), and a service
 * may quote any of its own in an error. Part of the assumptions. In any case.
 */
import { splitWords } from '../split-words.ts';

/** A field is secret where its name holds one of these. */
const SECRET_WORDS = splitWords(`
  password passcode passphrase secret token signature api_?key api-?key authorization credential cookie
`);
/** A field is secret where this is its whole name. */
const SECRET_FULL_NAMES = splitWords(`
  pwd sig x-amz-.+ x-goog-.+ upload_?url download_?url signed_?url presigned_?url
`);

const SECRET_NAME = new RegExp(`${SECRET_WORDS.join('|')}|^(?:${SECRET_FULL_NAMES.join('|')})$`, 'i');

/** Whether a field, a header or a query parameter of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Named re-exports of jose for a late import: bundlers keep all of a library that is imported late directly. */
export { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';

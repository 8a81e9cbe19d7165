/** What the seal uses of jose, which is imported late: of a library that is imported late by itself a bundle keeps all. */
export { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';

import { extname } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.key': 'application/vnd.apple.keynote',
  '.csv': 'text/csv',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.html': 'text/html',
  '.json': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.zip': 'application/zip',
};

export const UNKNOWN_TYPE = 'application/octet-stream';

/** Maps an unknown type to its suffix's (RFC 6839): `application/vnd.x+json` to `application/json`. */
export function toBaseMediaType(media: string): string {
  const structuredSuffix = /\+(json|xml|zip)$/.exec(media)?.[1];
  if (structuredSuffix !== undefined) return `application/${structuredSuffix}`;
  return media.startsWith('text/') ? 'text/plain' : UNKNOWN_TYPE;
}

/** First bytes of well-known file kinds. */
const FILE_SIGNATURES: readonly { readonly kind: string; readonly pattern: RegExp; readonly type?: string }[] = [
  { kind: 'PDF', pattern: /^%PDF-/, type: 'application/pdf' },
  { kind: 'PNG', pattern: /^\x89PNG\r\n/, type: 'image/png' },
  { kind: 'JPEG', pattern: /^\xff\xd8\xff/, type: 'image/jpeg' },
  { kind: 'GIF', pattern: /^GIF8[79]a/, type: 'image/gif' },
  // Office files too; their first bytes are the same.
  { kind: 'ZIP', pattern: /^PK[^\w\s]{2}/ },
  { kind: 'web page', pattern: /^(?:\xef\xbb\xbf)?\s*(?:<!--.{0,200}?-->\s*)?(?:<!doctype html|<html)/is },
  { kind: 'XML document', pattern: /^(?:\xef\xbb\xbf)?\s*<\?xml/ },
  { kind: 'program', pattern: /^(?:\x7fELF|MZ.{50,})/s },
];

/** Number of bytes that identify a file's kind. */
export const SNIFF_BYTES = 512;

/** Returns the media type for a file's extension. */
export function getMediaTypeByName(name: string): string | undefined {
  return TYPES[extname(name).toLowerCase()];
}

/** Returns the usual extension of a media type, with its dot. */
export function getExtension(type: string): string | undefined {
  return Object.entries(TYPES).find(([, one]) => one === type)?.[0];
}

/** A number, as in `Plan v1.2`, is not an ending. */
const ENDING = /\.[a-z][a-z0-9]{0,4}$/i;

/** Adds the ending of a file's media type, or else of `fileName`, to a name without an ending. */
export function withExtension(name: string, type: string, fileName = ''): string {
  return ENDING.test(name) ? name : name + (getExtension(type) ?? ENDING.exec(fileName)?.[0] ?? '');
}

/** Returns true if a file may be a PDF: readers accept bytes before its signature. */
export function hasPdfSignature(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, PDF_SIGNATURE_SEARCH_BYTES)).includes('%PDF-');
}

export const PDF_SIGNATURE_SEARCH_BYTES = 1024;

/** Returns the media type that the first bytes suggest; otherwise `application/octet-stream`. */
export function detectMediaType(bytes: Uint8Array): string {
  return matchFileSignature(bytes)?.type ?? UNKNOWN_TYPE;
}

/** Returns the kind of a file by its first bytes, such as `PDF` or `web page`; undefined if unknown. */
export function detectFileKind(bytes: Uint8Array): string | undefined {
  return matchFileSignature(bytes)?.kind;
}

/** Returns the kind for a media type; undefined if its files have no common beginning. */
export function getFileKind(type: string | undefined): string | undefined {
  if (type === undefined) return undefined;
  if (type === 'application/zip' || type.startsWith('application/vnd.openxmlformats-')) return 'ZIP';
  return FILE_SIGNATURES.find((signature) => signature.type === type)?.kind;
}

function matchFileSignature(bytes: Uint8Array) {
  const text = Buffer.from(bytes.subarray(0, SNIFF_BYTES)).toString('latin1');
  return FILE_SIGNATURES.find(({ pattern }) => pattern.test(text));
}

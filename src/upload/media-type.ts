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

/** How files of the commonest types begin. */
const STARTS: readonly (readonly [begins: RegExp, type: string])[] = [
  [/^%PDF-/, 'application/pdf'],
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
];

export const UNKNOWN_TYPE = 'application/octet-stream';

/** The media type that a file's name suggests; undefined where it suggests none. */
export function typeOfName(name: string): string | undefined {
  return TYPES[extname(name).toLowerCase()];
}

/** The media type that a file's first bytes suggest, else the one that means "bytes". */
export function typeOfStart(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return STARTS.find(([begins]) => begins.test(start))?.[1] ?? UNKNOWN_TYPE;
}

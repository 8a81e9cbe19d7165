import { Rejection } from '../base/rejection.ts';
import { generateSecret, type Service } from '../state/service.ts';
import type { ReceivedFile } from '../storage/stored-file.ts';
import { createFieldRejection } from './request-body.ts';

/** §4: an inline base64 variant exists, but its field is unspecified; these are the usual names. */
const CONTENT_FIELDS = ['file', 'content', 'content_base64', 'contentBase64', 'base64', 'data'];
/** The usual names of a file's name and media type, in every kind of upload. */
export const FILE_NAME_FIELDS = ['file_name', 'fileName', 'filename', 'name'];
export const MEDIA_TYPE_FIELDS = ['content_type', 'contentType', 'mime_type', 'mimeType'];

/** §8: the threshold is unspecified. */
const INLINE_LIMIT_BYTES = 4 * 1024 * 1024;

export async function storeBase64(service: Service, body: unknown): Promise<ReceivedFile> {
  const content = findText(body, CONTENT_FIELDS);
  if (content === null) throw createFieldRejection([{ field: 'file', message: 'is required' }]);
  const base64 = content.replace(/^data:[^,]*,/, '');
  if (!/^[A-Za-z0-9+/_=\s-]+$/.test(base64)) throw createFieldRejection([{ field: 'file', message: 'must be base64' }]);
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > INLINE_LIMIT_BYTES)
    throw new Rejection('tooLarge', 'Inline files are limited to 4 MiB: use the multipart form or a direct upload');
  const key = `in_${generateSecret(service, 12).toString('hex')}`;
  await service.files.write(key, bytes);
  return {
    key,
    fileName: findText(body, FILE_NAME_FIELDS),
    contentType: findText(body, MEDIA_TYPE_FIELDS) ?? 'application/pdf',
    size: bytes.length,
  };
}

/** Returns the first of these fields that has a text. */
export function findText(body: unknown, names: readonly string[]): string | null {
  const fields = new Map(Object.entries(body ?? {}));
  return names.map((name) => fields.get(name)).find((value) => typeof value === 'string' && value !== '') ?? null;
}

/** Returns true if a JSON create request contains a file. */
export function hasInlineContent(body: Readonly<Record<string, unknown>>): boolean {
  return CONTENT_FIELDS.some((name) => Object.hasOwn(body, name));
}

/** Returns the other fields of a JSON create request. */
export function omitContentFields(body: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => !CONTENT_FIELDS.includes(name)));
}

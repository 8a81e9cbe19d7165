import { Rejection } from '../base/rejection.ts';
import { generateSecret, type Service } from '../state/service.ts';
import type { ReceivedFile } from '../storage/stored-file.ts';
import { createFieldRejection } from './request-body.ts';

/** §4: an inline base64 variant exists, but its field is unspecified; these are the usual names. */
const CONTENT_FIELDS = ['file', 'content', 'content_base64', 'contentBase64', 'base64', 'data'];
const NAME_FIELDS = ['file_name', 'fileName', 'filename', 'name'];
const TYPE_FIELDS = ['content_type', 'contentType', 'mime_type'];

/** §8: the threshold is unspecified. */
const INLINE_LIMIT_BYTES = 4 * 1024 * 1024;

export async function storeBase64(service: Service, body: unknown): Promise<ReceivedFile> {
  const fields = typeof body === 'object' && body !== null ? new Map(Object.entries(body)) : new Map();
  const findText = (names: readonly string[]): string | null =>
    names.map((name) => fields.get(name)).find((value) => typeof value === 'string' && value !== '') ?? null;
  const content = findText(CONTENT_FIELDS);
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
    fileName: findText(NAME_FIELDS),
    contentType: findText(TYPE_FIELDS) ?? 'application/pdf',
    size: bytes.length,
  };
}

/** Returns the other fields of a JSON create request. */
export function omitContentFields(body: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => !CONTENT_FIELDS.includes(name)));
}

import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { Rejection } from '../base/rejection.ts';
import { createFieldRejection } from '../handlers/request-body.ts';
import { generateSecret, type Service } from '../state/service.ts';
import type { ReceivedFile } from '../storage/stored-file.ts';
import { parseBoundedJson } from './parse-json.ts';
import { abortWhenIdle, assertUncompressed, readUtf8Body } from './read-bytes.ts';

/** Limit of a JSON body; an inline file of 4 MiB takes more in base64. */
export const MAX_JSON_BYTES = 1024 * 1024;
const INLINE_LIMIT_BYTES = 6 * 1024 * 1024;

/** The usual single-upload limit of object stores. */
export const MAX_FILE_BYTES = 5 * 1024 ** 3;

/** Limits of a form's other parts. */
const FORM_LIMITS = {
  fieldNameSize: 200,
  fieldSize: 64 * 1024,
  parts: 100,
  headerPairs: 100,
  fileSize: MAX_FILE_BYTES,
};

/** `text/plain` is the default of `fetch` for text. */
const JSON_TYPE = /^(application\/(json|[\w.-]+\+json)|text\/plain)\s*(;|$)/i;

/** Reads a JSON body; undefined if empty. `inline` allows the size of a body with a base64 file. */
export async function readJson(incoming: IncomingMessage, { inline = false } = {}): Promise<unknown> {
  const text = await readUtf8Body(incoming, inline ? INLINE_LIMIT_BYTES : MAX_JSON_BYTES);
  if (text.trim() === '') return undefined;
  const type = incoming.headers['content-type'] ?? 'application/json';
  if (!JSON_TYPE.test(type))
    throw new Rejection('wrongType', `Content type "${type.slice(0, 80)}" is not supported: send application/json`);
  return parseBoundedJson(text, inline);
}

/** §4: the multipart form has `file` (required) and `name`. The file streams to disk. */
export async function readMultipart(
  incoming: IncomingMessage,
  service: Service,
): Promise<{ body: Record<string, string>; file: ReceivedFile }> {
  assertUncompressed(incoming);
  const { files } = service;
  const body = new Map<string, string>();
  const storedFiles: Promise<ReceivedFile>[] = [];
  const completion = Promise.withResolvers<void>();
  const rejectForm = (message: string, field = '') => completion.reject(createFieldRejection([{ field, message }]));
  const form = parseForm(incoming);
  form.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    if (valueTruncated || nameTruncated) rejectForm('is too long', name);
    else if (value.includes('\0')) rejectForm('contains a NUL character', name);
    else body.set(name, value);
  });
  form.on('file', (name, stream, { filename, mimeType }) => {
    stream.once('limit', () => completion.reject(new Rejection('tooLarge', 'The file is larger than 5 GiB')));
    if (name !== 'file' || storedFiles.length > 0) stream.resume();
    else {
      const key = `mp_${generateSecret(service, 12).toString('hex')}`;
      const metadata = { key, fileName: filename || null, contentType: mimeType };
      const stored = files.receive(key, stream).then((size) => ({ ...metadata, size }));
      // A failed file is not read further, so its form would never close.
      stored.catch(completion.reject);
      storedFiles.push(stored);
    }
  });
  form.once('partsLimit', () => rejectForm(`The multipart form has more than ${FORM_LIMITS.parts} parts`));
  // busboy may emit another error when destroyed.
  form.on('error', () => rejectForm('The multipart form is malformed or incomplete'));
  form.once('close', completion.resolve);
  // Not `pipeline`: it would close the connection before the response.
  incoming.once('close', () => incoming.complete || rejectForm('The multipart form is incomplete'));
  // Counts all bytes, including those outside of the parts.
  let size = 0;
  incoming.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > MAX_FILE_BYTES + INLINE_LIMIT_BYTES)
      completion.reject(new Rejection('tooLarge', 'The multipart form is larger than 5 GiB'));
  });
  abortWhenIdle(incoming);
  incoming.pipe(form);
  try {
    await completion.promise;
    const [file] = await Promise.all(storedFiles);
    if (!file) throw createFieldRejection([{ field: 'file', message: 'is required' }]);
    return { body: Object.fromEntries(body), file };
  } catch (error) {
    incoming.unpipe(form);
    form.destroy();
    for (const stored of await Promise.allSettled(storedFiles))
      if (stored.status === 'fulfilled') await files.remove(stored.value.key);
    throw error;
  }
}

function parseForm(incoming: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers: incoming.headers, defParamCharset: 'utf8', limits: FORM_LIMITS });
  } catch {
    throw createFieldRejection([{ field: '', message: 'The multipart form has no boundary' }]);
  }
}

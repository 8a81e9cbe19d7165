import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import type { ReceivedFile } from '../handlers/handler.ts';
import { Refusal } from '../refusal.ts';
import { newSecret, type Service } from '../service.ts';
import { refuseFields } from './body.ts';
import { parseJson } from './parse-json.ts';
import { expectPlain, readText, watchSilence } from './read-bytes.ts';

/** A JSON body; an inline file of 4 MiB takes more, in base64. */
export const JSON_LIMIT_BYTES = 1024 * 1024;
const INLINE_LIMIT_BYTES = 6 * 1024 * 1024;

/** What object stores take in one piece. */
export const MAX_FILE_BYTES = 5 * 1024 ** 3;

/** What a form may hold besides its file. */
const FORM_LIMITS = {
  fieldNameSize: 200,
  fieldSize: 64 * 1024,
  parts: 100,
  headerPairs: 100,
  fileSize: MAX_FILE_BYTES,
};

/** `text/plain` is what `fetch` says of a text where its caller says nothing. */
const JSON_TYPE = /^(application\/(json|[\w.-]+\+json)|text\/plain)\s*(;|$)/i;

/** Reads a JSON body; an empty one is undefined. */
export async function readJson(incoming: IncomingMessage, { inline = false } = {}): Promise<unknown> {
  const text = await readText(incoming, inline ? INLINE_LIMIT_BYTES : JSON_LIMIT_BYTES);
  if (text.trim() === '') return undefined;
  const type = incoming.headers['content-type'] ?? 'application/json';
  if (!JSON_TYPE.test(type))
    throw new Refusal(
      'wrongType',
      `A body of type "${type.slice(0, 80)}" is not understood: send application/json`,
    );
  return parseJson(text, inline);
}

/** §4: the multipart form holds `file` (required) and `name`. The file goes to disk as it comes, whatever its size. */
export async function readForm(
  incoming: IncomingMessage,
  service: Service,
): Promise<{ body: Record<string, string>; file: ReceivedFile }> {
  expectPlain(incoming);
  const { files } = service;
  const body = new Map<string, string>();
  const storing: Promise<ReceivedFile>[] = [];
  const broken = Promise.withResolvers<void>();
  const refuse = (message: string, field = '') => broken.reject(refuseFields([{ field, message }]));
  const form = parseForm(incoming);
  form.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    if (valueTruncated || nameTruncated) refuse('is too long', name);
    else if (value.includes('\0')) refuse('holds a NUL character', name);
    else body.set(name, value);
  });
  form.on('file', (name, stream, { filename, mimeType }) => {
    stream.once('limit', () => broken.reject(new Refusal('tooLarge', 'A file ends at 5 GiB')));
    if (name !== 'file' || storing.length > 0) stream.resume();
    else {
      const key = `mp_${newSecret(service, 12).toString('hex')}`;
      const about = { key, fileName: filename || null, contentType: mimeType };
      const stored = files.receive(key, stream).then((size) => ({ ...about, size }));
      // A file that broke is read no further, so that its form would never close.
      stored.catch(broken.reject);
      storing.push(stored);
    }
  });
  form.once('partsLimit', () => refuse(`The multipart form has more than ${FORM_LIMITS.parts} parts`));
  // More than one may come: busboy complains again when it is destroyed.
  form.on('error', () => refuse('The multipart form is broken or was cut off'));
  form.once('close', broken.resolve);
  // Not `pipeline`: it breaks the connection together with the form, and the caller gets no answer.
  incoming.once('close', () => incoming.complete || refuse('The multipart form was cut off'));
  // Also of what stands before the first part and after the last, where no one looks.
  let size = 0;
  incoming.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > MAX_FILE_BYTES + INLINE_LIMIT_BYTES)
      broken.reject(new Refusal('tooLarge', 'A multipart form ends at 5 GiB'));
  });
  const endWatch = watchSilence(incoming);
  incoming.pipe(form);
  try {
    await broken.promise;
    const [file] = await Promise.all(storing);
    if (!file) throw refuseFields([{ field: 'file', message: 'is required' }]);
    return { body: Object.fromEntries(body), file };
  } catch (error) {
    incoming.unpipe(form);
    form.destroy();
    for (const stored of await Promise.allSettled(storing))
      if (stored.status === 'fulfilled') await files.remove(stored.value.key);
    throw error;
  } finally {
    endWatch();
  }
}

function parseForm(incoming: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers: incoming.headers, defParamCharset: 'utf8', limits: FORM_LIMITS });
  } catch {
    throw refuseFields([{ field: '', message: 'The multipart form names no boundary' }]);
  }
}

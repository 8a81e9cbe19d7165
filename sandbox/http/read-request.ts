import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import type { ReceivedFile } from '../handlers/handler.ts';
import { Refusal } from '../refusal.ts';
import type { FileStore } from '../storage/file-store.ts';
import { refuseFields } from './body.ts';

const JSON_LIMIT_BYTES = 16 * 1024 * 1024;

/** Reads a JSON body; an empty one is undefined. */
export async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // A refused body is drained later, with the answer already on its way: the stream must not be destroyed here.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > JSON_LIMIT_BYTES) throw new Refusal('tooLarge', 'A JSON body ends at 16 MiB');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : refuseFields([{ field: '', message: 'It was cut off' }]);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw refuseFields([{ field: '', message: 'It is not JSON' }]);
  }
}

/** §4: the multipart form holds `file` (required) and `name`. The file goes to disk as it comes, whatever its size. */
export async function readForm(
  incoming: IncomingMessage,
  files: FileStore,
): Promise<{ body: Record<string, string>; file: ReceivedFile }> {
  const body: Record<string, string> = {};
  const storing: Promise<ReceivedFile>[] = [];
  const form = parseForm(incoming);
  form.on('field', (name, value) => {
    body[name] = value;
  });
  form.on('file', (name, stream, { filename, mimeType }) => {
    if (name !== 'file' || storing.length > 0) {
      stream.resume();
      return;
    }
    const key = `mp_${randomBytes(12).toString('hex')}`;
    storing.push(
      files.receive(key, stream).then((size) => ({
        key,
        size,
        fileName: filename || null,
        contentType: mimeType,
      })),
    );
  });
  try {
    await pipeline(incoming, form);
  } catch {
    await Promise.allSettled(storing);
    throw refuseFields([{ field: '', message: 'The multipart form is broken or was cut off' }]);
  }
  const [file] = await Promise.all(storing);
  if (!file) throw refuseFields([{ field: 'file', message: 'is required' }]);
  return { body, file };
}

function parseForm(incoming: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers: incoming.headers, defParamCharset: 'utf8' });
  } catch {
    throw refuseFields([{ field: '', message: 'The multipart form names no boundary' }]);
  }
}

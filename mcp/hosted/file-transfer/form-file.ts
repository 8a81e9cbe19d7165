import { Readable } from 'node:stream';
import busboy from 'busboy';
import { ToolError } from '../../tool-error.ts';
import { createCutOffError, peekStart } from './upload-stream.ts';

/** The one file of a form, as it comes. */
export interface FormFile {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** Of the file alone, which no header of a form says. */
  readonly sizeBytes: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The fields before the file stand within so many bytes, its own head included. */
const MAX_HEAD_BYTES = 8 * 1024;

/**
 * Reads a form whose last part is its file. The length of the file is what is left of the whole length, before and behind
 * it: so it can be sent on without being kept.
 * @throws ToolError for a form of any other kind.
 */
export async function readFormFile(form: {
  contentType: string;
  lengthBytes: number;
  bytes: AsyncIterable<Uint8Array>;
}): Promise<FormFile> {
  const { contentType, lengthBytes } = form;
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  const boundaryText = boundary?.[1] ?? boundary?.[2];
  if (boundaryText === undefined) throw createFormError();
  const { start, bytes } = await readHead(form.bytes);
  const head = Buffer.from(start).toString('latin1');
  const part = head.search(/\r\ncontent-disposition:[^\r\n]*;\s*filename\*?=/i);
  const from = part < 0 ? -1 : head.indexOf('\r\n\r\n', part);
  const sizeBytes = lengthBytes - (from + 4) - `\r\n--${boundaryText}--\r\n`.length;
  if (from < 0 || sizeBytes < 0) throw createFormError();
  return { ...(await parseFile({ contentType, bytes })), sizeBytes };
}

async function readHead(bytes: AsyncIterable<Uint8Array>) {
  let minBytes = 512;
  let read = await peekStart(bytes, minBytes);
  // A head may come in crumbs.
  while (read.start.byteLength >= minBytes && minBytes < MAX_HEAD_BYTES && !hasFileHead(read.start)) {
    minBytes *= 2;
    read = await peekStart(read.bytes, minBytes);
  }
  return read;
}

function hasFileHead(start: Uint8Array): boolean {
  const head = Buffer.from(start).toString('latin1');
  const part = head.search(/\r\ncontent-disposition:[^\r\n]*;\s*filename\*?=/i);
  return part >= 0 && head.includes('\r\n\r\n', part);
}

function parseFile({
  contentType,
  bytes,
}: {
  contentType: string;
  bytes: AsyncIterable<Uint8Array>;
}): Promise<Omit<FormFile, 'sizeBytes'>> {
  return new Promise((resolve, reject) => {
    const parser = busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: 10, fieldSize: 1024, parts: 12 },
      defParamCharset: 'utf8',
    });
    const source = Readable.from(bytes, { objectMode: false });
    parser.on('file', (_field, file, { filename, mimeType }) => {
      // Cut in the middle, a form ends its file without an error.
      source.once('error', (error) => file.destroy(error));
      parser.once('error', () => file.destroy(createCutOffError()));
      file.once('close', () => source.destroy());
      // The one character that browsers write in another way, besides line breaks, which no name keeps.
      resolve({ name: filename?.replace(/%22/g, '"'), type: mimeType, bytes: file });
    });
    parser.once('close', () => reject(createFormError()));
    parser.once('error', () => reject(createFormError()));
    source.once('error', (error) => {
      reject(error);
      parser.destroy();
    });
    source.pipe(parser);
  });
}

function createFormError(): ToolError {
  return new ToolError(
    'wrong_form',
    'The form holds no file, or more than its file. Open the page again, and choose one.',
  );
}

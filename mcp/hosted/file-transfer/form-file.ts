import { Readable } from 'node:stream';
import busboy from 'busboy';
import { ToolError } from '../../tool-error.ts';
import { createCutOffError, peekStart } from './upload-stream.ts';

/** The one file of a form, as a stream. */
export interface FormFile {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** Size of the file alone, which no header of a form contains. */
  readonly sizeBytes: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Maximum bytes before the file's content, including its part header. */
const MAX_HEAD_BYTES = 8 * 1024;

/**
 * Reads a form whose last part is its file. The file's size is derived from the form's total length, so that
 * it can be forwarded without being stored.
 * @throws ToolError for any other form.
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
  // The header may arrive in small pieces.
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

function parseFile(form: {
  contentType: string;
  bytes: AsyncIterable<Uint8Array>;
}): Promise<Omit<FormFile, 'sizeBytes'>> {
  const { contentType, bytes } = form;
  return new Promise((resolve, reject) => {
    const parser = busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: 10, fieldSize: 1024, parts: 12 },
      defParamCharset: 'utf8',
    });
    const source = Readable.from(bytes, { objectMode: false });
    parser.on('file', (_field, file, { filename, mimeType }) => {
      // busboy ends the file of a truncated form without an error.
      source.once('error', (error) => file.destroy(error));
      parser.once('error', () => file.destroy(createCutOffError()));
      file.once('close', () => source.destroy());
      // Browsers escape quotes in file names.
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
  return new ToolError('wrong_form', 'The form must contain exactly one file. Open the page again and choose one.');
}

import { randomUUID } from 'node:crypto';
import { type FilePart, isFilePart } from '../operations/documents.ts';

/** Encodes `multipart/form-data` with an exact length and a repeatable body; Blobs become file parts. */
export function encodeMultipart(fields: Readonly<Record<string, unknown>>): {
  headers: Record<string, string>;
  body: () => AsyncIterable<Uint8Array>;
} {
  const boundary = `docshare-${randomUUID()}`;
  const values = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => [name, one] as const),
  );
  // Text parts first, so a streaming service has them before the bytes.
  values.sort(([, a], [, b]) => Number(isFilePart(a)) - Number(isFilePart(b)));
  const parts = values.flatMap(([name, value]): (Uint8Array | FilePart)[] => {
    const disposition = `--${boundary}\r\ncontent-disposition: form-data; name="${quoteParam(name)}"`;
    if (!isFilePart(value)) return [encodeText(`${disposition}\r\n\r\n${toText(value)}\r\n`)];
    const fileName = value.name || toText(fields['name']) || 'file';
    const type = value.type.replace(/[\r\n]/g, '') || 'application/octet-stream';
    const head = `${disposition}; filename="${quoteParam(fileName)}"\r\ncontent-type: ${type}\r\n\r\n`;
    return [encodeText(head), value, encodeText('\r\n')];
  });
  parts.push(encodeText(`--${boundary}--\r\n`));
  const length = parts.reduce((sum, part) => sum + ('size' in part ? part.size : part.byteLength), 0);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(length) },
    async *body() {
      for (const part of parts) {
        if ('size' in part) yield* part.stream();
        else yield part;
      }
    },
  };
}

/** As in browsers: these characters would end the quoted name or the header. */
function quoteParam(text: string): string {
  return text.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

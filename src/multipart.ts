import { randomUUID } from 'node:crypto';

/**
 * A `multipart/form-data` body with an exact length: Blobs become file parts, everything else text parts. The body can
 * be made again for each attempt.
 */
export function encodeMultipart(fields: Readonly<Record<string, unknown>>): {
  headers: Record<string, string>;
  body: () => AsyncIterable<Uint8Array>;
} {
  const boundary = `docshare-${randomUUID()}`;
  const parts: (Uint8Array | Blob)[] = [];
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one instanceof Blob) {
        const fileName = one instanceof File ? one.name : textOf(fields['name']) || 'file';
        const type = one.type || 'application/octet-stream';
        parts.push(
          head(boundary, `name="${quote(name)}"; filename="${quote(fileName)}"`, `\r\ncontent-type: ${type}`),
          one,
        );
      } else {
        parts.push(head(boundary, `name="${quote(name)}"`), encode(textOf(one)));
      }
      parts.push(encode('\r\n'));
    }
  }
  parts.push(encode(`--${boundary}--\r\n`));
  const length = parts.reduce((sum, part) => sum + (part instanceof Blob ? part.size : part.byteLength), 0);
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(length),
    },
    async *body() {
      for (const part of parts) {
        if (part instanceof Blob) yield* part.stream();
        else yield part;
      }
    },
  };
}

function head(boundary: string, disposition: string, more = ''): Uint8Array {
  return encode(`--${boundary}\r\ncontent-disposition: form-data; ${disposition}${more}\r\n\r\n`);
}

/** As browsers do it: these three characters would end the quoted name or the header. */
function quote(text: string): string {
  return text.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

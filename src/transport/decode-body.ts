import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { type DecodedBody, peekBody, type TransportResponse } from './transport.ts';

type Decoder = Transform & { readonly bytesWritten: number };

const DECODERS: Readonly<Record<string, (firstByte: number) => Decoder>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  // Not requested, but some services send them anyway: deflate also without its zlib header.
  zstd: () => createZstdDecompress(),
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()),
};

/** More are not a mistake but an attack. */
const MAX_ENCODINGS = 5;

/** Decompresses a body, once for each of its encodings; one with an unknown encoding is returned as it came. */
export function decodeBody(
  body: AsyncIterable<Uint8Array>,
  { status, headers }: Pick<TransportResponse, 'status' | 'headers'>,
): AsyncIterable<Uint8Array> | DecodedBody {
  const encoding = headers['content-encoding'];
  // Some services name an encoding without a body.
  if (encoding === undefined || status === 204 || status === 205 || status === 304) return body;
  const names = encoding
    .trim()
    .toLowerCase()
    .split(/\s*,\s*/);
  if (names.length > MAX_ENCODINGS || !names.every((name) => Object.hasOwn(DECODERS, name))) return body;
  return names.reduceRight(decodeOnce, body);
}

function decodeOnce(body: AsyncIterable<Uint8Array> | DecodedBody, name: string): DecodedBody {
  let decoder: Decoder | undefined;
  async function* read(): AsyncGenerator<Uint8Array> {
    const { first, body: wholeBody } = await peekBody(body);
    // An empty body, though no encoding produces it.
    if (first === undefined) return;
    const created = DECODERS[name]?.(first[0] ?? 0);
    if (!created) return;
    decoder = created;
    const encoded = Readable.from(wholeBody);
    // pipe() does not forward errors: a truncated body must end the reader too.
    encoded.on('error', (error) => created.destroy(error));
    // The body may be cancelled before it is read: that must not end the process.
    created.on('error', () => undefined);
    created.on('close', () => encoded.destroy());
    yield* encoded.pipe(created);
  }
  // Of several encodings, the bytes that were sent count.
  const compressedBytes = 'compressedBytes' in body ? body.compressedBytes : () => decoder?.bytesWritten ?? 0;
  return Object.assign(read(), { compressedBytes });
}

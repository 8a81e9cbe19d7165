import { crc32, deflateSync } from 'node:zlib';
import { decodePDFRawStream, PDFArray, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib';

/** Larger pictures would make a page heavier than its file. */
const LIMIT_BYTES = 4 * 1024 * 1024;

/** A picture of a page as a `data:` address: JPEG as it is, plain grey and RGB as PNG; null for any other form. */
export function imageAddress(stream: PDFRawStream): string | null {
  const filter = stream.dict.lookup(PDFName.of('Filter'));
  const names = filter instanceof PDFArray ? filter.asArray() : [filter];
  if (names.length === 1 && names[0] === PDFName.of('DCTDecode')) {
    const { contents } = stream;
    if (contents.length > LIMIT_BYTES) return null;
    return `data:image/jpeg;base64,${Buffer.from(contents).toString('base64')}`;
  }
  const png = toPng(stream);
  return png && `data:image/png;base64,${png.toString('base64')}`;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bytes: Uint8Array;
}

function readPixels(stream: PDFRawStream): Pixels | null {
  const number = (name: string) => stream.dict.lookupMaybe(PDFName.of(name), PDFNumber)?.asNumber() ?? 0;
  const width = number('Width');
  const height = number('Height');
  const space = stream.dict.lookup(PDFName.of('ColorSpace'));
  const channels = space === PDFName.of('DeviceRGB') ? 3 : space === PDFName.of('DeviceGray') ? 1 : 0;
  if (channels === 0 || number('BitsPerComponent') !== 8 || width * height * channels > LIMIT_BYTES)
    return null;
  // A predictor (DecodeParms) would have to be undone first.
  if (stream.dict.has(PDFName.of('DecodeParms'))) return null;
  const bytes = decodePDFRawStream(stream).decode();
  return bytes.length < width * height * channels ? null : { width, height, channels, bytes };
}

function toPng(stream: PDFRawStream): Buffer | null {
  const pixels = readPixels(stream);
  if (!pixels) return null;
  const { width, height, channels, bytes } = pixels;
  const maskStream = stream.dict.lookup(PDFName.of('SMask'));
  const mask = maskStream instanceof PDFRawStream ? readPixels(maskStream) : null;
  const alpha = mask?.width === width && mask.height === height && mask.channels === 1 ? mask.bytes : null;
  const out = channels + (alpha ? 1 : 0);
  const rows = Buffer.alloc(height * (1 + width * out));
  for (let y = 0, to = 0; y < height; y++) {
    to += 1;
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * channels;
      for (let channel = 0; channel < channels; channel++) rows[to++] = bytes[from + channel] ?? 0;
      if (alpha) rows[to++] = alpha[y * width + x] ?? 255;
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, (channels === 3 ? 2 : 0) + (alpha ? 4 : 0)], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, body: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const frame = Buffer.alloc(content.length + 8);
  frame.writeUInt32BE(body.length, 0);
  frame.set(content, 4);
  frame.writeUInt32BE(crc32(content), content.length + 4);
  return frame;
}

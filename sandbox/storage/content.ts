import type { Readable } from 'node:stream';
import { drawPdf } from '../pdf/draw-pdf.ts';
import type { Service } from '../service.ts';
import type { Content } from '../state/records.ts';

/** All bytes of a small content; a drawn one is made now. */
export async function readContent(service: Service, content: Content): Promise<Uint8Array> {
  return content.kind === 'file' ? service.files.read(content.key) : drawPdf(content);
}

/** A content to be sent: a stored file streams from disk, whatever its size. */
export async function openContent(
  service: Service,
  content: Content,
): Promise<{ bytes: Readable | Uint8Array; size: number }> {
  if (content.kind === 'file')
    return { bytes: service.files.stream(content.key), size: await service.files.sizeOf(content.key) };
  const bytes = await drawPdf(content);
  return { bytes, size: bytes.length };
}

import type { Readable } from 'node:stream';
import { drawContent } from '../company/drawings/draw-content.ts';
import type { Service } from '../service.ts';
import type { Content } from '../state/records.ts';

/** All bytes of a small content; a drawn one is made now. */
export async function readContent(service: Service, content: Content): Promise<Uint8Array> {
  return content.kind === 'file' ? service.files.read(content.key) : drawContent(content);
}

/** A content to be sent, whole or in part (`end` is the first byte after it): a stored file streams from disk. */
export async function openContent(
  service: Service,
  content: Content,
): Promise<{ size: number; read(range?: { start: number; end: number }): Readable | Uint8Array }> {
  if (content.kind === 'file') {
    const size = await service.files.getSize(content.key);
    return { size, read: (range) => service.files.stream(content.key, range) };
  }
  const bytes = await drawContent(content);
  return { size: bytes.length, read: (range) => (range ? bytes.subarray(range.start, range.end) : bytes) };
}

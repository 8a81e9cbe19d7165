import type { Readable } from 'node:stream';
import { readExampleFile } from '../demo-data/example-file.ts';
import { drawPlainPdf } from '../pdf/draw-plain-pdf.ts';
import type { Content } from '../state/records.ts';
import type { Service } from '../state/service.ts';

export async function readContent(service: Service, content: Content): Promise<Uint8Array> {
  switch (content.kind) {
    case 'file':
      return service.files.read(content.key);
    case 'example':
      return readExampleFile(content.name);
    case 'drawn':
      return drawPlainPdf({
        title: content.title,
        pages: 1,
        text: 'This agreement has no document. Its terms are its name and message.',
      });
  }
}

/** Opens a content, whole or in part (`end` is exclusive). A stored file streams from disk. */
export async function openContent(
  service: Service,
  content: Content,
): Promise<{ size: number; read(range?: { start: number; end: number }): Readable | Uint8Array }> {
  if (content.kind === 'file') {
    const size = await service.files.getSize(content.key);
    return { size, read: (range) => service.files.stream(content.key, range) };
  }
  const bytes = await readContent(service, content);
  return { size: bytes.length, read: (range) => (range ? bytes.subarray(range.start, range.end) : bytes) };
}

import type { PdfToAttachTo } from './draw-signed-pdf.ts';

/**
 * Yields a drawn PDF and, as an incremental update, the object that holds its attachment (ISO 32000-1, 7.5.6
 * and 7.11.4). The file streams through unchanged, so that its size does not matter.
 */
export async function* attachFile(
  { bytes, rootNumber, attachmentNumber }: PdfToAttachTo,
  file: { size: number; content: AsyncIterable<Uint8Array> | Iterable<Uint8Array> },
): AsyncGenerator<Uint8Array> {
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(Buffer.from(bytes.subarray(-64)).toString('latin1'))?.[1];
  const head = Buffer.from(
    `\n${attachmentNumber} 0 obj\n<< /Type /EmbeddedFile /Length ${file.size} /Params << /Size ${file.size} >> >>\nstream\n`,
  );
  const end = Buffer.from('\nendstream\nendobj\n');
  const table = bytes.length + head.length + file.size + end.length;
  yield bytes;
  yield head;
  yield* file.content;
  yield end;
  const entry = `${attachmentNumber} 1\n${String(bytes.length + 1).padStart(10, '0')} 00000 n `;
  yield Buffer.from(
    `xref\n${entry}\ntrailer\n<< /Size ${attachmentNumber + 1} /Root ${rootNumber} 0 R /Prev ${previous} >>\nstartxref\n${table}\n%%EOF\n`,
  );
}

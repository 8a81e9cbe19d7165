import { harmless } from '../harmless.ts';

/**
 * Draws a plain, readable PDF for a title: what a seeded document holds. Written by hand, since a start must not wait
 * for a PDF library: the same input gives the same bytes within a millisecond.
 */
export function drawPdf(input: { title: string; pages: number }): Uint8Array {
  const kids = Array.from({ length: input.pages }, (_, index) => `${4 + index * 2} 0 R`);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${input.pages} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  for (let page = 1; page <= input.pages; page++) {
    const drawing = drawPage({ title: input.title, page, pages: input.pages });
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${objects.length + 2} 0 R >>`,
      `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    );
  }
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  // Every letter is one byte: toWinAnsi left none beyond that.
  return Buffer.from(text + table + trailer, 'latin1');
}

function drawPage(input: { title: string; page: number; pages: number }): string {
  const write = (size: number, y: number, text: string) =>
    `BT /F1 ${size} Tf 56 ${y} Td (${escapeText(text)}) Tj ET`;
  const lines = Array.from({ length: 24 }, (_, line) => {
    const width = 300 + ((line * 97 + input.page * 53) % 180);
    return `56 ${640 - line * 22} ${width} 6 re f`;
  });
  return [
    '0.10 0.16 0.30 rg 0 802 595 40 re f',
    write(22, 730, input.title.slice(0, 44)),
    write(12, 700, `Page ${input.page} of ${input.pages}`),
    '0.86 0.88 0.92 rg',
    ...lines,
  ].join('\n');
}

function escapeText(text: string): string {
  return toWinAnsi(text).replace(/[\\()]/g, '\\$&');
}

/** The standard fonts know Latin letters only; any other becomes a question mark instead of an error. */
export function toWinAnsi(text: string): string {
  return harmless(text).replace(/[^\x20-\x7e\xa0-\xff]/g, '?');
}

import { WORKSPACE_OWNER } from '../base/workspace-owner.ts';
import { toWinAnsi } from './win-ansi.ts';

/** Fixed, so that the same input always gives the same bytes. */
const CREATED_AT = new Date('2026-09-01T09:00:00Z');

/** Draws A4 pages with the title, the page number and an optional text. */
export async function drawPlainPdf(input: { title: string; pages: number; text?: string }): Promise<Uint8Array> {
  const { FONTS, PDFDocument } = await import('./pdf-lib.ts');
  const pdf = await PDFDocument.create();
  pdf.setTitle(input.title);
  pdf.setAuthor(WORKSPACE_OWNER.name);
  pdf.setCreationDate(CREATED_AT);
  pdf.setModificationDate(CREATED_AT);
  const bold = await pdf.embedFont(FONTS.bold);
  const plain = await pdf.embedFont(FONTS.plain);
  const title = toWinAnsi(input.title).slice(0, 200);
  for (let number = 1; number <= input.pages; number++) {
    const page = pdf.addPage([595, 842]);
    page.drawText(title, { x: 56, y: 740, size: 24, font: bold, maxWidth: 480, lineHeight: 32 });
    if (input.text !== undefined)
      page.drawText(input.text, { x: 56, y: 480, size: 11, font: plain, maxWidth: 480, lineHeight: 16 });
    page.drawText(`Page ${number} of ${input.pages}`, { x: 56, y: 56, size: 10, font: plain });
  }
  return pdf.save();
}

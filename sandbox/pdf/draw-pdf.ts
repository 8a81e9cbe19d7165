/** Draws a readable PDF for a title: what a seeded document holds, and an agreement that was made without a file. */
export async function drawPdf(input: { title: string; pages: number }): Promise<Uint8Array> {
  const { PDFDocument, StandardFonts, rgb } = await import('pdf-lib');
  const pdf = await PDFDocument.create();
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  const regular = await pdf.embedFont(StandardFonts.Helvetica);
  const title = toWinAnsi(input.title);
  pdf.setTitle(title);
  for (let number = 1; number <= input.pages; number++) {
    const page = pdf.addPage([595, 842]);
    page.drawRectangle({ x: 0, y: 802, width: 595, height: 40, color: rgb(0.1, 0.16, 0.3) });
    page.drawText(title.slice(0, 60), { x: 56, y: 730, size: 22, font: bold });
    page.drawText(`Page ${number} of ${input.pages}`, { x: 56, y: 700, size: 12, font: regular });
    for (let line = 0; line < 24; line++) {
      const width = 300 + ((line * 97 + number * 53) % 180);
      page.drawRectangle({ x: 56, y: 650 - line * 22, width, height: 6, color: rgb(0.86, 0.88, 0.92) });
    }
  }
  return pdf.save();
}

/** The standard fonts know Latin letters only; any other becomes a question mark instead of an error. */
export function toWinAnsi(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?');
}

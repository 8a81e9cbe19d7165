import { randomFillSync } from 'node:crypto';
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib';

/** Creates a PDF of many pages, each with its number in words and an incompressible picture, like a scanned book. */
export async function drawLargePdf(input: { pages: number; bytesPerPage: number }): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const side = Math.floor(Math.sqrt(input.bytesPerPage));
  for (let number = 1; number <= input.pages; number++) {
    const page = pdf.addPage([595, 842]);
    const pixels = randomFillSync(new Uint8Array(side * side));
    const image = pdf.context.stream(pixels, {
      ...{ Type: 'XObject', Subtype: 'Image', Width: side, Height: side },
      ...{ ColorSpace: 'DeviceGray', BitsPerComponent: 8 },
    });
    page.node.setXObject(PDFName.of('Scan'), pdf.context.register(image));
    const drawing = pdf.context.stream('q 495 0 0 495 50 60 cm /Scan Do Q');
    page.node.addContentStream(pdf.context.register(drawing));
    page.drawText(`Leaf ${number}`, { x: 60, y: 740, size: 48, font });
  }
  return pdf.save();
}

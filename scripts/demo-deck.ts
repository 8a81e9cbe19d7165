import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';

const PAGES = [
  ['Northwind Robotics', 'Series A', 'Robots that unload trucks while people sleep.'],
  [
    'The problem',
    'Every night 40,000 trucks wait',
    'A dock stands still for 3.1 hours a day because nobody wants the shift.',
  ],
  [
    'What we built',
    'One arm, one camera, one pallet a minute',
    'Installed in a day, taught in an hour, rented by the pallet.',
  ],
  [
    'Where we are',
    '31 docks, 7 customers, 0 returns',
    'Revenue grew 4.2 times in twelve months; each dock pays back in five.',
  ],
  ['What we ask', '8 million for 200 docks', 'And introductions to two carriers that you know better than we do.'],
] as const;

/** Creates a five-page pitch deck as a PDF. */
export async function drawDeck(): Promise<Uint8Array> {
  const deck = await PDFDocument.create();
  deck.setTitle('Northwind Robotics: Series A');
  const bold = await deck.embedFont(StandardFonts.HelveticaBold);
  const regular = await deck.embedFont(StandardFonts.Helvetica);
  for (const [index, [title, line, text]] of PAGES.entries()) {
    const page = deck.addPage([960, 540]);
    page.drawRectangle({ x: 0, y: 0, width: 960, height: 540, color: rgb(0.06, 0.09, 0.16) });
    page.drawRectangle({ x: 72, y: 400, width: 64, height: 6, color: rgb(0.98, 0.66, 0.2) });
    page.drawText(title, { x: 72, y: 330, size: 48, font: bold, color: rgb(1, 1, 1) });
    page.drawText(line, { x: 72, y: 270, size: 26, font: regular, color: rgb(0.98, 0.66, 0.2) });
    page.drawText(text, { x: 72, y: 215, size: 20, font: regular, color: rgb(0.8, 0.84, 0.9) });
    page.drawText(`${index + 1} / ${PAGES.length}`, {
      x: 860,
      y: 40,
      size: 14,
      font: regular,
      color: rgb(0.6, 0.65, 0.72),
    });
  }
  return deck.save();
}

import type { DrawingName } from '../../state/records.ts';
import { WORKSPACE_OWNER } from '../sender.ts';
import { PRODUCT_OVERVIEW, SECURITY_WHITEPAPER } from './articles.ts';
import { MUTUAL_NDA, SERVICES_AGREEMENT } from './contracts.ts';
import { drawFinancialModel } from './financial-model.ts';
import { drawFlow } from './flow.ts';
import { createPen, GREY, type Pen, WARM } from './pen.ts';
import { drawPitchDeck } from './pitch-deck.ts';
import { drawFloorPlan, drawPricing } from './plans.ts';

const DRAWINGS: Readonly<Record<DrawingName, (pen: Pen, title: string) => void>> = {
  'pitch-deck': drawPitchDeck,
  'financial-model': drawFinancialModel,
  'product-overview': (pen) => drawFlow(pen, PRODUCT_OVERVIEW),
  'floor-plan': drawFloorPlan,
  'security-whitepaper': (pen) => drawFlow(pen, SECURITY_WHITEPAPER),
  'mutual-nda': (pen) => drawFlow(pen, MUTUAL_NDA),
  'services-agreement': (pen) => drawFlow(pen, SERVICES_AGREEMENT),
  pricing: drawPricing,
  agreement: (pen, title) =>
    drawFlow(pen, {
      title: title.slice(0, 200),
      subtitle: 'This agreement was made without a document.',
      text: `# What is signed

The signers agree to what stands in the name and the message of this agreement, sent by ${WORKSPACE_OWNER.name}.`,
    }),
};

/** Drawn once and kept, the newest of them: the same drawing always has the same bytes. */
const drawn = new Map<string, Promise<Uint8Array>>();
const KEPT = 40;
/** The day that stands in every drawing as its date: bytes must not hang on when they were drawn. */
const MADE_AT = new Date('2026-09-01T09:00:00Z');

/** A PDF of the example company, made when someone first reads it: a start must not wait for a PDF library. */
export function drawContent(content: { drawing: DrawingName; title: string }): Promise<Uint8Array> {
  const key = `${content.drawing} ${content.title}`;
  const found = drawn.get(key) ?? draw(content);
  drawn.delete(key);
  drawn.set(key, found);
  for (const oldest of drawn.keys()) {
    if (drawn.size <= KEPT) break;
    drawn.delete(oldest);
  }
  return found;
}

function draw({ drawing, title }: { drawing: DrawingName; title: string }): Promise<Uint8Array> {
  return drawWith(title, (pen) => DRAWINGS[drawing](pen, title));
}

/** A document of a name and a number of pages, when nothing else is known of it. */
export function drawNamed({ title, pages }: { title: string; pages: number }): Promise<Uint8Array> {
  return drawWith(title, (pen) => {
    for (let page = 1; page <= pages; page++) {
      pen.turn();
      pen.fill({ x: 56, y: 80, width: 48, height: 5, colour: WARM });
      const below = pen.write({ text: title.slice(0, 200), x: 56, y: 96, size: 28, bold: true, width: 480 });
      pen.write({ text: `Page ${page} of ${pages}`, x: 56, y: below + 8, size: 14, colour: GREY });
    }
  });
}

async function drawWith(title: string, paint: (pen: Pen) => void): Promise<Uint8Array> {
  const { PDFDocument } = await import('../../pdf/library.ts');
  const pdf = await PDFDocument.create();
  pdf.setTitle(title);
  pdf.setAuthor(WORKSPACE_OWNER.name);
  pdf.setCreationDate(MADE_AT);
  pdf.setModificationDate(MADE_AT);
  paint(await createPen(pdf));
  return pdf.save();
}

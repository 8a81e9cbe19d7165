import { SENDER } from '../sender.ts';
import { ACCENT, GREY, type Pen, WARM } from './pen.ts';

/** A text in sections, each with its heading and paragraphs. */
export interface FlowText {
  readonly title: string;
  readonly subtitle: string;
  readonly serif?: boolean;
  readonly sections: readonly (readonly [heading: string, ...paragraphs: string[]])[];
  /** The parties that sign at the end. */
  readonly signatures?: readonly string[];
}

const [LEFT, WIDTH, TOP] = [72, 451, 72];
/** Below this a page is full. */
const BOTTOM = 770;

/** Sets a text in pages; gives nothing but ink. */
export function drawFlow(pen: Pen, text: FlowText): void {
  const serif = text.serif ?? false;
  const size = serif ? 11.5 : 11;
  pen.turn();
  pen.fill({ x: LEFT, y: 60, width: 48, height: 5, colour: WARM });
  let y = pen.write({ text: text.title, x: LEFT, y: 76, size: 26, bold: true, serif, width: WIDTH });
  y = pen.write({ text: text.subtitle, x: LEFT, y: y + 2, size: 12, colour: GREY, serif, width: WIDTH }) + 18;
  const room = (needed: number) => {
    if (y + needed < BOTTOM) return;
    pen.turn();
    pen.write({ text: `${SENDER.name} · ${text.title}`, x: LEFT, y: 40, size: 9, colour: GREY });
    y = TOP;
  };
  const heightOf = (words: string) => Math.ceil((words.length * size * 0.5) / WIDTH) * size * 1.4;
  for (const [heading, ...paragraphs] of text.sections) {
    room(70 + heightOf(paragraphs[0] ?? ''));
    y =
      pen.write({ text: heading, x: LEFT, y, size: 14, bold: true, serif, colour: ACCENT, width: WIDTH }) + 2;
    for (const paragraph of paragraphs) {
      room(heightOf(paragraph));
      y = pen.write({ text: paragraph, x: LEFT, y, size, serif, width: WIDTH }) + 7;
    }
    y += 8;
  }
  for (const [index, party] of (text.signatures ?? []).entries()) {
    if (index === 0) room(130);
    const x = LEFT + index * 235;
    pen.draw({ from: [x, y + 60], to: [x + 200, y + 60] });
    pen.write({ text: party, x, y: y + 68, size: 10, serif, width: 200 });
  }
}

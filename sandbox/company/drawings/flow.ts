import { WORKSPACE_OWNER } from '../sender.ts';
import { ACCENT, GREY, type Pen, WARM } from './pen.ts';

/** A text: an empty line ends a paragraph, `# ` begins a heading. */
export interface FlowText {
  readonly title: string;
  readonly subtitle: string;
  readonly serif?: boolean;
  readonly text: string;
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
    pen.write({ text: `${WORKSPACE_OWNER.name} · ${text.title}`, x: LEFT, y: 40, size: 9, colour: GREY });
    y = TOP;
  };
  const heightOf = (words: string) => Math.ceil((words.length * size * 0.5) / WIDTH) * size * 1.4;
  const blocks = text.text.split('\n\n').map((block) => block.trim().replace(/\s+/g, ' '));
  for (const [index, block] of blocks.entries()) {
    const isHeading = block.startsWith('# ');
    // A heading stays with what it heads.
    room(isHeading ? 60 + heightOf(blocks[index + 1] ?? '') : heightOf(block));
    if (isHeading) {
      const look = { size: 14, bold: true, serif, colour: ACCENT, width: WIDTH };
      y = pen.write({ text: block.slice(2), x: LEFT, y: y + (index === 0 ? 0 : 8), ...look }) + 2;
    } else y = pen.write({ text: block, x: LEFT, y, size, serif, width: WIDTH }) + 7;
  }
  for (const [index, party] of (text.signatures ?? []).entries()) {
    if (index === 0) room(130);
    const x = LEFT + index * 235;
    pen.draw({ from: [x, y + 60], to: [x + 200, y + 60] });
    pen.write({ text: party, x, y: y + 68, size: 10, serif, width: 200 });
  }
}

import type { PDFDocument, PDFFont, PDFPage } from 'pdf-lib';
import { toWinAnsi } from '../../pdf/win-ansi.ts';
import { WORKSPACE_OWNER } from '../sender.ts';

type Style = { size?: number; bold?: boolean; serif?: boolean; colour?: string };

/** Draws on pages that count from their upper left corner, in points, in the sender's colours. */
export interface Pen {
  readonly width: number;
  readonly height: number;
  /** A new page, with the sender's name and its number at its foot. */
  turn(size?: { width: number; height: number }): void;
  /** Writes text, broken to `width` where one is given; gives the `y` below it. */
  write(
    input: Style & {
      text: string;
      x: number;
      y: number;
      width?: number;
      align?: 'left' | 'right' | 'middle';
    },
  ): number;
  fill(input: { x: number; y: number; width: number; height: number; colour: string; line?: string }): void;
  draw(input: {
    from: readonly [number, number];
    to: readonly [number, number];
    colour?: string;
    width?: number;
  }): void;
  dot(input: { x: number; y: number; radius: number; colour: string }): void;
}

export const { ink: INK, accent: ACCENT, light: LIGHT, warm: WARM } = WORKSPACE_OWNER.colors;
export const GREY = '#5b6b75';

export const LANDSCAPE = { width: 960, height: 540 };
export const A4 = { width: 595, height: 842 };

export async function createPen(pdf: PDFDocument): Promise<Pen> {
  const { FONTS, rgb } = await import('../../pdf/library.ts');
  const fonts = {
    plain: await pdf.embedFont(FONTS.plain),
    bold: await pdf.embedFont(FONTS.bold),
    serif: await pdf.embedFont(FONTS.serif),
    serifBold: await pdf.embedFont(FONTS.serifBold),
  };
  const toColour = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
      (at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255,
    );
    return rgb(red, green, blue);
  };
  const fontOf = ({ bold, serif }: Style): PDFFont => {
    if (serif) return bold ? fonts.serifBold : fonts.serif;
    return bold ? fonts.bold : fonts.plain;
  };
  let page: PDFPage | undefined;
  let number = 0;
  const here = (): PDFPage => {
    if (!page) throw new Error('No page was turned to yet');
    return page;
  };
  const up = (y: number) => here().getHeight() - y;

  const pen: Pen = {
    get width() {
      return here().getWidth();
    },
    get height() {
      return here().getHeight();
    },
    turn({ width, height } = A4) {
      page = pdf.addPage([width, height]);
      number += 1;
      pen.fill({ x: 0, y: height - 26, width, height: 26, colour: INK });
      pen.fill({ x: 0, y: height - 29, width, height: 3, colour: WARM });
      pen.write({
        text: WORKSPACE_OWNER.name,
        x: 24,
        y: height - 17,
        size: 9,
        bold: true,
        colour: '#ffffff',
      });
      pen.write({
        text: `${number}`,
        x: width - 24,
        y: height - 17,
        size: 9,
        colour: '#ffffff',
        align: 'right',
      });
    },
    write({ text, x, y, width, align = 'left', size = 11, colour = INK, ...style }) {
      const font = fontOf(style);
      let line = y;
      for (const part of breakLines({
        text: toWinAnsi(text),
        width,
        calculateAnalytics: (words) => font.widthOfTextAtSize(words, size),
      })) {
        const long = font.widthOfTextAtSize(part, size);
        const left = align === 'left' ? x : align === 'right' ? x - long : x - long / 2;
        here().drawText(part, { x: left, y: up(line) - size * 0.72, size, font, color: toColour(colour) });
        line += size * 1.4;
      }
      return line;
    },
    fill({ x, y, width, height, colour, line }) {
      const border = line ? { borderColor: toColour(line), borderWidth: 1 } : {};
      here().drawRectangle({ x, y: up(y + height), width, height, color: toColour(colour), ...border });
    },
    draw({ from, to, colour = GREY, width = 1 }) {
      const at = ([x, y]: readonly [number, number]) => ({ x, y: up(y) });
      here().drawLine({ start: at(from), end: at(to), thickness: width, color: toColour(colour) });
    },
    dot({ x, y, radius, colour }) {
      here().drawCircle({ x, y: up(y), size: radius, color: toColour(colour) });
    },
  };
  return pen;
}

function breakLines(input: {
  text: string;
  width: number | undefined;
  calculateAnalytics: (text: string) => number;
}): string[] {
  const { text, width, calculateAnalytics } = input;
  if (width === undefined) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && calculateAnalytics(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

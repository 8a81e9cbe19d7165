import type { PDFRawStream } from 'pdf-lib';
import { escapeHtml } from '../http/error-answer.ts';
import { imageAddress } from './image-address.ts';
import { type Matrix, multiply, write } from './matrix.ts';
import type { PageFont } from './read-font.ts';
import type { Operand, Operator } from './read-operators.ts';

/** Draws what the instructions of a page say, one after the other. */
export interface Painter {
  draw(operator: Operator): void;
  setFont(font: PageFont, size: number): void;
  /** What a named set of parameters may change. */
  setState(state: { fillAlpha?: number; strokeAlpha?: number; lineWidth?: number }): void;
  image(stream: PDFRawStream): void;
  /** Whether the page has grown beyond what a picture should hold. */
  isFull(): boolean;
  finish(size: { width: number; height: number }): { svg: string; text: string };
}

const LARGEST_CHARACTERS = 6_000_000;
/** A file may repeat itself without end, and draw nothing by it. */
const MOST_INSTRUCTIONS = 200_000;

interface Pen {
  matrix: Matrix;
  fill: string;
  stroke: string;
  fillAlpha: number;
  strokeAlpha: number;
  lineWidth: number;
  clip: number;
  font: PageFont | null;
  size: number;
  charSpace: number;
  wordSpace: number;
  stretch: number;
  leading: number;
  rise: number;
  hidden: boolean;
}

export function createPainter(base: Matrix): Painter {
  const parts: string[] = [];
  const texts: string[] = [];
  const saved: Pen[] = [];
  let length = 0;
  let drawn = 0;
  let clips = 0;
  let path = '';
  let cut: 'nonzero' | 'evenodd' | null = null;
  let line: Matrix = [1, 0, 0, 1, 0, 0];
  let cursor = line;
  let pen: Pen = {
    ...{ matrix: base, fill: '#000', stroke: '#000', fillAlpha: 1, strokeAlpha: 1, lineWidth: 1, clip: 0 },
    ...{ font: null, size: 12, charSpace: 0, wordSpace: 0, stretch: 1, leading: 0, rise: 0, hidden: false },
  };

  function emit(part: string): void {
    parts.push(part);
    length += part.length;
  }

  const clipped = () => (pen.clip > 0 ? ` clip-path="url(#c${pen.clip})"` : '');
  const at = (matrix: Matrix) => ` transform="matrix(${write(...matrix)})"`;

  function endPath(paint: { fill?: 'nonzero' | 'evenodd'; stroke?: boolean }): void {
    if (path && (paint.fill || paint.stroke)) {
      const fill = paint.fill
        ? `${pen.fill}" fill-opacity="${write(pen.fillAlpha)}" fill-rule="${paint.fill}`
        : 'none';
      const stroke = paint.stroke
        ? ` stroke="${pen.stroke}" stroke-opacity="${write(pen.strokeAlpha)}" stroke-width="${write(pen.lineWidth || 0.5)}"`
        : '';
      // A clip counts in the page's own measure, so it stands around what is drawn in another.
      emit(`<g${clipped()}><path${at(pen.matrix)} d="${path}" fill="${fill}"${stroke}/></g>`);
    }
    if (path && cut) {
      clips += 1;
      const outer = clipped();
      emit(
        `<clipPath id="c${clips}"${outer}><path${at(pen.matrix)} d="${path}" clip-rule="${cut}"/></clipPath>`,
      );
      pen.clip = clips;
    }
    path = '';
    cut = null;
  }

  function moveLine(x: number, y: number): void {
    line = multiply([1, 0, 0, 1, x, y], line);
    cursor = line;
  }

  function show(pieces: readonly Operand[]): void {
    const { font, size } = pen;
    if (!font) return;
    let text = '';
    let width = 0;
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) {
        const read = font.read(piece);
        const spaces = read.text.split(' ').length - 1;
        text += read.text;
        width += read.width * size + read.count * pen.charSpace + spaces * pen.wordSpace;
      } else if (typeof piece === 'number') {
        width -= (piece / 1000) * size;
        // A wide gap between two pieces stands for a space that was not written.
        if (piece < -180 && text !== '' && !text.endsWith(' ')) text += ' ';
      }
    }
    width *= pen.stretch;
    if (text.trim() && !pen.hidden) {
      texts.push(text);
      const upright: Matrix = [pen.stretch, 0, 0, -1, 0, pen.rise];
      const matrix = multiply(multiply(upright, cursor), pen.matrix);
      const style = `${pen.font?.bold ? ' font-weight="bold"' : ''}${pen.font?.italic ? ' font-style="italic"' : ''}`;
      const fit = width / (pen.stretch || 1);
      emit(
        `<g${clipped()}><text${at(matrix)} font-family="${familyOf(font)}" font-size="${write(size)}"${style} fill="${pen.fill}" fill-opacity="${write(pen.fillAlpha)}"
textLength="${write(Math.max(fit, 0.1))}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${escapeHtml(printable(text))}</text></g>`,
      );
    }
    cursor = multiply([1, 0, 0, 1, width, 0], cursor);
  }

  const paintPath = (fill: 'nonzero' | 'evenodd' | null, stroke: boolean) => () =>
    endPath({ ...(fill ? { fill } : {}), stroke });
  const closing = (then: () => void) => () => {
    path += 'Z';
    then();
  };
  const set =
    (key: 'lineWidth' | 'charSpace' | 'wordSpace' | 'leading' | 'rise') =>
    ([value = 0]: readonly number[]) => {
      pen[key] = value;
    };
  const dye = (key: 'fill' | 'stroke') => (_: readonly number[], operands: readonly Operand[]) => {
    pen[key] = colour(operands) ?? pen[key];
  };
  const startLine = (matrix: Matrix) => {
    line = matrix;
    cursor = matrix;
  };
  const nextLine = () => moveLine(0, -pen.leading);

  /** What each instruction does, given its numbers and its operands as they are. */
  const instructions: Readonly<
    Record<string, (numbers: readonly number[], operands: readonly Operand[]) => void>
  > = {
    q: () => saved.push({ ...pen }),
    Q: () => {
      pen = saved.pop() ?? pen;
    },
    cm: ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]) => {
      pen.matrix = multiply([a, b, c, d, e, f], pen.matrix);
    },
    w: set('lineWidth'),
    m: (n) => {
      path += `M${write(...n)}`;
    },
    l: (n) => {
      path += `L${write(...n)}`;
    },
    c: (n) => {
      path += `C${write(...n)}`;
    },
    v: (n) => {
      path += `C${lastPoint(path)} ${write(...n)}`;
    },
    y: ([a = 0, b = 0, c = 0, d = 0]) => {
      path += `C${write(a, b, c, d, c, d)}`;
    },
    h: closing(() => undefined),
    re: ([a = 0, b = 0, c = 0, d = 0]) => {
      path += `M${write(a, b)}h${write(c)}v${write(d)}h${write(-c)}Z`;
    },
    W: () => {
      cut = 'nonzero';
    },
    'W*': () => {
      cut = 'evenodd';
    },
    n: paintPath(null, false),
    f: paintPath('nonzero', false),
    F: paintPath('nonzero', false),
    'f*': paintPath('evenodd', false),
    S: paintPath(null, true),
    s: closing(paintPath(null, true)),
    B: paintPath('nonzero', true),
    'B*': paintPath('evenodd', true),
    b: closing(paintPath('nonzero', true)),
    'b*': closing(paintPath('evenodd', true)),
    ...Object.fromEntries(['g', 'rg', 'k', 'sc', 'scn'].map((name) => [name, dye('fill')])),
    ...Object.fromEntries(['G', 'RG', 'K', 'SC', 'SCN'].map((name) => [name, dye('stroke')])),
    BT: () => startLine([1, 0, 0, 1, 0, 0]),
    Tc: set('charSpace'),
    Tw: set('wordSpace'),
    TL: set('leading'),
    Ts: set('rise'),
    Tz: ([percent = 100]) => {
      pen.stretch = percent / 100;
    },
    Tr: ([mode]) => {
      pen.hidden = mode === 3;
    },
    Td: ([x = 0, y = 0]) => moveLine(x, y),
    TD: ([x = 0, y = 0]) => {
      pen.leading = -y;
      moveLine(x, y);
    },
    Tm: ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]) => startLine([a, b, c, d, e, f]),
    'T*': nextLine,
    Tj: (_, operands) => show(operands),
    TJ: (_, [pieces]) => show(Array.isArray(pieces) ? pieces : []),
    "'": (_, operands) => {
      nextLine();
      show(operands);
    },
    '"': ([word = 0, character = 0], operands) => {
      pen.wordSpace = word;
      pen.charSpace = character;
      nextLine();
      show(operands.slice(2));
    },
  };

  function draw({ name, operands }: Operator): void {
    drawn += 1;
    if (!Object.hasOwn(instructions, name)) return;
    const numbers = operands.map((operand) => (typeof operand === 'number' ? operand : 0));
    instructions[name]?.(numbers, operands);
  }

  return {
    draw,
    setFont(font, size) {
      pen.font = font;
      pen.size = size;
    },
    setState(state) {
      pen = { ...pen, ...state };
    },
    image(stream) {
      const address = imageAddress(stream);
      const matrix = multiply([1, 0, 0, -1, 0, 1], pen.matrix);
      const box = `${at(matrix)} width="1" height="1"`;
      emit(
        address
          ? `<g${clipped()}><image${box} preserveAspectRatio="none" opacity="${write(pen.fillAlpha)}" href="${address}"/></g>`
          : `<g${clipped()}><rect${box} fill="#e4e7ed"/></g>`,
      );
    },
    isFull: () => length > LARGEST_CHARACTERS || drawn > MOST_INSTRUCTIONS,
    finish({ width, height }) {
      const size = `viewBox="0 0 ${write(width, height)}" width="${write(width)}" height="${write(height)}"`;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="100%" height="100%" fill="#fff"/>${parts.join('')}</svg>`;
      return { svg, text: texts.join(' ').replace(/\s+/g, ' ').trim() };
    },
  };
}

function familyOf(font: PageFont): string {
  if (font.family === 'monospace') return 'Courier New, Courier, monospace';
  return font.family === 'serif' ? 'Times New Roman, Times, serif' : 'Helvetica, Arial, sans-serif';
}

/** XML has no place for control characters, and none for half a surrogate pair. */
function printable(text: string): string {
  return text.replace(/[^\P{C}\t\n]/gu, '').toWellFormed();
}

function lastPoint(path: string): string {
  return /(-?[\d.]+ -?[\d.]+)[Z]*$/.exec(path)?.[1] ?? '0 0';
}

/** Stands for a pattern or shading, which is not painted: pale, so that what is written on it stays readable. */
const PATTERN = '#dfe4ec';

/** Grey, RGB or CMYK by how many numbers there are; a pattern has a name. */
function colour(operands: readonly Operand[]): string | null {
  if (typeof operands.at(-1) === 'string') return PATTERN;
  const n = operands.filter((operand) => typeof operand === 'number');
  const [a = 0, b = 0, c = 0, d = 0] = n;
  const rgb = (...parts: number[]) =>
    `rgb(${parts.map((part) => Math.round(Math.min(1, Math.max(0, part)) * 255)).join(' ')})`;
  if (n.length === 1) return rgb(a, a, a);
  if (n.length === 3) return rgb(a, b, c);
  if (n.length === 4) return rgb((1 - a) * (1 - d), (1 - b) * (1 - d), (1 - c) * (1 - d));
  return null;
}

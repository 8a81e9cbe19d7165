import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFPage,
  PDFRawStream,
} from 'pdf-lib';
import type { Matrix } from './matrix.ts';
import { createPainter, type Painter } from './painter.ts';
import { readFont } from './read-font.ts';
import { type Operator, readOperators } from './read-operators.ts';

/** A page as a picture, and the words on it. */
export interface PageImage {
  readonly svg: string;
  readonly text: string;
}

/** Forms may hold forms; a file that nests them deeper is broken or means harm. */
const DEEPEST = 6;

/**
 * Paints a page as SVG: its text, shapes and pictures, close to what a PDF viewer shows. Patterns and shadings are left
 * out, and fonts are replaced by the nearest that the reader has, at the widths of the original.
 */
export function paintPage(page: PDFPage): PageImage {
  const { x, y, width, height } = page.getCropBox();
  const turn = (((page.getRotation().angle % 360) + 360) % 360) as 0 | 90 | 180 | 270;
  // PDF counts upwards from the lower left, SVG downwards from the upper left.
  const bases: Record<number, Matrix> = {
    0: [1, 0, 0, -1, -x, y + height],
    90: [0, 1, 1, 0, -y, -x],
    180: [-1, 0, 0, 1, width + x, -y],
    270: [0, -1, -1, 0, height + y, width + x],
  };
  const base = bases[turn] ?? [1, 0, 0, -1, -x, y + height];
  const painter = createPainter(base);
  const resources = page.node.Resources();
  run({ painter, bytes: contentOf(page), resources: resources ?? undefined, depth: 0 });
  const [w, h] = turn === 90 || turn === 270 ? [height, width] : [width, height];
  return painter.finish({ width: w, height: h });
}

function contentOf(page: PDFPage): Uint8Array {
  const contents = page.node.Contents();
  const streams =
    contents instanceof PDFArray ? contents.asArray().map((_, i) => contents.lookup(i)) : [contents];
  const parts = streams.flatMap((stream) =>
    stream instanceof PDFRawStream ? [decodePDFRawStream(stream).decode(), Uint8Array.of(10)] : [],
  );
  return Buffer.concat(parts);
}

interface Run {
  readonly painter: Painter;
  readonly bytes: Uint8Array;
  readonly resources: PDFDict | undefined;
  readonly depth: number;
}

function run({ painter, bytes, resources, depth }: Run): void {
  const find = (group: string, name: unknown) =>
    typeof name === 'string'
      ? resources?.lookupMaybe(PDFName.of(group), PDFDict)?.lookup(PDFName.of(name))
      : undefined;
  for (const operator of readOperators(bytes)) {
    const [first] = operator.operands;
    if (painter.isFull()) return;
    if (operator.name === 'Tf') setFont(painter, operator, find('Font', first));
    else if (operator.name === 'gs') setState(painter, find('ExtGState', first));
    else if (operator.name === 'Do') place({ painter, object: find('XObject', first), resources, depth });
    else painter.draw(operator);
  }
}

function setFont(painter: Painter, operator: Operator, dict: unknown): void {
  const size = operator.operands[1];
  if (dict instanceof PDFDict) painter.setFont(readFontOnce(dict), typeof size === 'number' ? size : 12);
}

const fonts = new WeakMap<PDFDict, ReturnType<typeof readFont>>();

function readFontOnce(dict: PDFDict): ReturnType<typeof readFont> {
  const font = fonts.get(dict) ?? readFont(dict);
  fonts.set(dict, font);
  return font;
}

function setState(painter: Painter, dict: unknown): void {
  if (!(dict instanceof PDFDict)) return;
  const read = (name: string, as: 'fillAlpha' | 'strokeAlpha' | 'lineWidth') => {
    const value = dict.lookup(PDFName.of(name));
    if (value instanceof PDFNumber) painter.setState({ [as]: value.asNumber() });
  };
  read('ca', 'fillAlpha');
  read('CA', 'strokeAlpha');
  read('LW', 'lineWidth');
}

function place(input: Omit<Run, 'bytes'> & { object: unknown }): void {
  const { painter, object, resources, depth } = input;
  if (!(object instanceof PDFRawStream)) return;
  const kind = object.dict.lookup(PDFName.of('Subtype'));
  if (kind === PDFName.of('Image')) painter.image(object);
  if (kind !== PDFName.of('Form') || depth >= DEEPEST) return;
  const matrix = object.dict.lookupMaybe(PDFName.of('Matrix'), PDFArray)?.asArray();
  const numbers = matrix?.map((value) => (value instanceof PDFNumber ? value.asNumber() : 0));
  painter.draw({ name: 'q', operands: [] });
  if (numbers?.length === 6) painter.draw({ name: 'cm', operands: numbers });
  const own = object.dict.lookupMaybe(PDFName.of('Resources'), PDFDict);
  run({ painter, bytes: decodePDFRawStream(object).decode(), resources: own ?? resources, depth: depth + 1 });
  painter.draw({ name: 'Q', operands: [] });
}

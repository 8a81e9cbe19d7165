import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFRawStream,
  StandardFontEmbedder,
  StandardFonts,
} from 'pdf-lib';

/** A font as far as a picture needs it: which letters its codes stand for, how wide they are, and what comes near it. */
export interface PageFont {
  /** The text of a shown string and its width, in units of the font's size. */
  read(bytes: Uint8Array): { text: string; width: number; count: number };
  readonly family: 'sans-serif' | 'serif' | 'monospace';
  readonly bold: boolean;
  readonly italic: boolean;
}

export function readFont(dict: PDFDict): PageFont {
  const base = dict.lookupMaybe(PDFName.of('BaseFont'), PDFName)?.decodeText() ?? '';
  const wide = dict.lookupMaybe(PDFName.of('Subtype'), PDFName) === PDFName.of('Type0');
  const letters = readLetters(dict);
  const widths = wide ? readWideWidths(dict) : readWidths(dict, base);
  return {
    read(bytes) {
      let text = '';
      let width = 0;
      const step = wide ? 2 : 1;
      for (let at = 0; at + step <= bytes.length; at += step) {
        const code = wide ? ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0) : (bytes[at] ?? 0);
        const letter = letters.get(code) ?? (wide ? '' : toLetter(code));
        text += letter;
        width += widths(code);
      }
      return { text, width, count: Math.floor(bytes.length / step) };
    },
    family: /cour|mono|consol|menlo/i.test(base)
      ? 'monospace'
      : /times|serif|roman|georgia|garamond|minion|cmr\d/i.test(base) && !/sans/i.test(base)
        ? 'serif'
        : 'sans-serif',
    bold: /bold|black|heavy|semibold/i.test(base),
    italic: /italic|oblique/i.test(base),
  };
}

const WIN_ANSI = new TextDecoder('windows-1252');

function toLetter(code: number): string {
  return code < 32 ? '' : WIN_ANSI.decode(Uint8Array.of(code));
}

/** The font's own table from codes to letters. */
function readLetters(dict: PDFDict): Map<number, string> {
  const letters = new Map<number, string>();
  const table = dict.lookup(PDFName.of('ToUnicode'));
  if (!(table instanceof PDFRawStream)) return letters;
  const source = Buffer.from(decodePDFRawStream(table).decode()).toString('latin1');
  for (const [, section = ''] of source.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code = '', to = ''] of section.matchAll(/<([^>]*)>\s*<([^>]*)>/g))
      letters.set(Number.parseInt(code, 16), fromUtf16(to));
  const RANGE = /<([^>]*)>\s*<([^>]*)>\s*(?:<([^>]*)>|\[([^\]]*)\])/g;
  for (const [, section = ''] of source.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, low = '', high = '', to, list] of section.matchAll(RANGE)) {
      const first = Number.parseInt(low, 16);
      const each = list?.match(/[0-9A-Fa-f]+/g);
      const last = Math.min(Number.parseInt(high, 16), first + 0xffff);
      for (let code = first; code <= last; code++)
        letters.set(code, fromUtf16(each ? (each[code - first] ?? '') : (to ?? ''), each ? 0 : code - first));
    }
  return letters;
}

function fromUtf16(hex: string, add = 0): string {
  const units = (hex.replace(/\s/g, '').match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16));
  const last = units.length - 1;
  return String.fromCharCode(...units.map((unit, index) => (index === last ? unit + add : unit)));
}

function readWidths(dict: PDFDict, base: string): (code: number) => number {
  const widths = dict.lookupMaybe(PDFName.of('Widths'), PDFArray);
  const first = dict.lookupMaybe(PDFName.of('FirstChar'), PDFNumber)?.asNumber() ?? 0;
  if (widths) return (code) => numberAt(widths, code - first) / 1000;
  // One of the 14 fonts that every viewer has: their widths are known, and stand in no file.
  const known = Object.values<string>(StandardFonts).find((name) => name === base) ?? 'Helvetica';
  const metrics = StandardFontEmbedder.for(known as Parameters<typeof StandardFontEmbedder.for>[0]);
  return (code) => {
    try {
      return metrics.widthOfTextAtSize(toLetter(code), 1);
    } catch {
      return 0.5;
    }
  };
}

function readWideWidths(dict: PDFDict): (code: number) => number {
  const inner = dict.lookupMaybe(PDFName.of('DescendantFonts'), PDFArray)?.lookup(0);
  if (!(inner instanceof PDFDict)) return () => 0.5;
  const usual = (inner.lookupMaybe(PDFName.of('DW'), PDFNumber)?.asNumber() ?? 1000) / 1000;
  const widths = new Map<number, number>();
  const table = inner.lookupMaybe(PDFName.of('W'), PDFArray);
  for (let at = 0; table && at < table.size(); ) {
    const first = numberAt(table, at);
    const next = table.lookup(at + 1);
    if (next instanceof PDFArray) {
      for (let index = 0; index < next.size(); index++)
        widths.set(first + index, numberAt(next, index) / 1000);
      at += 2;
    } else {
      const last = Math.min(numberAt(table, at + 1), first + 0xffff);
      for (let code = first; code <= last; code++) widths.set(code, numberAt(table, at + 2) / 1000);
      at += 3;
    }
  }
  return (code) => widths.get(code) ?? usual;
}

function numberAt(array: PDFArray, index: number): number {
  const value = index >= 0 && index < array.size() ? array.lookup(index) : undefined;
  return value instanceof PDFNumber ? value.asNumber() : 0;
}

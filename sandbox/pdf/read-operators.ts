/** What stands before an operator: a number, a name (`/F1` as `F1`), the bytes of a text, or a list of these. */
export type Operand = number | string | Uint8Array | readonly Operand[];

export interface Operator {
  readonly name: string;
  readonly operands: readonly Operand[];
}

const TOKEN =
  /[\s\0]+|%[^\r\n]*|(?<number>[+-]?(?:\d+\.?\d*|\.\d+))|\/(?<name>[^\s\0()<>[\]{}/%]*)|(?<open><<|\[)|(?<close>>>|\])|<(?<hex>[0-9A-Fa-f\s]*)>|(?<text>\()|(?<word>[^\s\0()<>[\]{}/%]+)|./sy;

/** Reads a page's drawing instructions one by one. What is broken is passed over, as viewers do. */
export function* readOperators(bytes: Uint8Array): Generator<Operator> {
  const source = Buffer.from(bytes).toString('latin1');
  const lists: Operand[][] = [];
  let operands: Operand[] = [];
  const put = (operand: Operand) => (lists.at(-1) ?? operands).push(operand);
  // One of its own for each reading: forms are read while the page that holds them still is.
  const token = new RegExp(TOKEN);
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const { number, name, open, close, hex, text, word } = match.groups ?? {};
    if (number !== undefined) put(Number(number));
    else if (name !== undefined) put(name);
    else if (hex !== undefined) put(readHex(hex));
    else if (open) lists.push([]);
    else if (close) put(lists.pop() ?? []);
    else if (text) {
      const read = readText(source, token.lastIndex);
      put(read.bytes);
      token.lastIndex = read.end;
    } else if (word === 'BI') {
      // An inline image holds raw bytes, which are no instructions.
      const end = /\sEI(?=\s|$)/g;
      end.lastIndex = token.lastIndex;
      token.lastIndex = end.exec(source) ? end.lastIndex : source.length;
      operands = [];
    } else if (word) {
      lists.length = 0;
      yield { name: word, operands };
      operands = [];
    }
  }
}

function readHex(hex: string): Uint8Array {
  const digits = hex.replace(/\s/g, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

/** Reads a text in parentheses, which may hold balanced ones of its own. */
function readText(source: string, start: number): { bytes: Uint8Array; end: number } {
  const bytes: number[] = [];
  let depth = 1;
  let at = start;
  for (; at < source.length; at++) {
    const letter = source.charAt(at);
    if (letter === '\\') {
      const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0];
      const escaped = source.charAt(at + 1);
      at += octal?.length ?? 1;
      if (octal) bytes.push(Number.parseInt(octal, 8) & 255);
      else if (escaped !== '\n' && escaped !== '\r') bytes.push(ESCAPES[escaped] ?? escaped.charCodeAt(0));
      continue;
    }
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (depth === 0) break;
    bytes.push(source.charCodeAt(at));
  }
  return { bytes: Uint8Array.from(bytes), end: at + 1 };
}

import { isDeepStrictEqual } from 'node:util';
import { createScanner, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { SetupError } from './setup-error.ts';

/** JSON as people keep it: with comments, trailing commas, a byte order mark, any indentation and line ends. */
export type JsonText = string;

type Path = readonly (string | number)[];

/** @throws SetupError for what is no JSON object even so; nothing is guessed about a broken file. */
export function parseJsonText(text: JsonText, name: string): Node | undefined {
  const errors: ParseError[] = [];
  let tree: Node | undefined;
  try {
    tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    throw new SetupError(`${name} is nested too deeply to be read. Nothing was changed.`);
  }
  const [first] = errors;
  if (first) {
    const { line, column } = placeOf(text, first.offset);
    throw new SetupError(
      `${name} is not valid JSON (line ${line}, column ${column}). Nothing was changed: mend it, then run this again.`,
    );
  }
  if (tree !== undefined && tree.type !== 'object')
    throw new SetupError(`${name} holds no JSON object. Nothing was changed.`);
  return tree;
}

/**
 * The value at a path. @throws SetupError where a name on the way stands there twice: one reader takes the first, another
 * the last, so either might be meant.
 */
export function nodeAt(root: Node | undefined, path: Path, name: string): Node | undefined {
  let node = root;
  for (const step of path) {
    if (node === undefined) return undefined;
    if (typeof step === 'number') {
      node = node.type === 'array' ? node.children?.[step] : undefined;
      continue;
    }
    const found = node.type === 'object' ? (node.children ?? []).filter((one) => keyOf(one) === step) : [];
    if (found.length > 1)
      throw new SetupError(
        `${name} has "${step}" twice. Nothing was changed: remove one, then run this again.`,
      );
    node = found[0]?.children?.[1];
  }
  return node;
}

/** The text with this value at this path; where it stands there already, the same text. All else stays, byte for byte. */
export function setAt(text: JsonText, path: Path, value: unknown, name: string): JsonText {
  const root = parseJsonText(text, name);
  const style = styleOf(text);
  if (root === undefined) {
    const whole = pretty(
      path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value),
      style,
      '',
    );
    return text.trim() === '' ? `${whole}${style.eol}` : `${text.trimEnd()}${style.eol}${whole}${style.eol}`;
  }
  for (let depth = 0; depth < path.length; depth++) {
    if (nodeAt(root, path.slice(0, depth + 1), name)) continue;
    const parent = nodeAt(root, path.slice(0, depth), name);
    const inner = path.slice(depth + 1).reduceRight<unknown>((held, step) => ({ [step]: held }), value);
    if (parent?.type !== (typeof path[depth] === 'number' ? 'array' : 'object'))
      throw new SetupError(
        `${name} holds something else than a list of settings at ${path.slice(0, depth).join('.') || 'its top'}. Nothing was changed.`,
      );
    return addChild(text, parent, { key: path[depth], value: inner }, style);
  }
  const old = nodeAt(root, path, name);
  // The parser's objects have no prototype, which would make all of them differ.
  const there: unknown = old && JSON.parse(JSON.stringify(getNodeValue(old)));
  if (old === undefined || isDeepStrictEqual(there, value)) return text;
  return splice(text, old.offset, old.length, pretty(value, style, indentAt(text, old.offset)));
}

/** The text without what stands at this path, with its comma and its line. */
export function removeAt(text: JsonText, path: Path, name: string): JsonText {
  const root = parseJsonText(text, name);
  const value = nodeAt(root, path, name);
  if (value === undefined) return text;
  const child = typeof path.at(-1) === 'number' ? value : (value.parent ?? value);
  const parent = child.parent;
  const siblings = parent?.children ?? [];
  const before = siblings[siblings.indexOf(child) - 1];
  let end = child.offset + child.length;
  const comma = commaAfter(text, end, parent);
  let start = child.offset;
  const lead = text.slice(0, start).match(/(\r?\n)?[ \t]*$/)?.[0].length ?? 0;
  start -= lead;
  if (comma !== undefined) {
    if (text.slice(end, comma).trim() === '') end = comma + 1;
    else text = splice(text, comma, 1, '');
  } else if (before) {
    const last = commaAfter(text, before.offset + before.length, parent);
    if (last !== undefined && last < start) {
      text = splice(text, last, 1, '');
      start -= 1;
      end -= 1;
    }
  }
  const rest = splice(text, start, end - start, '');
  return parent && siblings.length === 1 ? collapse(rest, parent.offset) : rest;
}

interface Style {
  readonly unit: string;
  readonly eol: string;
  readonly compact: boolean;
}

function styleOf(text: string): Style {
  const unit = text.match(/^(\t|[ ]{1,8})(?=["{[])/m)?.[1] ?? '  ';
  return { unit, eol: /\r\n/.test(text) ? '\r\n' : '\n', compact: !/\n/.test(text) && /[^\s{}]/.test(text) };
}

function pretty(value: unknown, { unit, eol, compact }: Style, indent: string): string {
  if (compact) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function addChild(
  text: string,
  parent: Node,
  { key, value }: { key: string | number | undefined; value: unknown },
  style: Style,
): string {
  const close = parent.offset + parent.length - 1;
  const last = parent.children?.at(-1);
  const outer = indentAt(text, parent.offset);
  const indent = last && startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + style.unit;
  const named = typeof key === 'string' ? `${JSON.stringify(key)}:${style.compact ? '' : ' '}` : '';
  const child = `${named}${pretty(value, style, indent)}`;
  const comma = last && commaAfter(text, last.offset + last.length, parent);
  // Behind every comment, so that each stays with what it is about.
  const place = text.slice(0, close).trimEnd().length;
  const tail = style.compact || /\n/.test(text.slice(place, close)) ? '' : `${style.eol}${outer}`;
  const lead = style.compact ? '' : `${style.eol}${indent}`;
  const added = splice(
    text,
    place,
    tail === '' ? 0 : close - place,
    `${lead}${child}${comma === undefined ? '' : ','}${tail}`,
  );
  return last && comma === undefined ? splice(added, last.offset + last.length, 0, ',') : added;
}

/** The comma between here and the next value or the end; no comma of a comment. */
function commaAfter(text: string, from: number, parent: Node | undefined): number | undefined {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  const end = (parent?.offset ?? 0) + (parent?.length ?? text.length);
  while (scanner.getPosition() < end) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    const token = text.slice(at, at + scanner.getTokenLength());
    if (token === ',') return at;
    if (!/^(?:\s|\/[/*])/.test(token)) return undefined;
  }
  return undefined;
}

/** Braces that hold nothing any more close up; a comment between them is something. */
function collapse(text: string, open: number): string {
  const rest = text.slice(open + 1);
  return /^\s*[}\]]/.test(rest) ? text.slice(0, open + 1) + rest.trimStart() : text;
}

function keyOf(property: Node): unknown {
  return property.children?.[0]?.value;
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return line.match(/^[ \t]*/)?.[0] ?? '';
}

function startsLine(text: string, offset: number): boolean {
  return /(^|\n)[ \t]*$/.test(text.slice(0, offset));
}

function splice(text: string, at: number, length: number, put: string): string {
  return text.slice(0, at) + put + text.slice(at + length);
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

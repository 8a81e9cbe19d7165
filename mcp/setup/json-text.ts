import { isDeepStrictEqual } from 'node:util';
import * as jsonc from 'jsonc-parser';
import { SetupError } from './setup-error.ts';

/** JSON with comments, trailing commas, and any indentation and line ends. */
type JsonText = string;
type Path = readonly (string | number)[];

/** @throws SetupError if the text is not a JSON object: a broken file is never repaired by guessing. */
function parse(text: JsonText, name: string): jsonc.Node | undefined {
  const errors: jsonc.ParseError[] = [];
  let tree: jsonc.Node | undefined;
  try {
    tree = jsonc.parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    throw new SetupError(`${name} is nested too deeply. Nothing was changed.`);
  }
  if (errors[0]) {
    const lines = text.slice(0, errors[0].offset).split('\n');
    const column = (lines.at(-1) ?? '').length + 1;
    throw new SetupError(
      `${name} is not valid JSON (line ${lines.length}, column ${column}). Nothing was changed: correct it, then run this again.`,
    );
  }
  if (tree !== undefined && tree.type !== 'object')
    throw new SetupError(`${name} is not a JSON object. Nothing was changed.`);
  return tree;
}

/** @throws SetupError if a key on the path occurs twice: readers differ in which of them counts. */
function findNode(text: JsonText, path: Path, name: string): jsonc.Node | undefined {
  let node = parse(text, name);
  for (const step of path) {
    const children: readonly jsonc.Node[] = node?.children ?? [];
    if (typeof step === 'number') {
      node = node?.type === 'array' ? children[step] : undefined;
      continue;
    }
    const found = node?.type === 'object' ? children.filter((child) => child.children?.[0]?.value === step) : [];
    if (found.length > 1)
      throw new SetupError(`${name} has "${step}" twice. Nothing was changed: remove one, then run this again.`);
    node = found[0]?.children?.[1];
  }
  return node;
}

/** Returns the value at this path, if any. */
export function getJsonValue(text: JsonText, path: Path, name: string): unknown {
  const node = findNode(text, path, name);
  // The parser's objects have no prototype, so they would never equal ours.
  return node && JSON.parse(JSON.stringify(jsonc.getNodeValue(node)));
}

/**
 * Returns the text with this value at this path. A new member comes first in its object or list,
 * so that each comment stays beside what it describes; all other text stays.
 */
export function setJsonValue(text: JsonText, path: Path, value: unknown, name: string): JsonText {
  if (isDeepStrictEqual(getJsonValue(text, path, name), value)) return text;
  const isNew = findNode(text, path, name) === undefined;
  const target = isNew && typeof path.at(-1) === 'number' ? [...path.slice(0, -1), 0] : [...path];
  try {
    const [edit] = jsonc.modify(text, target, value, { isArrayInsertion: isNew, getInsertionIndex: () => 0 });
    if (!edit) return text;
    const next = jsonc.applyEdits(text, [edit]);
    if (isOneLine(text)) return next;
    // Only the whitespace in the new text and beside it: the rest keeps its form.
    const range = { offset: Math.max(edit.offset - 1, 0), length: edit.content.length + 2 };
    return jsonc.applyEdits(next, jsonc.format(next, range, findStyle(text)));
  } catch {
    throw new SetupError(
      `${name} has a value other than an object at ${path.slice(0, -1).join('.')}. Nothing was changed: correct it, then run this again.`,
    );
  }
}

/** Returns the text without the value at this path. Comments stay, which is why this is not `modify`. */
export function removeJsonValue(text: JsonText, path: Path, name: string): JsonText {
  const value = findNode(text, path, name);
  if (value === undefined) return text;
  const member = typeof path.at(-1) === 'number' ? value : (value.parent ?? value);
  const siblings = member.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(member) - 1];
  const end = member.offset + member.length;
  const comma = findComma(text, end) ?? (previous && findComma(text, previous.offset + previous.length));
  const start = text.slice(0, member.offset).search(/(\r?\n)?[ \t]*$/);
  return jsonc.applyEdits(text, [
    { offset: start, length: end - start, content: '' },
    ...(comma === undefined ? [] : [{ offset: comma, length: 1, content: '' }]),
  ]);
}

/** Offset of the next comma, after whitespace and comments only. */
function findComma(text: string, from: number): number | undefined {
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return text[offset] === ',' ? offset : undefined;
}

function isOneLine(text: string): boolean {
  return /\S/.test(text) && !/\n[\s\S]*\S/.test(text) && !/^\s*\{\s*\}\s*$/.test(text);
}

function findStyle(text: string): jsonc.FormattingOptions {
  const indent = text.match(/^(\t| {1,8})(?=["{[])/m)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { insertSpaces: indent !== '\t', tabSize: indent.length, eol };
}

/** Hosts show at least this much of a question. */
const MAX_ROWS = 3;
const MAX_COLUMNS = 80;
/** More never fit. */
const MAX_ITEMS = 40;

/** `a, b and c`. */
const enumeration = new Intl.ListFormat('en-GB');

/**
 * Formats a sentence with a list, such as recipients or changes: as many items as fit into the first rows of a question; the
 * others are counted.
 * @param items quoted already
 * @param end.noun plural noun of the items
 * @param end.none replaces an empty list
 */
export function formatListSentence(
  before: string,
  items: readonly string[],
  { noun, none = '', after = '.' }: { noun: string; none?: string; after?: string },
): string {
  for (let shown = Math.min(items.length, MAX_ITEMS); shown > 0; shown--) {
    const omitted = items.length - shown;
    const more = omitted === 1 ? '1 more' : `${omitted} more ${noun}`;
    const names = omitted > 0 ? [...items.slice(0, shown), more] : items;
    const sentence = `${before}${enumeration.format(names)}${after}`;
    if (isShownWhole(sentence)) return sentence;
  }
  const [first, ...others] = items;
  if (first !== undefined && others.length === 0) return `${before}${first}${after}`;
  return `${before}${first === undefined ? none : `${items.length} ${noun}`}${after}`;
}

/** Returns whether a sentence fits into the rows that every host shows. */
export function isShownWhole(text: string): boolean {
  return wrapText(text).length <= MAX_ROWS;
}

/** Breaks the decision into the rows that every host shows; text beyond them is cut. */
export function toHeadlineRows(text: string): readonly string[] {
  const rows = wrapText(text);
  if (rows.length <= MAX_ROWS) return rows;
  const last = rows[MAX_ROWS - 1] ?? '';
  return [...rows.slice(0, MAX_ROWS - 1), `${last.slice(0, MAX_COLUMNS - 1).trimEnd()}…`];
}

function wrapText(text: string): string[] {
  const rows: string[] = [];
  for (const word of splitWords(text).flatMap(splitLongWord)) {
    const row = rows.at(-1);
    if (row !== undefined && getColumns(row) + 1 + getColumns(word) <= MAX_COLUMNS)
      rows[rows.length - 1] = `${row} ${word}`;
    else if (word !== '') rows.push(word);
  }
  return rows;
}

/** Words, with each quotation as one: a row never begins inside a quotation, whose text somebody else wrote. */
function splitWords(text: string): readonly string[] {
  return text.match(/(?:"(?:[^"\\]|\\.)*"|[^\s"]|")+/g) ?? [];
}

function splitLongWord(word: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (getColumns(part + character) > MAX_COLUMNS) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}

const WIDE =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** East Asian characters and emoji take two columns. */
export function getColumns(text: string): number {
  return [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}

/** Hosts show at least this much of a question. */
const MAX_ROWS = 3;
const MAX_COLUMNS = 80;
/** More never fit. */
const MAX_ITEMS = 40;
/** Short lists keep their order, such as that of signing. */
const MAX_ALWAYS_SHOWN = 2;
const MAX_SHORT_LIST = 90;
/** Shorter names, such as those of two pitch decks, may look alike. */
const MIN_NAME = 28;

/** Begins the headline of an action whose object has a problem. */
export const NOT_READY = 'Not ready, see below: ';

const QUOTATION = /"(?:[^"\\]|\\.)*"/g;
/** A letter that is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** A mark without width, after which text is left to right again. */
const LEFT_TO_RIGHT_MARK = '\u200e';
const DAY = /^"\d{4}-\d\d-\d\d(?=T)/;
const DAY_OR_HOST = new RegExp(`${DAY.source}|^"https?://[^/?#"\\\\]+(?=[/?#])`, 'i');

/** A sentence with a list, such as recipients or changes. */
export interface ListSentence {
  readonly before: string;
  /** Quoted already. */
  readonly items: readonly string[];
  /** Replaces people if not all of them fit, and other items if none of them fits. */
  readonly briefItems?: readonly string[];
  /** Plural noun of the items. */
  readonly noun: string;
  /** Replaces an empty list. */
  readonly none?: string;
  readonly after?: string;
  /** Replaces `after` if all items fit only then, or if none fits otherwise. */
  readonly briefAfter?: string;
  /** Replaces `after` if all items fit only then, or if not all fit, but one more then. */
  readonly someAfter?: string;
}

/** First sentence of a question. It is shortened to the rows that every host shows. */
export type Headline = string | ListSentence;

let listFormat: Intl.ListFormat | undefined;

/** Joins as `a, b and c`. The format is created late, because loading its data takes a tenth of the server's start. */
export function joinList(items: readonly string[]): string {
  listFormat ??= new Intl.ListFormat('en-GB');
  return listFormat.format(items);
}

/**
 * Formats the first sentence of a question for the rows that every host shows: quotations are shortened first, because the
 * details show them whole, and as few items as possible are counted. A name with an address is cut last.
 * @param workspace comes first
 */
export function formatHeadline(headline: Headline, workspace?: string): string {
  const {
    before,
    items: unsorted,
    briefItems: unsortedBrief = [],
    noun,
    none = '',
    after = '.',
    briefAfter = after,
    someAfter = after,
  }: ListSentence = typeof headline === 'string' ? { before: headline, items: [], noun: '', after: '' } : headline;
  const isPeople = noun === 'people';
  const sort = (list: readonly string[]) =>
    isPeople && list.length > MAX_ALWAYS_SHOWN ? putOutsidersFirst(list) : list;
  const [items, briefItems] = [sort(unsorted), sort(unsortedBrief.length > 0 ? unsortedBrief : unsorted)];
  const prefix = workspace === undefined ? '' : `${workspace}: `;
  const format = (shown: number, { limit, nameLimit = limit, end, names, cutsAddresses = false }: Shortening) => {
    const short = (text: string) => shortenQuotations(text, limit, cutsAddresses);
    const shortItem = (text: string) => shortenQuotations(text, limit, cutsAddresses && !isPeople);
    const omitted = items.length - shown;
    const rest = shown === 0 ? formatCount(omitted, noun) : omitted === 1 ? '1 more' : `${omitted} more ${noun}`;
    const listed = omitted > 0 ? [...names.slice(0, shown), rest] : names;
    const list = items.length === 0 ? none : joinList(listed.map(shortItem));
    const start = shortenQuotations(before, nameLimit, cutsAddresses);
    return escapeFormulas(keepOrder(`${prefix}${start}${list}${short(end)}`));
  };
  const shorten = (names: readonly string[], limits: readonly number[]) => limits.map((limit) => ({ names, limit }));
  const full = shorten(items, [Number.POSITIVE_INFINITY, 40, MIN_NAME]);
  const brief = shorten(briefItems, [MIN_NAME, 16]);
  const shortItems = { names: items, limit: 16 };
  // The name of an object matters more than one more of its places or changes.
  const keepName = <T>(shortening: T) => ({ ...shortening, nameLimit: MIN_NAME });
  // Brief people only lack the field of their address; other brief items lack what they replace.
  const rounds: readonly (readonly Omit<Shortening, 'end'>[])[] = isPeople
    ? [[...full, ...brief]]
    : [[...full, keepName(shortItems)], brief.map(keepName), [shortItems, ...brief]];
  const shortest = { names: briefItems, limit: 16, cutsAddresses: true };
  const [all = 0, ...fewer] = Array.from({ length: items.length }, (_, index) => items.length - index);
  const counts = fewer.filter((count) => count <= MAX_ITEMS);
  // The end is shortened before an item is counted, but only `someAfter` in order to show one more of many.
  const steps: readonly (readonly [shown: number, end: string])[] = [
    ...[after, someAfter, briefAfter].map((end) => [all, end] as const),
    ...counts.flatMap((count) => [after, someAfter].map((end) => [count, end] as const)),
    ...counts.map((count) => [count, briefAfter] as const),
  ];
  for (const round of [...rounds, [{ ...shortest, names: items }, shortest]])
    for (const [shown, end] of steps)
      for (const shortening of round) {
        const sentence = format(shown, { ...shortening, end });
        if (isShownWhole(sentence)) return sentence;
      }
  return format(0, { ...shortest, end: briefAfter });
}

/** How a headline is shortened; without a value, as little as possible. */
interface Shortening {
  /** Maximum columns of a quotation. */
  readonly limit?: number;
  /** Of those before the list, if not as of the others. */
  readonly nameLimit?: number;
  readonly end: string;
  readonly names: readonly string[];
  readonly cutsAddresses?: boolean;
}

/** Between two names that are written from right to left, hosts would show an arrow and both names in reverse. */
function keepOrder(sentence: string): string {
  return sentence.replace(QUOTATION, (quotation) =>
    RIGHT_TO_LEFT.test(quotation) ? quotation + LEFT_TO_RIGHT_MARK : quotation,
  );
}

/** Escapes dollar signs that hosts may read as a formula with a comment: from its `%` to its end, it would be hidden. */
export function escapeFormulas(text: string): string {
  return /^[^$]*\$[^%]*%[^$]*\$/.test(text) ? text.replaceAll('$', '\\u0024') : text;
}

/** Puts addresses of rare domains first: an outsider among colleagues must not be one of the people that are counted. */
function putOutsidersFirst(people: readonly string[]): readonly string[] {
  const getDomain = (person: string) => {
    // The field of an address differs for each signer.
    const address = person.replace(/ \([^()@]*\)$/, '');
    return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  };
  const counts = new Map<string, number>();
  for (const domain of people.map(getDomain)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  return people.toSorted((a, b) => (counts.get(getDomain(a)) ?? 0) - (counts.get(getDomain(b)) ?? 0));
}

/** Lists as many items as fit beside those of the sentence, with shortened quotations if needed; the others are counted. */
export function formatShortList(items: readonly string[], noun: string, maxColumns = MAX_SHORT_LIST): string {
  for (let shown = items.length; shown > 0; shown--) {
    const rest = shown < items.length ? [formatCount(items.length - shown, `more ${noun}`)] : [];
    for (const limit of [undefined, 28, 16]) {
      const names = items.slice(0, shown).map((item) => shortenQuotations(item, limit));
      const list = joinList([...names, ...rest]);
      if (list.length <= maxColumns) return list;
    }
  }
  return formatCount(items.length, noun);
}

/** `1 link` or `2 links`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun.replace(/people$/, 'person').replace(/s$/, '') : noun}`;
}

/** Cuts the middle out of long quotations: names differ at both ends. Addresses, hosts of URLs and days are left whole. */
function shortenQuotations(text: string, limit = Number.POSITIVE_INFINITY, cutsAddresses = false): string {
  return text.replace(QUOTATION, (quotation) => {
    if (getDisplayWidth(quotation) <= limit + 2 || (!cutsAddresses && quotation.includes('@'))) return quotation;
    const [start] = (cutsAddresses ? DAY : DAY_OR_HOST).exec(quotation) ?? [];
    return start ? `${start}…"` : shortenQuotation(quotation, Math.ceil(limit / 2) - 1, Math.floor(limit / 2));
  });
}

/** Keeps so many columns of both ends of a quotation. Escaped characters stay whole. */
export function shortenQuotation(quotation: string, headColumns: number, tailColumns: number): string {
  const parts = quotation.slice(1, -1).match(/\\u[\da-f]{4}|\\.|./gu) ?? [];
  const take = (from: readonly string[], columns: number) => {
    let count = 0;
    while (count < from.length && getDisplayWidth(from.slice(0, count + 1).join('')) <= columns) count++;
    return from.slice(0, count);
  };
  const [head, tail] = [take(parts, headColumns), take(parts.toReversed(), tailColumns).toReversed()];
  return `"${head.join('')}…${tail.join('')}"`;
}

/** Returns whether a sentence fits into the rows that every host shows. */
function isShownWhole(text: string): boolean {
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
    if (row !== undefined && getDisplayWidth(row) + 1 + getDisplayWidth(word) <= MAX_COLUMNS)
      rows[rows.length - 1] = `${row} ${word}`;
    else if (word !== '') rows.push(word);
  }
  return rows;
}

const WORD = new RegExp(`(?:${QUOTATION.source}|[^\\s"]|")+`, 'g');

/** Words, with each quotation as one: a row never begins inside a quotation, whose text somebody else wrote. */
function splitWords(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

function splitLongWord(word: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (getDisplayWidth(part + character) > MAX_COLUMNS) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}

const WIDE =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;

/** East Asian characters and emoji take two columns. */
export function getDisplayWidth(text: string): number {
  const getWidth = (character: string) => (character === LEFT_TO_RIGHT_MARK ? 0 : WIDE.test(character) ? 2 : 1);
  return [...text].reduce((sum, character) => sum + getWidth(character), 0);
}

import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import type { JsonObject } from '../records/fields.ts';

/** Fields of an entry that are looked at, so that what is kept of a page stays small. */
const MOST_FIELDS = 16;

/** By ids where items have them: other fields may change between two answers of the same page. */
export function printOf(items: readonly JsonObject[], ids: readonly string[] | undefined): string {
  return hash(ids ?? items);
}

/**
 * Prints of which two answers share one where they are the same page, though its order or some of its fields are others
 * each time: of its ids in any order; without ids, of its entries where all differ, and of the values of each field that
 * tells most of them apart.
 */
export function marksOf(items: readonly JsonObject[], ids: readonly string[] | undefined): string[] {
  const names = namesOf(items, ids) ?? [];
  const all = names.length > 0 ? [hash([...names].sort()).slice(0, 12)] : [];
  if (ids) return all;
  const fields = Object.keys(items[0] ?? {}).slice(0, MOST_FIELDS);
  const each = fields.flatMap((field) => {
    const values = items.map((item) => textOf([item[field]]));
    const different = new Set(values).size;
    // Of a few values in some order, as of a flag, the next page may have the same.
    const tells = different > 1 && different * 2 > values.length;
    return tells ? [hash([field, ...values]).slice(0, 12)] : [];
  });
  return [...all, ...each];
}

/** What tells entries apart: their ids, or all that each holds, where all of them differ. */
export function namesOf(
  items: readonly JsonObject[],
  ids: readonly string[] | undefined,
): readonly string[] | undefined {
  return ids ?? distinct(valuesOf(items));
}

/** The names where each is another. */
export function distinct(names: readonly string[]): readonly string[] | undefined {
  return new Set(names).size === names.length ? names : undefined;
}

/** What stands for the ids of entries that have none: all that each holds. No id of a service begins with a line break. */
export function valuesOf(items: readonly JsonObject[]): string[] {
  return items.map((item) => `\n${hash([item])}`);
}

/** Signs of a short print, and how many of them are kept. */
const SHORT = 6;
const MOST_TAILS = 8;

/** What tells the last entries of a page where they come again at the beginning of the next; of ids alone. */
export function tailOf(ids: readonly string[]): string {
  return ids.slice(-MOST_TAILS).map(shortPrint).join('');
}

/** What {@link isInTail} looks for. */
export function tailPrints(tail: string): string[] {
  return Array.from(
    { length: Math.floor(tail.length / SHORT) },
    (_, at) => `${TAILS}${tail.slice(at * SHORT, (at + 1) * SHORT)}`,
  );
}

/** Whether an entry was among the last of the page before, where a walk begins at a place and knows no more of them. */
export function isInTail(id: string, known: ReadonlySet<string>): boolean {
  return known.has(TAILS) && known.has(`${TAILS}${shortPrint(id)}`);
}

/** Among what is known: that there are prints of a tail, and what each begins with. No id of a service begins with a tab. */
export const TAILS = '\t';

function shortPrint(id: string): string {
  return hash([id]).slice(0, SHORT);
}

function hash(values: readonly unknown[]): string {
  return createHash('sha256').update(textOf(values)).digest('base64url').slice(0, 22);
}

/** Of items nested deeper than the stack holds only the upper levels count: parsing them is possible, printing is not. */
function textOf(items: readonly unknown[]): string {
  try {
    return JSON.stringify(items);
  } catch {
    return inspect(items, { depth: 100, maxArrayLength: null, maxStringLength: null });
  }
}

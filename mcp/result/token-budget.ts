import { isObject } from '../../src/records/fields.ts';
import { clipText } from './quote.ts';

/** Hosts truncate or reject results at about 25,000 tokens. */
export const MAX_RESULT_TOKENS = 20_000;

/** The rest is for fields that a result adds. */
const DEFAULT_BUDGET = MAX_RESULT_TOKENS - 500;

/** Upper bound, so that short results need not be counted. */
const MAX_TOKENS_PER_CHARACTER = 4;

/** Scripts with at most one token per character. */
const COMMON_SCRIPT = /[\u00a0-\u06ff\u0900-\u0dff\u0e00-\u0eff\u2000-\u206f\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

/**
 * Estimates the tokens of a text, rounded up, without a tokenizer: one per five letters of a word, five per six characters
 * of an id, one per character of a common script, three of a rare one.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const { 0: piece, index } of text.matchAll(/[A-Za-z]+|\d+|[^\sA-Za-z0-9]|\s{2,}/g)) {
    if (/^\d/.test(piece)) tokens += Math.ceil(piece.length / 3);
    else if (/^[a-z]/i.test(piece))
      tokens += estimateWordTokens(piece, /\d/.test(text.charAt(index - 1) + text.charAt(index + piece.length)));
    else if (/^\s/.test(piece)) tokens += Math.ceil(piece.length / 8);
    else if (piece.charCodeAt(0) < 0x80) tokens += 0.7;
    else tokens += COMMON_SCRIPT.test(piece) ? 1 : 2.8;
  }
  return Math.ceil(tokens * 1.1);
}

/** Letters next to a digit belong to an id, not a word. */
function estimateWordTokens(word: string, isInsideId: boolean): number {
  const isPlainWord = !isInsideId && /^[A-Z]?[a-z]*$/.test(word);
  // More than 14 letters are likely random.
  if (isPlainWord) return word.length <= 14 ? Math.ceil(word.length / 5) : Math.ceil(word.length / 2);
  return Math.ceil(word.length / 1.2);
}

/** Number of items that fit into the budget; at least one. */
export function countItemsInBudget(items: readonly unknown[], budget = DEFAULT_BUDGET): number {
  let used = 0;
  for (const [index, item] of items.entries()) {
    used += estimateTokens(JSON.stringify(item)) + 1;
    if (used > budget) return Math.max(1, index);
  }
  return items.length;
}

/** Shortens long texts and lists until the data fits into the budget. */
export function fitToBudget(
  data: Record<string, unknown>,
  budget = DEFAULT_BUDGET,
): { data: Record<string, unknown>; isTruncated: boolean } {
  const text = JSON.stringify(data);
  if (text.length * MAX_TOKENS_PER_CHARACTER <= budget || estimateTokens(text) <= budget)
    return { data, isTruncated: false };
  for (let limit = 16_384; limit >= 16; limit /= 4) {
    const smaller = shrink(data, limit, 0);
    if (isObject(smaller) && estimateTokens(JSON.stringify(smaller)) <= budget)
      return { data: smaller, isTruncated: true };
  }
  return { data: { id: data['id'] }, isTruncated: true };
}

function shrink(value: unknown, limit: number, depth: number): unknown {
  if (typeof value === 'string') return clipText(value, limit);
  if (Array.isArray(value)) {
    const shortened = value
      .slice(0, Math.max(1, Math.floor(limit / 16)))
      .map((element) => shrink(element, limit, depth + 1));
    return value.length > shortened.length ? [...shortened, `… ${value.length - shortened.length} more`] : shortened;
  }
  if (!isObject(value)) return value;
  if (depth > 8) return '…';
  const entries = Object.entries(value).slice(0, Math.max(4, limit));
  return Object.fromEntries(entries.map(([name, inner]) => [name, shrink(inner, limit, depth + 1)]));
}

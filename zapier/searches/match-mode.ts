import type { PlainInputField } from 'zapier-platform-core';
import { InputError } from '../platform/client-core.ts';
import { normalizeEmail, normalizeText } from '../records/normalize-text.ts';

const MATCH_MODES = { exactly: 'Exactly', begins: 'Begins With', contains: 'Contains' } as const;
export type MatchMode = keyof typeof MATCH_MODES;

const MULTIPLE_MATCH_ACTIONS = {
  stop: 'Stop Here and Choose Nothing',
  all: 'Give All, the Newest First',
} as const;
export type MultipleMatchAction = keyof typeof MULTIPLE_MATCH_ACTIONS;

export const matchField: PlainInputField = {
  key: 'match',
  label: 'How to Compare',
  type: 'string',
  required: false,
  choices: { ...MATCH_MODES },
  helpText:
    'Exactly, unless you choose otherwise; capital letters, accents and blanks around the text make no difference. With the others the best match comes first, so later steps may write to a record of another name.',
};

/** What happens where two records have the very text: one of them is not the one that was meant. */
export function multipleMatchField(noun: string, fallback: MultipleMatchAction): PlainInputField {
  return {
    key: 'several',
    label: 'If Several Match Exactly',
    type: 'string',
    required: false,
    choices: { ...MULTIPLE_MATCH_ACTIONS },
    helpText: `When left empty: ${
      fallback === 'stop'
        ? `the step stops, because nothing tells which ${noun} is meant, and nothing is created.`
        : 'all are given, the newest first, and later steps use the newest.'
    }`,
  };
}

export function parseMatchMode(value: unknown): MatchMode {
  return parseChoice(value, { choices: MATCH_MODES, label: 'How to Compare' }) ?? 'exactly';
}

export function parseMultipleMatchAction(value: unknown, fallback: MultipleMatchAction): MultipleMatchAction {
  return (
    parseChoice(value, { choices: MULTIPLE_MATCH_ACTIONS, label: 'If Several Match Exactly' }) ?? fallback
  );
}

function parseChoice<Choice extends string>(
  value: unknown,
  { choices, label }: { choices: Readonly<Record<Choice, string>>; label: string },
): Choice | undefined {
  const text = String(value ?? '')
    .trim()
    .toLowerCase();
  if (text === '') return undefined;
  const keys = Object.keys(choices) as Choice[];
  const found = keys.find((key) => text === key || text === choices[key].toLowerCase());
  if (found === undefined)
    throw new InputError(`"${text.slice(0, 40)}" is no choice of ${label}. Pick one from its list.`);
  return found;
}

/**
 * How well a text fits: 0 the very text, 1 begins with it, 2 contains it; undefined where `mode` wants better. Accents
 * tell two addresses apart, and make no difference otherwise.
 */
export function rankMatch(text: unknown, searchText: string, mode: MatchMode): number | undefined {
  const normalizedText = normalizeText(text);
  const normalizedSearch = normalizeText(searchText);
  const isEmail = normalizedText.includes('@') && normalizedSearch.includes('@');
  if (isEmail ? normalizeEmail(text) === normalizeEmail(searchText) : normalizedText === normalizedSearch)
    return 0;
  if (mode === 'exactly') return undefined;
  if (normalizedText.startsWith(normalizedSearch)) return 1;
  return mode === 'contains' && normalizedText.includes(normalizedSearch) ? 2 : undefined;
}

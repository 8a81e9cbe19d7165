import type { PlainInputField } from 'zapier-platform-core';
import { createFormField, parseChoice } from '../fields/form-fields.ts';
import { normalizeEmail, normalizeText } from '../records/normalize-text.ts';

const MATCH_MODES = { exactly: 'Exactly', begins: 'Begins With', contains: 'Contains' } as const;
export type MatchMode = keyof typeof MATCH_MODES;

export const MULTIPLE_MATCH_ACTIONS = { stop: 'Stop the Zap', all: 'Return all, newest first' } as const;
export type MultipleMatchAction = keyof typeof MULTIPLE_MATCH_ACTIONS;

export const matchField = createFormField('match', 'How to Compare', {
  choices: { ...MATCH_MODES },
  helpText:
    'Leave empty for the exact name (capitals and accents do not matter). Begins With and Contains may find a different record.',
});

/** Field for several exact matches; `matches` is such as "rooms have this name". */
export function createMultipleMatchField(matches: string, fallback: MultipleMatchAction): PlainInputField {
  return createFormField('several', 'If Several Match Exactly', {
    choices: { ...MULTIPLE_MATCH_ACTIONS },
    helpText: `If two ${matches}: leave empty ${
      fallback === 'stop'
        ? 'to stop, or choose to get all (at most 250).'
        : 'to get all (at most 250; later steps use the newest), or choose to stop.'
    }`,
  });
}

export function parseMatchMode(value: unknown): MatchMode {
  return parseChoice(value, { choices: MATCH_MODES, label: 'How to Compare' }) ?? 'exactly';
}

export function parseMultipleMatchAction(value: unknown, fallback: MultipleMatchAction): MultipleMatchAction {
  return parseChoice(value, { choices: MULTIPLE_MATCH_ACTIONS, label: 'If Several Match Exactly' }) ?? fallback;
}

/** Grades a match: 0 exact, 1 begins with it, 2 contains it; undefined for none. Accents count only in emails. */
export function rankMatch(text: unknown, searchText: string, mode: MatchMode): number | undefined {
  const normalizedText = normalizeText(text);
  const normalizedSearch = normalizeText(searchText);
  const isEmail = normalizedText.includes('@') && normalizedSearch.includes('@');
  if (isEmail ? normalizeEmail(text) === normalizeEmail(searchText) : normalizedText === normalizedSearch) return 0;
  if (mode === 'exactly') return undefined;
  if (normalizedText.startsWith(normalizedSearch)) return 1;
  return mode === 'contains' && normalizedText.includes(normalizedSearch) ? 2 : undefined;
}

import type { PlainInputField } from 'zapier-platform-core';
import { InputError } from '../platform/core.ts';
import { fold, plainEmail } from '../records/fold.ts';

const MATCHES = { exactly: 'Exactly', begins: 'Begins With', contains: 'Contains' } as const;
export type Match = keyof typeof MATCHES;

const SEVERAL = { stop: 'Stop Here and Choose Nothing', all: 'Give All, the Newest First' } as const;
export type Several = keyof typeof SEVERAL;

export const matchField: PlainInputField = {
  key: 'match',
  label: 'How to Compare',
  type: 'string',
  required: false,
  choices: { ...MATCHES },
  helpText:
    'Exactly, unless you choose otherwise; capital letters, accents and blanks around the text make no difference. With the others the best match comes first, so later steps may write to a record of another name.',
};

/** What happens where two records have the very text: one of them is not the one that was meant. */
export function severalField(noun: string, fallback: Several): PlainInputField {
  return {
    key: 'several',
    label: 'If Several Match Exactly',
    type: 'string',
    required: false,
    choices: { ...SEVERAL },
    helpText: `When left empty: ${
      fallback === 'stop'
        ? `the step stops, because nothing tells which ${noun} is meant, and nothing is created.`
        : 'all are given, the newest first, and later steps use the newest.'
    }`,
  };
}

export function readMatch(value: unknown): Match {
  return readChoice(value, { choices: MATCHES, label: 'How to Compare' }) ?? 'exactly';
}

export function readSeveral(value: unknown, fallback: Several): Several {
  return readChoice(value, { choices: SEVERAL, label: 'If Several Match Exactly' }) ?? fallback;
}

function readChoice<Choice extends string>(
  value: unknown,
  { choices, label }: { choices: Readonly<Record<Choice, string>>; label: string },
): Choice | undefined {
  const given = String(value ?? '')
    .trim()
    .toLowerCase();
  if (given === '') return undefined;
  const keys = Object.keys(choices) as Choice[];
  const found = keys.find((key) => given === key || given === choices[key].toLowerCase());
  if (found === undefined)
    throw new InputError(`"${given.slice(0, 40)}" is no choice of ${label}. Pick one from its list.`);
  return found;
}

/**
 * How well a text fits: 0 the very text, 1 begins with it, 2 contains it; undefined where `match` wants better. Accents
 * tell two addresses apart, and make no difference otherwise.
 */
export function rank(text: unknown, wanted: string, match: Match): number | undefined {
  const known = fold(text);
  const sought = fold(wanted);
  const isAddress = known.includes('@') && sought.includes('@');
  if (isAddress ? plainEmail(text) === plainEmail(wanted) : known === sought) return 0;
  if (match === 'exactly') return undefined;
  if (known.startsWith(sought)) return 1;
  return match === 'contains' && known.includes(sought) ? 2 : undefined;
}

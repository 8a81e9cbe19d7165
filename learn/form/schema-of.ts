import { isObject } from '../../src/answer/fields.ts';
import {
  ACCESS_LEVELS,
  AGREEMENT_END_EVENTS,
  ENDED_STATES,
  EVENT_KINDS,
  SENDER_ROLES,
  SENT_STATES,
  SIGNED_STATES,
  STATUS_CHANGES,
} from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { KIND_WORDS, STATE_WORDS, WORD_FIELDS } from '../assumptions.ts';
import { entryName, holderName, splitFields, valueName } from './field-names.ts';
import { mergeAll } from './merge-schemas.ts';
import { numberForm, textForm } from './text-form.ts';

/** Words that may stand in a profile: the project's own, whatever an account holds. */
const WORDS: ReadonlySet<string> = new Set([
  ...SIGNED_STATES,
  ...ENDED_STATES,
  ...SENT_STATES,
  ...Object.values(STATUS_CHANGES).flat(),
  ...Object.keys(ACCESS_LEVELS),
  ...EVENT_KINDS,
  ...AGREEMENT_END_EVENTS,
  ...SENDER_ROLES,
  ...STATE_WORDS,
  ...KIND_WORDS,
  'signer',
]);

/** Below this no form is read: an answer nested deeper is a mistake or an attack. */
const DEEPEST = 10;
/** So many entries of a list tell its form. */
const MAX_ENTRIES = 200;

/** The form of a value: names, types and what texts stand for, never a value of the account. */
export function inferSchema(value: unknown, name = '', depth = 0): Schema {
  return { ...inferValueSchema(value, name, depth), 'x-seen': 1 };
}

function inferValueSchema(value: unknown, name: string, depth: number): Schema {
  if (value === null || value === undefined) return { type: 'null' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'number') return numberForm(value, name);
  if (typeof value === 'string') return wordForm(value, name) ?? textForm(value, name);
  if (depth >= DEEPEST) return { type: Array.isArray(value) ? 'array' : 'object' };
  if (Array.isArray(value)) {
    const items = mergeAll(
      value.slice(0, MAX_ENTRIES).map((entry) => inferSchema(entry, entryName(entry, name), depth + 1)),
    );
    return items ? { type: 'array', items } : { type: 'array' };
  }
  return isObject(value) ? objectForm(value, name, depth) : { type: 'string' };
}

function wordForm(text: string, name: string): Schema | undefined {
  return WORD_FIELDS.test(name) && WORDS.has(text) ? { type: 'string', enum: [text] } : undefined;
}

function objectForm(object: Readonly<Record<string, unknown>>, name: string, depth: number): Schema {
  const { fields, others } = splitFields(object, name);
  const properties = Object.fromEntries(
    fields.map(([key, value]) => [key, inferSchema(value, holderName(object, key), depth + 1)]),
  );
  const rest = mergeAll(
    others.slice(0, MAX_ENTRIES).map((value) => inferSchema(value, valueName(value, name), depth + 1)),
  );
  return {
    type: 'object',
    ...(fields.length > 0 || !rest ? { properties, required: fields.map(([key]) => key) } : {}),
    ...(rest ? { additionalProperties: rest } : {}),
  };
}

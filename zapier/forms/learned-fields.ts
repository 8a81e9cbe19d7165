import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { isSetByService } from '../../src/assumptions/writable.ts';
import { createZapClient } from '../platform/client.ts';
import { askPage } from '../records/pages.ts';
import type { RecordKind } from '../records/record.ts';
import { snakeCase } from './date.ts';
import { isLeftOut, LEARNED } from './learned-key.ts';

const TYPES = { string: 'string', number: 'number', boolean: 'boolean' } as const;
const MAX_FIELDS = 20;

/**
 * Offers fields that the document does not name (§2) under the names that existing records of the workspace have.
 * `known` are the API names that the form has already. Where the records can't be read, the form does without.
 */
export function learnedFields(kind: RecordKind, known: readonly string[]) {
  return async (z: ZObject, bundle: Bundle): Promise<PlainInputField[]> => {
    const found = new Map<string, PlainInputField>();
    try {
      const client = createZapClient(z, bundle.authData);
      const page = await askPage((query, options) => kind.list(client, query, options));
      for (const item of page.items.slice(0, 25)) {
        for (const [name, value] of Object.entries(item)) {
          if (!found.has(name) && isOffered(name, known)) {
            const field = toField(kind, name, value);
            if (field) found.set(name, field);
          }
        }
      }
    } catch {
      return [];
    }
    return [...found.values()].slice(0, MAX_FIELDS);
  };
}

function isOffered(name: string, known: readonly string[]): boolean {
  const plain = snakeCase(name);
  return !known.includes(plain) && !isSetByService(name) && !isLeftOut(plain);
}

function toField(kind: RecordKind, name: string, value: unknown): PlainInputField | undefined {
  const type = Object.hasOwn(TYPES, typeof value) ? TYPES[typeof value as keyof typeof TYPES] : undefined;
  if (type === undefined) return undefined;
  const label = snakeCase(name)
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  return {
    key: `${LEARNED}${name}`,
    label,
    type,
    required: false,
    group: 'more',
    helpText: `Your ${kind.resource}s have this field. Leave it empty to let Docshare decide.`,
  };
}

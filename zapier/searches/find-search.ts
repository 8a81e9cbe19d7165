import type { PlainInputField, Search } from 'zapier-platform-core';
import { type Step, withClient } from '../client.ts';
import { collect } from '../pages.ts';
import { type FlatRecord, outputFieldsOf, type RecordKind, readRecord } from '../record.ts';

/** Records shown for one search; the platform uses the first unless told otherwise. */
const SHOWN = 20;

/**
 * Finds records by a text: an exact match first, then those that contain it; nothing found is an empty list.
 * `texts` gives what a record is searched by; its name unless told.
 */
export function findSearch(
  kind: RecordKind,
  params: {
    description: string;
    field: PlainInputField;
    texts?: (record: FlatRecord) => readonly unknown[];
  },
): Search {
  const { description, field, texts = (record) => [record.name] } = params;
  return {
    key: `find_${kind.resource}`,
    noun: kind.noun,
    display: { label: `Find ${kind.noun}`, description },
    operation: {
      inputFields: [field],
      perform: withClient(async (client, { input }: Step<Record<string, unknown>>) => {
        const wanted = normalize(input[field.key]);
        const exact: FlatRecord[] = [];
        const partial: FlatRecord[] = [];
        const { items } = await collect((query) => kind.list(client, query));
        for (const item of items) {
          const record = readRecord(kind, item);
          const known = texts(record).map(normalize);
          if (known.includes(wanted)) exact.push(record);
          else if (known.some((text) => text.includes(wanted))) partial.push(record);
        }
        return [...exact, ...partial].slice(0, SHOWN);
      }),
      outputFields: outputFieldsOf(kind),
      sample: kind.sample,
    },
  };
}

function normalize(text: unknown): string {
  return typeof text === 'string' ? text.normalize('NFKC').trim().toLowerCase() : '';
}

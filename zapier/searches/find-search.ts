import type { PlainInputField, Search } from 'zapier-platform-core';
import { type Step, withClient } from '../platform/client.ts';
import { IncompleteListError, InputError } from '../platform/core.ts';
import { collect } from '../records/pages.ts';
import { type FlatRecord, outputFieldsOf, type RecordKind, readRecord } from '../records/record.ts';

/** Records shown for one search; the platform uses the first unless told otherwise. */
const SHOWN = 20;

/**
 * Finds records by a text: an exact match first, then those that contain it; nothing found is an empty list.
 * `texts` gives what a record is searched by; its name unless told. A record's own id always finds it, for ids that
 * come from an earlier step. `narrow` holds drop-downs that a record's output must equal where they are filled in.
 */
export function findSearch(
  kind: RecordKind,
  params: {
    description: string;
    field: PlainInputField;
    texts?: (record: FlatRecord) => readonly unknown[];
    narrow?: readonly { readonly field: PlainInputField; readonly output: string }[];
  },
): Search {
  const { description, field, texts = (record) => [record.name], narrow = [] } = params;
  return {
    key: `find_${kind.resource}`,
    noun: kind.noun,
    display: { label: `Find ${kind.noun}`, description },
    operation: {
      inputFields: [field, ...narrow.map((part) => part.field)],
      perform: withClient(async (client, { input }: Step<Record<string, unknown>>) => {
        const wanted = normalize(input[field.key]);
        // Every name contains nothing: the first record of the workspace would look like the one that was meant.
        if (wanted === '')
          throw new InputError(`Fill in ${field.label} in this step: nothing was given to look for.`);
        const isNarrowed = (record: FlatRecord) =>
          narrow.every((part) => !input[part.field.key] || record[part.output] === input[part.field.key]);
        const exact: FlatRecord[] = [];
        const partial: FlatRecord[] = [];
        const { items, complete } = await collect((query, options) => kind.list(client, query, options));
        for (const item of items) {
          const record = readRecord(kind, item);
          if (!isNarrowed(record)) continue;
          const known = texts(record).map(normalize);
          if (record.id === input[field.key] || known.includes(wanted)) exact.push(record);
          else if (known.some((text) => text.includes(wanted))) partial.push(record);
        }
        const found = [...exact, ...partial].slice(0, SHOWN);
        // "Not found" makes a Zap create the record once more.
        if (found.length === 0 && !complete)
          throw new IncompleteListError({
            operation: `${kind.resource}s.list`,
            reason: 'the service did not give all of it within one step',
            read: items.length,
          });
        return found;
      }),
      outputFields: outputFieldsOf(kind),
      sample: kind.sample,
    },
  };
}

function normalize(text: unknown): string {
  return typeof text === 'string' ? text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase() : '';
}

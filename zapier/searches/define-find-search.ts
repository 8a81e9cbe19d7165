import type { PlainInputField, Search } from 'zapier-platform-core';
import { InputError, idOf, type JsonObject } from '../platform/client-core.ts';
import { type StepContext, withClient } from '../platform/with-client.ts';
import { createRecordDeduplicator } from '../records/create-once.ts';
import { normalizeText } from '../records/normalize-text.ts';
import { failIncomplete } from '../records/read-list.ts';
import { type FlatRecord, outputFieldsFor, type RecordKind, toFlatRecord } from '../records/record-kind.ts';
import { searchRecords } from '../records/search-records.ts';
import {
  type MatchMode,
  type MultipleMatchAction,
  matchField,
  multipleMatchField,
  parseMatchMode,
  parseMultipleMatchAction,
  rankMatch,
} from './match-mode.ts';

/** Records shown for one search; the platform uses the first unless told otherwise. */
const MAX_RESULTS = 20;

interface FindSearchOptions {
  readonly description: string;
  readonly field: PlainInputField;
  /** What a record is searched by, the most telling first; its name unless told. */
  readonly searchTexts?: (record: FlatRecord) => readonly unknown[];
  /** Drop-downs that a record's output must equal where they are filled in. */
  readonly filters?: readonly { readonly field: PlainInputField; readonly output: string }[];
  /** Where several have the very text and the form does not say; `stop` behind a find-or-create. */
  readonly onMultipleMatches?: MultipleMatchAction;
}

/**
 * Finds records by a text: the very text, unless the form asks for more, the best and newest first; nothing found is an
 * empty list. A record's own id always finds it, for ids that come from an earlier step.
 */
export function defineFindSearch(kind: RecordKind, options: FindSearchOptions): Search {
  const { description, field, filters = [], onMultipleMatches = 'all' } = options;
  return {
    key: `find_${kind.resource}`,
    noun: kind.noun,
    display: { label: `Find ${kind.noun}`, description },
    operation: {
      inputFields: [
        field,
        matchField,
        multipleMatchField(kind.resource, onMultipleMatches),
        ...filters.map((filter) => filter.field),
      ],
      perform: withClient(async (client, { z, input }: StepContext<Record<string, unknown>>) => {
        const searchText = String(input[field.key] ?? '').trim();
        // Every name contains nothing: the first record of the workspace would look like the one that was meant.
        if (normalizeText(searchText) === '')
          throw new InputError(`Fill in ${field.label} in this step: nothing was given to look for.`);
        const match = parseMatchMode(input['match']);
        const returnsAll = parseMultipleMatchAction(input['several'], onMultipleMatches) === 'all';
        const select = (items: readonly JsonObject[]) =>
          selectMatches(items, { kind, options, input, searchText, match });
        const isHit = (item: JsonObject) => select([item]).length > 0;
        const result = await searchRecords(kind, { client, z }, { text: searchText, isMatch: isHit });
        // "Not found" makes a Zap create the record once more.
        if (result.kind === 'not-fully-searched') failIncomplete(`${kind.resource}s.list`, result);
        const found = result.kind === 'found' ? select(result.items) : [];
        const exact = found.filter(({ grade }) => grade === 0);
        if (!returnsAll && exact.length > 1)
          throw new z.errors.HaltedError(ambiguousMatchMessage(kind, exact.length));
        if (found.length === 0) await createRecordDeduplicator(z, { kind, text: searchText }).recordMiss();
        return found.slice(0, MAX_RESULTS).map(({ record }) => record);
      }),
      outputFields: outputFieldsFor(kind),
      sample: kind.sample,
    },
  };
}

interface SelectContext {
  readonly kind: RecordKind;
  readonly options: FindSearchOptions;
  readonly input: JsonObject;
  readonly searchText: string;
  readonly match: MatchMode;
}

interface RankedRecord {
  readonly record: FlatRecord;
  readonly grade: number;
  /** Which of the texts it is: an e-mail address tells more than a name. */
  readonly textIndex: number;
}

/** The records that fit, the best first, and of equals the newest. */
function selectMatches(items: readonly JsonObject[], context: SelectContext): RankedRecord[] {
  const { kind, options, input, searchText, match } = context;
  const { searchTexts = (record: FlatRecord) => [record.name], filters = [] } = options;
  // A record stands on two pages where a newer one came in between.
  const seen = new Set<string>();
  const found = items.flatMap((item): RankedRecord[] => {
    const record = toFlatRecord(kind, item);
    if (seen.has(record.id)) return [];
    seen.add(record.id);
    if (
      filters.some(
        (filter) => input[filter.field.key] && record[filter.output] !== String(input[filter.field.key]),
      )
    )
      return [];
    const isIdMatch = idOf(item, kind.resource) === searchText;
    const grades = searchTexts(record).map((text) => rankMatch(text, searchText, match));
    const grade = Math.min(
      ...grades.map((candidate) => candidate ?? Number.POSITIVE_INFINITY),
      isIdMatch ? 0 : Number.POSITIVE_INFINITY,
    );
    if (grade === Number.POSITIVE_INFINITY) return [];
    const text = grades.indexOf(grade);
    if (!isIdMatch) return [{ record, grade, textIndex: text }];
    // A plain number may be a name as well: what is called "2024" comes before what has it as its id.
    const isNumber = /^\d+$/.test(searchText);
    return [{ record, grade, textIndex: !isNumber ? -1 : text < 0 ? grades.length : text }];
  });
  const sorted = found.toSorted(
    (a, b) =>
      a.grade - b.grade ||
      a.textIndex - b.textIndex ||
      (b.record.created_at ?? '').localeCompare(a.record.created_at ?? ''),
  );
  // The one with this address is meant, not another who is called like it; the same for an id.
  const [best] = sorted;
  if (match !== 'exactly' || best === undefined) return sorted;
  return sorted.filter(({ textIndex }) => textIndex === best.textIndex);
}

function ambiguousMatchMessage({ resource }: RecordKind, count: number): string {
  return `${count} ${resource}s match this text exactly, so nothing tells which one is meant, and the Zap stops here. Rename all but one in Docshare, or choose in this step to be given all of them.`;
}

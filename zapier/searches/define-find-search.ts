import type { PlainInputField, Search } from 'zapier-platform-core';
import { createFormField } from '../fields/form-fields.ts';
import { InputError, idOf, type JsonObject } from '../platform/client-core.ts';
import { type StepContext, withClient } from '../platform/with-client.ts';
import { normalizeText, stripInvisible } from '../records/normalize-text.ts';
import { createRecordDeduplicator } from '../records/record-deduplicator.ts';
import { type FlatRecord, getOutputFields, type RecordKind, toFlatRecord } from '../records/record-kind.ts';
import { fetchById, searchRecords } from '../records/search-records.ts';
import { MAX_RESULTS } from './define-report.ts';
import {
  createMultipleMatchField,
  type MatchMode,
  MULTIPLE_MATCH_ACTIONS,
  type MultipleMatchAction,
  matchField,
  parseMatchMode,
  parseMultipleMatchAction,
  rankMatch,
} from './match-mode.ts';

interface FindSearchOptions {
  readonly description?: string;
  readonly field?: PlainInputField;
  /** Reads the text to search for as the create step would. */
  readonly readText?: (text: string) => string;
  /** Texts to search, most specific first (default: the name). */
  readonly searchTexts?: (record: FlatRecord, searchText: string) => readonly unknown[];
  /** Drop-down fields that must equal an output if they are filled in. */
  readonly filters?: readonly { readonly field: PlainInputField; readonly output: string }[];
  /** Default for several exact matches; `stop` for find-or-create. */
  readonly onMultipleMatches?: MultipleMatchAction;
}

/**
 * Search by text, best and newest match first; by default only exact matches. The ID of a record, from an earlier step,
 * always finds it.
 */
export function defineFindSearch(kind: RecordKind, options: FindSearchOptions = {}): Search {
  const {
    description = `Finds ${/^[aeiou]/.test(kind.resource) ? 'an' : 'a'} ${kind.resource} by its name.`,
    field = createFormField('name', `${kind.noun} Name`, { required: true, helpText: 'The name shown in Docshare.' }),
    filters = [],
    readText = (text: string) => text,
    onMultipleMatches = 'all',
  } = options;
  const inputFields = [
    field,
    matchField,
    createMultipleMatchField(
      `${kind.resource}s ${field.key === 'name' ? 'have this name' : 'match'}`,
      onMultipleMatches,
    ),
    ...filters.map((filter) => filter.field),
  ];
  return {
    key: `find_${kind.resource}`,
    noun: kind.noun,
    display: { label: `Find ${kind.noun}`, description },
    operation: {
      inputFields,
      perform: withClient(async (step: StepContext<JsonObject>) => {
        const { client, z, input } = step;
        const searchText = readText(stripInvisible(String(input[field.key] ?? '')).trim());
        // An empty text would match every name.
        if (normalizeText(searchText) === '')
          throw new InputError(`The field "${field.label}" is empty. Enter a text to search for.`);
        const match = parseMatchMode(input['match']);
        const returnsAll = parseMultipleMatchAction(input['several'], onMultipleMatches) === 'all';
        const select = (items: readonly JsonObject[]) =>
          selectMatches(items, { kind, options, input, searchText, match });
        const isMatch = (item: JsonObject) => select([item]).length > 0;
        const single = isIdLike(searchText) ? await fetchById(kind, client, searchText) : undefined;
        if (single && isMatch(single)) return select([single]).map(({ record }) => record);
        const isEnough = (items: readonly JsonObject[]) =>
          isIdLike(searchText) && items.some((item) => idOf(item, kind.resource) === searchText);
        const filterValues = filters.map(({ field: { key } }) => input[key]);
        const search = {
          text: searchText,
          isMatch,
          isEnough,
          isPartial: match !== 'exactly',
          isFiltered: filterValues.some(Boolean),
          wantsAll: returnsAll,
          variant: [match, ...filterValues],
        };
        const found = select(await searchRecords(kind, step, search));
        const exact = found.filter(({ grade }) => grade === 0);
        if (!returnsAll && exact.length > 1) throw new z.errors.HaltedError(describeAmbiguousMatch(kind, exact.length));
        if (found.length === 0) await createRecordDeduplicator(step, { kind, text: searchText }).recordMiss();
        return found.slice(0, MAX_RESULTS).map(({ record }) => record);
      }, inputFields),
      outputFields: getOutputFields(kind),
      sample: kind.sample,
    },
  };
}

/** True for a text like `doc_7f3k2m9q`. A plain number may also be a name. */
function isIdLike(text: string): boolean {
  return /^[\w-]{6,}$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text);
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
  /** Index of the matching text: an email address is more specific than a name. */
  readonly textIndex: number;
}

/** Matching records, best first, then newest first. */
function selectMatches(items: readonly JsonObject[], context: SelectContext): RankedRecord[] {
  const { kind, options, input, searchText, match } = context;
  const { searchTexts = (record: FlatRecord) => [record.name], filters = [] } = options;
  const found = items.flatMap((item): RankedRecord[] => {
    const record = toFlatRecord(kind, item);
    if (filters.some((filter) => input[filter.field.key] && record[filter.output] !== String(input[filter.field.key])))
      return [];
    const isIdMatch = idOf(item, kind.resource) === searchText;
    const grades = searchTexts(record, searchText).map((text) => rankMatch(text, searchText, match));
    const grade = Math.min(
      ...grades.map((candidate) => candidate ?? Number.POSITIVE_INFINITY),
      isIdMatch ? 0 : Number.POSITIVE_INFINITY,
    );
    if (grade === Number.POSITIVE_INFINITY) return [];
    const text = grades.indexOf(grade);
    if (!isIdMatch) return [{ record, grade, textIndex: text }];
    // A plain number may also be a name: a record named "2024" comes before one with that ID.
    const isNumber = /^\d+$/.test(searchText);
    return [{ record, grade, textIndex: !isNumber ? -1 : text < 0 ? grades.length : text }];
  });
  const sorted = found.toSorted(
    (a, b) =>
      a.grade - b.grade ||
      a.textIndex - b.textIndex ||
      (b.record.created_at ?? '').localeCompare(a.record.created_at ?? ''),
  );
  // An exact match of the email or ID excludes records that only have this name.
  const [best] = sorted;
  if (match !== 'exactly' || best === undefined) return sorted;
  return sorted.filter(({ textIndex }) => textIndex === best.textIndex);
}

function describeAmbiguousMatch({ resource }: RecordKind, count: number): string {
  return `${count} ${resource}s match this text exactly, so the Zap stops. Rename all but one in Docshare, or choose "${MULTIPLE_MATCH_ACTIONS.all}" in the field "If Several Match Exactly".`;
}

import type { PlainInputField, Search } from 'zapier-platform-core';
import { type Step, withClient } from '../platform/client.ts';
import { IncompleteListError, InputError, idOf, type JsonObject } from '../platform/core.ts';
import { fold } from '../records/fold.ts';
import { lookUp } from '../records/look-up.ts';
import { createMadeOnce } from '../records/made-once.ts';
import { type FlatRecord, outputFieldsFor, type RecordKind, readRecord } from '../records/record.ts';
import { type Match, matchField, rank, readMatch, readSeveral, type Several, severalField } from './match.ts';

/** Records shown for one search; the platform uses the first unless told otherwise. */
const SHOWN = 20;

interface FindSpec {
  readonly description: string;
  readonly field: PlainInputField;
  /** What a record is searched by, the most telling first; its name unless told. */
  readonly texts?: (record: FlatRecord) => readonly unknown[];
  /** Drop-downs that a record's output must equal where they are filled in. */
  readonly narrow?: readonly { readonly field: PlainInputField; readonly output: string }[];
  /** Where several have the very text and the form does not say; `stop` behind a find-or-create. */
  readonly several?: Several;
}

/**
 * Finds records by a text: the very text, unless the form asks for more, the best and newest first; nothing found is an
 * empty list. A record's own id always finds it, for ids that come from an earlier step.
 */
export function findSearch(kind: RecordKind, spec: FindSpec): Search {
  const { description, field, narrow = [], several = 'all' } = spec;
  return {
    key: `find_${kind.resource}`,
    noun: kind.noun,
    display: { label: `Find ${kind.noun}`, description },
    operation: {
      inputFields: [
        field,
        matchField,
        severalField(kind.resource, several),
        ...narrow.map((part) => part.field),
      ],
      perform: withClient(async (client, { z, input }: Step<Record<string, unknown>>) => {
        const wanted = String(input[field.key] ?? '').trim();
        // Every name contains nothing: the first record of the workspace would look like the one that was meant.
        if (fold(wanted) === '')
          throw new InputError(`Fill in ${field.label} in this step: nothing was given to look for.`);
        const match = readMatch(input['match']);
        const wantsAll = readSeveral(input['several'], several) === 'all';
        const select = (items: readonly JsonObject[]) =>
          selectFrom(items, { kind, spec, input, wanted, match });
        const { items, complete } = await lookUp(
          kind,
          { client, z },
          {
            text: wanted,
            isHit: (item) => select([item]).length > 0,
          },
        );
        const found = select(items);
        const exact = found.filter(({ grade }) => grade === 0);
        if (!wantsAll && exact.length > 1) throw new z.errors.HaltedError(ambiguous(kind, exact.length));
        // "Not found" makes a Zap create the record once more.
        if (found.length === 0 && !complete)
          throw new IncompleteListError({
            operation: `${kind.resource}s.list`,
            reason: 'the service did not give all of it within one step',
            itemsRead: items.length,
          });
        if (found.length === 0) await createMadeOnce(z, { kind, text: wanted }).missed();
        return found.slice(0, SHOWN).map(({ record }) => record);
      }),
      outputFields: outputFieldsFor(kind),
      sample: kind.sample,
    },
  };
}

interface Looking {
  readonly kind: RecordKind;
  readonly spec: FindSpec;
  readonly input: JsonObject;
  readonly wanted: string;
  readonly match: Match;
}

interface Found {
  readonly record: FlatRecord;
  readonly grade: number;
  /** Which of the texts it is: an e-mail address tells more than a name. */
  readonly text: number;
}

/** The records that fit, the best first, and of equals the newest. */
function selectFrom(items: readonly JsonObject[], looking: Looking): Found[] {
  const { kind, spec, input, wanted, match } = looking;
  const { texts = (record: FlatRecord) => [record.name], narrow = [] } = spec;
  // A record stands on two pages where a newer one came in between.
  const seen = new Set<string>();
  const found = items.flatMap((item): Found[] => {
    const record = readRecord(kind, item);
    if (seen.has(record.id)) return [];
    seen.add(record.id);
    if (narrow.some((part) => input[part.field.key] && record[part.output] !== String(input[part.field.key])))
      return [];
    const isOwn = idOf(item, kind.resource) === wanted;
    const grades = texts(record).map((text) => rank(text, wanted, match));
    const grade = Math.min(
      ...grades.map((one) => one ?? Number.POSITIVE_INFINITY),
      isOwn ? 0 : Number.POSITIVE_INFINITY,
    );
    if (grade === Number.POSITIVE_INFINITY) return [];
    const text = grades.indexOf(grade);
    if (!isOwn) return [{ record, grade, text }];
    // A plain number may be a name as well: what is called "2024" comes before what has it as its id.
    const isNumber = /^\d+$/.test(wanted);
    return [{ record, grade, text: !isNumber ? -1 : text < 0 ? grades.length : text }];
  });
  const sorted = found.toSorted(
    (a, b) =>
      a.grade - b.grade ||
      a.text - b.text ||
      (b.record.created_at ?? '').localeCompare(a.record.created_at ?? ''),
  );
  // The one with this address is meant, not another who is called like it; the same for an id.
  const [best] = sorted;
  if (match !== 'exactly' || best === undefined) return sorted;
  return sorted.filter(({ text }) => text === best.text);
}

function ambiguous({ resource }: RecordKind, count: number): string {
  return `${count} ${resource}s match this text exactly, so nothing tells which one is meant, and the Zap stops here. Rename all but one in Docshare, or choose in this step to be given all of them.`;
}

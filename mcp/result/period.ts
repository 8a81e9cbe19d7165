import { getCreatedAt, getTextField, type JsonObject, toIsoTime } from '../../src/records/fields.ts';
import { OCCURRED_AT_FIELDS } from '../assumptions.ts';
import { ToolError } from '../tool-error.ts';

/** Period in Unix milliseconds, both ends included. */
export type Period = ReturnType<typeof parsePeriod>;

const DATE_PATTERN = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;
const DAY_MS = 86_400_000;

/** Parses `since` and `until`: a date means the whole UTC day, a time without a zone is UTC. @throws ToolError */
export function parsePeriod(args: { since?: string | undefined; until?: string | undefined }) {
  const from = args.since === undefined ? undefined : parseTime('since', args.since).first;
  const to = args.until === undefined ? undefined : parseTime('until', args.until).last;
  if (from !== undefined && to !== undefined && from > to)
    throw new ToolError('invalid_arguments', 'since: must not be later than until.');
  return { from, to };
}

function parseTime(name: 'since' | 'until', text: string): { first: number; last: number } {
  const trimmed = text.trim();
  const [match, zone] = trimmed.match(DATE_PATTERN) ?? [];
  const isDay = trimmed.length === 10;
  const at = Date.parse(isDay || zone !== undefined ? trimmed : `${trimmed}Z`);
  const day = trimmed.slice(0, 10);
  // Date.parse reads 2026-02-31 as a day in March.
  const exists = new Date(Date.parse(`${day}T00:00Z`)).toJSON()?.startsWith(day);
  if (match === undefined || Number.isNaN(at) || !exists)
    throw new ToolError('invalid_arguments', `${name}: must be a date such as 2026-11-21 or 2026-11-21T09:30:00Z.`);
  return { first: at, last: isDay ? at + DAY_MS - 1 : at };
}

/** Returns whether an object was created (or else occurred) within a period; undefined if it has no date. */
export function isWithinPeriod(item: JsonObject, { from, to }: Period): boolean | undefined {
  const time = getCreatedAt(item) ?? toIsoTime(getTextField(item, OCCURRED_AT_FIELDS));
  if (time === undefined) return undefined;
  const at = Date.parse(time);
  return (from === undefined || at >= from) && (to === undefined || at <= to);
}

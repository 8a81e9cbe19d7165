import type { JsonObject } from '../../src/answer/fields.ts';
import { MATCH_PARAMS, SINCE_PARAMS, UNTIL_PARAMS } from '../assumptions.ts';
import { ToolError } from '../tool-error.ts';
import { isWithin, parsePeriod } from './period.ts';
import { folded, rankItem } from './sought.ts';

/** What a list is narrowed to, as it was asked for. */
export interface Wanted {
  readonly match?: string;
  readonly since?: string;
  readonly until?: string;
}

export interface Filter {
  readonly wanted: Wanted;
  /** What asks the service for the same, where it knows one of the names. */
  readonly params: Readonly<Record<string, string>>;
  /** Undefined for an object without a time, where only the time could decide. */
  fits(item: JsonObject): boolean | undefined;
}

const MAX_MATCH_LENGTH = 200;

/** The narrowing of a call, of which a cursor may hold the other part. */
export function parseCriteria(args: Readonly<Record<string, unknown>>): Wanted | undefined {
  const wanted: Record<string, string> = {};
  for (const name of ['match', 'since', 'until'])
    if (typeof args[name] === 'string') wanted[name] = args[name];
  return Object.keys(wanted).length > 0 ? wanted : undefined;
}

/**
 * @param name what the caller calls the text to match.
 * @throws ToolError for a text that nothing can hold, or what is no date.
 */
export function createFilter(wanted: Wanted, resource: string, name = 'match'): Filter {
  const { match, since, until } = wanted;
  if (match !== undefined && (folded(match) === '' || match.length > MAX_MATCH_LENGTH))
    throw new ToolError('invalid_arguments', `${name}: a text of 1 to ${MAX_MATCH_LENGTH} characters.`);
  const period = parsePeriod(wanted);
  const timed = since !== undefined || until !== undefined;
  const sent = (names: readonly string[], value: string) => names.map((name) => [name, value]);
  const iso = (at: number) => new Date(at).toISOString();
  return {
    wanted,
    params: Object.fromEntries([
      ...(match === undefined ? [] : sent(MATCH_PARAMS, match)),
      ...(period.from === undefined ? [] : sent(SINCE_PARAMS, iso(period.from))),
      ...(period.to === undefined ? [] : sent(UNTIL_PARAMS, iso(period.to))),
    ]),
    fits(item) {
      if (match !== undefined && rankItem(item, match, resource) === undefined) return false;
      return timed ? isWithin(item, period) : true;
    },
  };
}

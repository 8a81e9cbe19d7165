import type { JsonObject } from '../../src/records/fields.ts';
import { MATCH_PARAMS, SINCE_PARAMS, UNTIL_PARAMS } from '../assumptions.ts';
import { ToolError } from '../tool-error.ts';
import { isWithinPeriod, parsePeriod } from './period.ts';
import { findMatch, normalizeForSearch } from './search-rank.ts';

export type FilterCriteria = { readonly [Name in 'match' | 'since' | 'until']?: string | undefined };

export type ListFilter = ReturnType<typeof createListFilter>;

const MAX_MATCH_LENGTH = 200;

export function parseCriteria(args: Readonly<Record<string, unknown>>): FilterCriteria | undefined {
  const criteria: Record<string, string> = {};
  for (const name of ['match', 'since', 'until']) if (typeof args[name] === 'string') criteria[name] = args[name];
  return Object.keys(criteria).length > 0 ? criteria : undefined;
}

/**
 * @param name the argument that holds the text, for errors
 * @throws ToolError for an empty or too long text, or an invalid date
 */
export function createListFilter(criteria: FilterCriteria, resource: string, name = 'match') {
  const { match, since, until } = criteria;
  if (match !== undefined && (normalizeForSearch(match) === '' || match.length > MAX_MATCH_LENGTH))
    throw new ToolError('invalid_arguments', `${name}: must have 1 to ${MAX_MATCH_LENGTH} characters.`);
  const period = parsePeriod(criteria);
  const hasPeriod = since !== undefined || until !== undefined;
  const toParamEntries = (names: readonly string[], value: string) => names.map((name) => [name, value]);
  const toIso = (at: number) => new Date(at).toISOString();
  return {
    criteria,
    /** Query parameters that may filter at the service: it ignores names that it doesn't know. */
    params: Object.fromEntries([
      ...(match === undefined ? [] : toParamEntries(MATCH_PARAMS, match)),
      ...(period.from === undefined ? [] : toParamEntries(SINCE_PARAMS, toIso(period.from))),
      ...(period.to === undefined ? [] : toParamEntries(UNTIL_PARAMS, toIso(period.to))),
    ]),
    /** Returns undefined if a period is set and the object has no date. */
    matches(item: JsonObject): boolean | undefined {
      if (match !== undefined && findMatch(item, match, resource) === undefined) return false;
      return hasPeriod ? isWithinPeriod(item, period) : true;
    },
  };
}

/** Types of what one response says about pagination, and of the requests that follow from it. */
import type { NextQuery } from './next-url.ts';

/** How a page is requested. A profile uses the same words, except `address` for `link`. */
export type StepKind = 'link' | 'cursor' | 'page' | 'offset' | 'after-id';

/** One request that may return the next page. */
export interface Step {
  readonly by: StepKind;
  readonly query: NextQuery;
  /** The number of the first page, or of the first entry, that this step assumes. */
  readonly first?: number;
  /** The step comes from a profile. */
  readonly learned?: true;
  /** The query replaces the caller's own one: some services accept no filter beside a cursor. */
  readonly alone?: true;
  /** All guesses at once: the same page again shows that the service knows none of them. */
  readonly probe?: true;
}

/** A page number or an offset in a response, and the parameters that may request another one. */
export interface Position {
  readonly at: number;
  readonly params: readonly string[];
  /** The number of the first page or entry, if known. */
  readonly first?: number;
  /** The parameter that a profile names. */
  readonly learned?: string;
}

/** Signs in one response of how its list continues, in any style. */
export interface Signs {
  /** Steps that the response names itself by a link or a cursor, most likely first. */
  readonly next: readonly Step[];
  /** Why a named link or cursor can't be used. */
  readonly unusable?: string | undefined;
  /** A field for the next page is present and empty. */
  readonly ended: boolean;
  /** True if more entries follow; undefined if the response does not say. */
  readonly more: boolean | undefined;
  /** Name of the field that says so, in the service's own spelling. */
  readonly moreField?: string | undefined;
  readonly page?: Position | undefined;
  readonly offset?: Position | undefined;
  /** Number of pages. */
  readonly pages: number | undefined;
  /** Entries per page. */
  readonly size: number | undefined;
  /** Number of all entries. */
  readonly total: number | undefined;
  /** Number of all entries, or of those of the page. */
  readonly count: number | undefined;
  /** The response calls itself a part of the list (status 206). */
  readonly partial: boolean;
  /** Parameters that are known to accept the id of the last entry. */
  readonly afterId?: readonly string[];
}

/** All parameters together, then one by one for a service that rejects unknown ones. */
export function toGroups<Param>(params: readonly Param[]): (readonly Param[])[] {
  const single = params.map((param) => [param]);
  return params.length > 1 ? [params, ...single] : single;
}

export function isSameQuery(one: NextQuery, other: NextQuery): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Removes steps that send the same request as an earlier one. */
export function removeDuplicateSteps(steps: readonly Step[]): Step[] {
  return steps.filter(
    (step, at) => steps.findIndex((other) => other.alone === step.alone && isSameQuery(other.query, step.query)) === at,
  );
}

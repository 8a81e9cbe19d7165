import { getFailureStatus } from '../api-errors/failed-2xx.ts';
import { parseErrorBody } from '../api-errors/parse-error-body.ts';
import {
  FAILURE_TEXT,
  PAGE_NOT_FOUND_STATUSES,
  PAGE_NOT_FOUND_TEXT,
  UNRELATED_STATUSES,
} from '../assumptions/index.ts';
import { ApiError, UnexpectedResponseError } from '../errors.ts';
import type { PageCursor } from './next-page.ts';

/** A later page of a list that says in a 2xx that it failed: there may be no such page. */
export class FailedPageError extends UnexpectedResponseError {}

/** What came in place of a page that was asked for. */
export type Refusal = ApiError | UnexpectedResponseError;

/**
 * What a failure in place of a page means: that there is `none`, so that another query is worth a try or the list has
 * just ended; that there may be one all the same (`doubt`); or that the walk can't go on (`fault`).
 */
export function meaningOf(error: Refusal, onward: PageCursor): 'none' | 'doubt' | 'fault' {
  const { said, unproven, queries, before = [], by } = onward;
  if (said && before.length + queries.length === 1) return 'fault';
  // What is no list, in answer to a request that nothing asked for, must not cost the list that came.
  if (!(error instanceof ApiError || error instanceof FailedPageError)) return said ? 'fault' : 'doubt';
  const status = error instanceof ApiError ? error.status : getFailureStatus(error.body);
  if (status === undefined)
    return said || (error instanceof FailedPageError && isAboutThePage(error)) ? 'none' : 'doubt';
  if (PAGE_NOT_FOUND_STATUSES.includes(status)) return 'none';
  // Nor must a refusal of it, or of a guess, cost the next one.
  const isGuess = unproven || (said && by === 'guess');
  if (isGuess && (status === 501 || (status < 500 && !UNRELATED_STATUSES.includes(status)))) return 'none';
  return !said && mayHide(status) ? 'doubt' : 'fault';
}

/** Whether a refusal behind the last page, as of a page that nothing announced, may as well hide one. */
function mayHide(status: number): boolean {
  return status === 403 || (status >= 500 && status !== 501);
}

/**
 * In words, why a list ends before a page that the service announced and then says it does not have, as where an entry has
 * gone meanwhile. What it said besides is for the error's cause: anybody may have written it.
 */
export function gapOf({ status }: ApiError): string {
  return `the service says that more follows, and answered ${status} when it was asked for it`;
}

/** A 2xx that says that it failed is the end of a list to some: without a word, or with any but those of trouble. */
function isAboutThePage({ body }: UnexpectedResponseError): boolean {
  const { details, summary, code = '' } = parseErrorBody(JSON.stringify(body), []);
  const said = `${summary} ${code}`.replace(/[_-]/g, ' ');
  return details.length === 0 || PAGE_NOT_FOUND_TEXT.test(said) || !FAILURE_TEXT.test(said);
}

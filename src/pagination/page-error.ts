/** Interprets an error that came instead of a page. */
import { getFailureStatus } from '../api-errors/failed-2xx.ts';
import { parseErrorBody } from '../api-errors/parse-error-body.ts';
import {
  MISSING_PAGE_STATUSES,
  NON_PAGE_ERROR_STATUSES,
  OTHER_FAILURE_PATTERN,
  PAGE_REJECTED_PATTERN,
  PAGE_REJECTED_STATUSES,
} from '../assumptions/index.ts';
import { ApiError, UnexpectedResponseError } from '../errors.ts';
import type { PageCursor } from './page-cursor.ts';

/** A page after the first whose 2xx response says that it failed: the page may not exist. */
export class FailedPageError extends UnexpectedResponseError {}

export type PageError = ApiError | UnexpectedResponseError;

export function isPageError(error: unknown): error is PageError {
  return error instanceof ApiError || error instanceof UnexpectedResponseError;
}

/** Status codes by which a service rejects a parameter. */
const REJECTED_PARAMETER: readonly number[] = [400, 422];

/** Returns true if an error says that the service does not accept a parameter. */
export function isRejectedParameter(error: PageError): boolean {
  return error instanceof ApiError && REJECTED_PARAMETER.includes(error.status);
}

/** Returns true if an error says that there is no such page. */
export function isGonePage(error: PageError): boolean {
  return error instanceof ApiError && MISSING_PAGE_STATUSES.includes(error.status);
}

/**
 * Returns what an error means. `none`: the page does not exist, so the list has ended or another step is worth a try.
 * `doubt`: the page may exist anyway. `fatal`: reading can't continue.
 */
export function classifyPageError(error: PageError, cursor: PageCursor): 'none' | 'doubt' | 'fatal' {
  const { explicit, trial, steps } = cursor;
  if (explicit && steps.length === 1) return 'fatal';
  // A response without a list to a request that no response announced must not discard the entries received so far.
  if (!(error instanceof ApiError || error instanceof FailedPageError)) return explicit ? 'fatal' : 'doubt';
  const status = error instanceof ApiError ? error.status : getFailureStatus(error.body);
  if (status === undefined)
    return explicit || (error instanceof FailedPageError && isAboutPage(error)) ? 'none' : 'doubt';
  if (PAGE_REJECTED_STATUSES.includes(status)) return 'none';
  if (trial && (status === 501 || (status < 500 && !NON_PAGE_ERROR_STATUSES.includes(status)))) return 'none';
  return !explicit && mayHidePage(status) ? 'doubt' : 'fatal';
}

/** Returns true if an error behind a page that announced nothing may hide another page. */
function mayHidePage(status: number): boolean {
  return status === 403 || (status >= 500 && status !== 501);
}

/**
 * Explains why a list ends before a page that the service announced. It does not quote the service, because anyone may
 * have written that text; the error's cause contains it.
 */
export function describeMissingPage({ status }: ApiError): string {
  return `the service says that more entries follow but responded with status ${status} to the request for them`;
}

/** Explains why it is unknown whether a full page is the last one. */
export function describeUnverified(error: PageError): string {
  return `the page is full, and the request for the next one failed: ${describeError(error)}`;
}

function describeError(error: PageError): string {
  if (error instanceof ApiError) return `the service responded with status ${error.status}`;
  return error instanceof FailedPageError
    ? 'the service said that it failed'
    : 'the response of the service holds no list';
}

/** Some services end a list with a 2xx that says that it failed: without a text, or with any but one about trouble. */
function isAboutPage({ body }: UnexpectedResponseError): boolean {
  const { details, summary, code = '' } = parseErrorBody(JSON.stringify(body), []);
  const text = `${summary} ${code}`.replace(/[_-]/g, ' ');
  return details.length === 0 || PAGE_REJECTED_PATTERN.test(text) || !OTHER_FAILURE_PATTERN.test(text);
}

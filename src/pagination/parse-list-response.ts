import { isFailedResponse } from '../api-errors/failed-2xx.ts';
import type { TextResponse } from '../api-errors/text-response.ts';
import type { NamedOperation } from '../operations/index.ts';
import { getListName } from '../operations/operation.ts';
import { createInvalidResponseError, FAILED_MESSAGE, parseJsonBody } from '../response/parse-body.ts';
import { type PageContext, type ParsedPage, parsePage } from './page.ts';
import { FailedPageError } from './page-error.ts';

/**
 * Reads a page of a list from a response.
 * @throws UnexpectedResponseError if the body is not JSON, is cut or too large, holds no list, or only a failure.
 */
export function parseListResponse(
  answer: TextResponse,
  {
    named,
    secrets,
    ...context
  }: { named: NamedOperation; secrets: readonly string[] } & Omit<PageContext, 'resource' | 'headers' | 'status'>,
): ParsedPage {
  const raw = parseJsonBody(answer, named, secrets);
  const resource = getListName(named.operation);
  const { headers, status } = answer;
  const read = parsePage(raw, { ...context, resource, headers, status });
  if (isFailedResponse(raw, read?.count)) {
    const isLater = context.from !== undefined;
    const failure = isLater ? { ErrorClass: FailedPageError, body: raw } : {};
    throw createInvalidResponseError(answer, { named, secrets, problem: FAILED_MESSAGE, ...failure });
  }
  if (read === undefined) throw createInvalidResponseError(answer, { named, secrets, problem: 'holds no list' });
  return read;
}

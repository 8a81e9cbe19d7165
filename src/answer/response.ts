import { REQUEST_ID_HEADERS } from '../assumptions/index.ts';
import { UnexpectedResponseError } from '../errors.ts';
import { parseExactly } from '../exact-json.ts';
import type { NamedOperation } from '../operations/index.ts';
import { saysFailure } from './failed-read.ts';
import { type ListContext, type ReadPage, readPage } from './list.ts';
import { isWebPage } from './markup.ts';
import { excerpt } from './redact.ts';
import { RefusedPageError } from './refused-page.ts';

/** A whole answer: its head and its text, decoded and bounded. */
export interface TextAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** False where the body was larger than the core reads, or did not come whole. */
  readonly complete: boolean;
  /** Why it did not: `was cut off`. */
  readonly lost?: string;
  /** Set where that was not the service's fault: the code of what cut it. */
  readonly code?: string;
}

/** The service's own id of the request, where an answer gives one. */
export function getRequestId(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): string | undefined {
  const id = REQUEST_ID_HEADERS.map((name) => headers[name]).find(
    (value) => value !== undefined && value !== '',
  );
  return id === undefined ? undefined : excerpt(id, { limit: 100, secrets });
}

/** @throws UnexpectedResponseError for a body that is not JSON, cut, too large, holds no list, or only a failure. */
export function readList(
  answer: TextAnswer,
  params: { named: NamedOperation; secrets: readonly string[] } & Pick<
    ListContext,
    'asked' | 'from' | 'known' | 'facts'
  >,
): ReadPage {
  const { named, secrets, ...walk } = params;
  const raw = parseJson(answer, named, secrets);
  // The last word of the route names what is listed: `pages`, `visitors`, `invoices`.
  const resource = named.operation.route.split('/').at(-1) ?? named.group;
  const read = readPage(raw, { ...walk, resource, headers: answer.headers, status: answer.status });
  if (saysFailure(raw, read?.count))
    throw unexpected(answer, {
      named,
      secrets,
      what: FAILED,
      ...(walk.from ? { as: RefusedPageError, body: raw } : {}),
    });
  if (read === undefined) throw unexpected(answer, { named, secrets, what: 'holds no list' });
  return read;
}

/** @throws UnexpectedResponseError for a body that is not JSON, cut or too large; undefined for an empty one. */
export function parseJson(answer: TextAnswer, named: NamedOperation, secrets: readonly string[]): unknown {
  const fail = (what: string) => unexpected(answer, { named, secrets, what });
  if (!answer.complete) throw fail(answer.lost ?? TOO_LARGE);
  const text = getTrimmedText(answer);
  if (text === '') return undefined;
  try {
    return parseExactly(text);
  } catch {
    if (isWebPage(text, answer.headers['content-type']))
      throw fail('is a web page, not JSON: the base URL may be wrong');
    throw fail('is not JSON or was cut off');
  }
}

export const FAILED = 'says that the call failed, and holds nothing else';
export const TOO_LARGE = 'is larger than the client reads';

/** The text without what some services put before and behind it. */
export function getTrimmedText({ text }: TextAnswer): string {
  return text.replace(/^\uFEFF/, '').trim();
}

export interface Asked {
  readonly named: NamedOperation;
  readonly secrets: readonly string[];
  /** The class of the error. */
  readonly as?: typeof UnexpectedResponseError;
}

/** An answer of a read that is not what was asked for. */
export function unexpected(
  answer: TextAnswer,
  asked: Asked & { what: string; body?: unknown },
): UnexpectedResponseError {
  const { named, what } = asked;
  const message = `${named.name}: the answer (status ${answer.status}) ${what}.`;
  return unexpectedWith(message, answer, asked);
}

export function unexpectedWith(
  message: string,
  answer: TextAnswer,
  { named, secrets, body, as = UnexpectedResponseError }: Asked & { body?: unknown },
): UnexpectedResponseError {
  const requestId = getRequestId(answer.headers, secrets);
  return new as(message, {
    operation: named.name,
    status: answer.status,
    excerpt: excerpt(answer.text, { secrets }),
    body,
    code: answer.code,
    ...(requestId === undefined ? {} : { requestId }),
  });
}

import type { z } from 'zod';
import { ENVELOPE_KEYS, ENVELOPE_SIBLINGS, REQUEST_ID_HEADERS } from '../assumptions/index.ts';
import { UnexpectedResponseError } from '../errors.ts';
import type { NamedOperation } from '../operations/index.ts';
import { idOf, isObject, type JsonObject } from './fields.ts';
import { type Page, readPage } from './list.ts';
import { excerpt } from './redact.ts';

/** A whole answer: its head and its text, decoded and bounded. */
export interface TextAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** False where the body was larger than the core reads. */
  readonly complete: boolean;
}

/** The service's own id of the request, where an answer gives one. */
export function requestIdOf(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): string | undefined {
  const id = REQUEST_ID_HEADERS.map((name) => headers[name]).find(
    (value) => value !== undefined && value !== '',
  );
  return id === undefined ? undefined : excerpt(id, { limit: 100, secrets });
}

/**
 * The object that a 2xx answer holds, out of its envelope. An empty body reads as `{}`, so that a write without an
 * answer is still an answer; where the document promises a field, it is an error.
 * @throws UnexpectedResponseError for a body that is not JSON, cut, too large, or without a promised field.
 */
export function readItem(answer: TextAnswer, named: NamedOperation, secrets: readonly string[]): unknown {
  const raw = parseJson(answer, named, secrets) ?? {};
  const { output } = named.operation;
  let failure: z.ZodError | undefined;
  for (const reading of readingsOf(raw, named.group)) {
    const parsed = parseLoosely(output, reading);
    if (parsed.success) return parsed.data;
    failure ??= parsed.error;
  }
  const lacks = failure?.issues.map((issue) => issue.path.join('.') || 'an object').join(', ') ?? '';
  throw unexpected(answer, { named, secrets, what: `lacks what the API document promises (${lacks})` });
}

/** What the answer may be, likeliest first: the object itself, the one in its envelope, one with its fields a level down. */
function* readingsOf(raw: unknown, group: string): Generator<unknown> {
  if (!isObject(raw) && !Array.isArray(raw)) return yield { value: raw };
  const wrapped = isBareEnvelope(raw);
  // Unwrapped late: most answers are the object itself.
  if (!wrapped) yield* withAttributes(raw);
  const inner = unwrap(raw, group);
  if (inner !== undefined) yield* withAttributes(inner);
  if (wrapped) yield* withAttributes(raw);
}

function* withAttributes(reading: unknown): Generator<unknown> {
  yield reading;
  if (isObject(reading) && isObject(reading['attributes'])) yield { ...reading['attributes'], ...reading };
}

/** Numbers where the document says string, above all ids, are read as text. */
function parseLoosely(output: z.ZodType, reading: unknown): z.ZodSafeParseResult<unknown> {
  const parsed = output.safeParse(reading);
  if (parsed.success || !isObject(reading)) return parsed;
  const copy = structuredClone(reading);
  for (const { code, path, ...issue } of parsed.error.issues) {
    const holder = path
      .slice(0, -1)
      .reduce<unknown>((at, key) => (isObject(at) ? at[String(key)] : undefined), copy);
    const key = String(path.at(-1));
    if (!isObject(holder) || code !== 'invalid_type' || !('expected' in issue)) continue;
    const value = holder[key];
    if (issue.expected === 'string' && typeof value === 'number') holder[key] = String(value);
    // `"document_id": null` says no more than a field that is left out.
    if (value === null) delete holder[key];
  }
  return output.safeParse(copy);
}

/** @throws UnexpectedResponseError for a body that is not JSON, cut, too large, or holds no list. */
export function readList(
  answer: TextAnswer,
  named: NamedOperation,
  secrets: readonly string[],
): Page<JsonObject> {
  const raw = parseJson(answer, named, secrets);
  // The last word of the route names what is listed: `pages`, `visitors`, `invoices`.
  const resource = named.operation.route.split('/').at(-1) ?? named.group;
  const page = readPage(raw, { resource, headers: answer.headers });
  if (page === undefined) throw unexpected(answer, { named, secrets, what: 'holds no list' });
  return page;
}

function parseJson(answer: TextAnswer, named: NamedOperation, secrets: readonly string[]): unknown {
  const fail = (what: string) => unexpected(answer, { named, secrets, what });
  if (!answer.complete) throw fail('is larger than the client reads');
  const text = answer.text.replace(/^\uFEFF/, '').trim();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    if (/^<(!doctype|html|\?xml)/i.test(text))
      throw fail('is a web page, not JSON: the base URL may be wrong');
    throw fail('is not JSON or was cut off');
  }
}

function unexpected(
  answer: TextAnswer,
  context: { named: NamedOperation; secrets: readonly string[]; what: string },
): UnexpectedResponseError {
  const { named, secrets, what } = context;
  const requestId = requestIdOf(answer.headers, secrets);
  const done =
    named.operation.effect === 'read' ? '' : ' The call itself succeeded: look before you repeat it.';
  return new UnexpectedResponseError(`${named.name}: the answer (status ${answer.status}) ${what}.${done}`, {
    operation: named.name,
    status: answer.status,
    excerpt: excerpt(answer.text, { secrets }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

/** The one object inside an envelope such as `{data: {…}}` or `{link: {…}}`; undefined where nothing looks like one. */
function unwrap(raw: unknown, group: string): unknown {
  if (Array.isArray(raw)) return raw.length === 1 ? raw[0] : undefined;
  if (!isObject(raw)) return undefined;
  const singular = group.replace(/s$/, '');
  for (const key of [singular, ...ENVELOPE_KEYS, 'item', 'record', group]) {
    const value = Object.hasOwn(raw, key) ? raw[key] : undefined;
    if (isObject(value)) return unwrapDeeper(value, singular);
  }
  const objects = Object.entries(raw).filter(
    ([key, value]) => isObject(value) && !ENVELOPE_SIBLINGS.includes(key),
  );
  return objects.length === 1 ? objects[0]?.[1] : undefined;
}

function unwrapDeeper(value: JsonObject, singular: string): JsonObject {
  const inner = value[singular];
  return Object.keys(value).length === 1 && isObject(inner) ? inner : value;
}

/** Whether nothing but the wrapped object and words about the answer stands at the top. */
function isBareEnvelope(raw: unknown): boolean {
  if (!isObject(raw) || idOf(raw) !== undefined) return false;
  const rest = Object.entries(raw).filter(([key]) => !ENVELOPE_SIBLINGS.includes(key));
  return rest.length === 1 && isObject(rest[0]?.[1]);
}

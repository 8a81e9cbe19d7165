import { z } from 'zod';
import { isFailedResponse } from '../api-errors/failed-2xx.ts';
import { isWebPage } from '../api-errors/html-text.ts';
import { UnknownOutcomeError } from '../errors.ts';
import { parseJsonExact } from '../exact-json.ts';
import { getValueAt, resemblesSchema } from '../profile/check-schema.ts';
import type { Schema } from '../profile/json-schema.ts';
import { isObject, type JsonObject } from '../records/fields.ts';
import { markAsNoted } from './note.ts';
import {
  createResponseError,
  createUnexpectedResponseError,
  FAILED_MESSAGE,
  getTrimmedText,
  parseJsonBody,
  type ResponseContext,
  type TextResponse,
  TOO_LARGE_MESSAGE,
} from './parse-body.ts';
import { getCandidates, withAttributes } from './unwrap-envelope.ts';

export interface ParsedObject {
  readonly data: unknown;
  /** Set where the answer of a write held no object: what came instead. */
  readonly note?: string;
}

/** Where the object of an answer was learned to stand, and its form. */
export interface ItemProfile {
  readonly path: readonly string[];
  readonly schema: Schema;
  /** Tells that nothing of that form stands there. */
  contradict(actual: string): void;
}

/**
 * The object that a 2xx answer holds, out of its envelope. §7 "Success is a 2xx status": a write whose answer holds no
 * object gives what is `knownFields` of the object, and a note of what came; only where the document promises a field is it an
 * error, which says first that the act was done.
 * @throws UnexpectedResponseError for a read whose body is not JSON, cut, too large or only a failure, and where a promised field lacks.
 * @throws UnknownOutcomeError for a web page in answer to a write.
 */
export function parseObject(
  textResponse: TextResponse,
  context: ResponseContext & { knownFields: JsonObject; itemProfile?: ItemProfile | undefined },
): ParsedObject & { raw?: unknown } {
  const { named } = context;
  const isReadOperation = named.operation.effect === 'read';
  const parsed = isReadOperation
    ? parseReadBody(textResponse, context)
    : parseWriteBody(textResponse, context);
  const { raw } = parsed;
  return { ...extractObject(textResponse, context, parsed), raw };
}

function extractObject(
  textResponse: TextResponse,
  context: ResponseContext & { knownFields: JsonObject; itemProfile?: ItemProfile | undefined },
  parsed: ParsedBody,
): ParsedObject {
  const { named, itemProfile } = context;
  const isReadOperation = named.operation.effect === 'read';
  const { raw } = parsed;
  let missingFields: readonly string[] | undefined;
  if (isObject(raw) || Array.isArray(raw))
    for (const candidate of getAllCandidates(raw, { group: named.group, itemProfile })) {
      const found = parseAs(named.operation.output, candidate);
      if ('data' in found) return found;
      missingFields ??= found.missing;
    }
  else if (isReadOperation && raw !== undefined) return { data: { value: raw } };
  if (!isReadOperation) return toObjectlessResult(textResponse, { ...context, parsed, missingFields });
  const problem = `lacks what the API document promises (${missingFields?.join(', ') || 'an object'})`;
  throw createUnexpectedResponseError(textResponse, { ...context, problem });
}

/** What was learned first: only where it shows that it is of that form, never against the answer. */
function* getAllCandidates(
  raw: unknown,
  { group, itemProfile }: { group: string; itemProfile: ItemProfile | undefined },
) {
  if (itemProfile && isObject(raw) && Object.keys(raw).length > 0) {
    const value = getValueAt(raw, itemProfile.path);
    if (isObject(value) && resemblesSchema(itemProfile.schema, value)) yield* withAttributes(value);
    else itemProfile.contradict(isObject(value) ? 'an object without any of its fields' : 'no object there');
  }
  yield* getCandidates(raw, group);
}

interface ParsedBody {
  /** The JSON that came. */
  readonly raw?: unknown;
  /** How the service answered. */
  readonly description: string;
}

function parseReadBody(textResponse: TextResponse, context: ResponseContext): ParsedBody {
  // Nothing at all is an object without fields.
  const raw = parseJsonBody(textResponse, context.named, context.secrets) ?? {};
  if (isFailedResponse(raw))
    throw createUnexpectedResponseError(textResponse, { ...context, problem: FAILED_MESSAGE });
  return { raw, description: '' };
}

function parseWriteBody(textResponse: TextResponse, context: ResponseContext): ParsedBody {
  const text = getTrimmedText(textResponse);
  if (isWebPage(text, textResponse.headers['content-type']))
    throw createWrongServiceError(textResponse, context);
  if (!textResponse.complete)
    return { description: `with an answer that ${textResponse.truncationReason ?? TOO_LARGE_MESSAGE}` };
  if (text === '') return { description: 'without a body' };
  try {
    const raw = parseJsonExact(text);
    return { raw, description: `with ${describeJson(raw)}` };
  } catch {
    return {
      description: /^[{[]/.test(text) ? 'with JSON that stops in the middle' : 'with a text that is not JSON',
    };
  }
}

function describeJson(raw: unknown): string {
  if (raw === null) return 'null';
  if (Array.isArray(raw)) return 'a list';
  return isObject(raw) ? 'an object' : `a ${typeof raw} in JSON`;
}

/** A gateway, a login page, another site: whoever answered, it need not have been the service. */
function createWrongServiceError(textResponse: TextResponse, context: ResponseContext): UnknownOutcomeError {
  const { name, group } = context.named;
  return new UnknownOutcomeError(
    `${name}: a web page came in answer, so the base URL may be wrong, and it is unknown whether the call took effect; it was not repeated. Check that the base URL ends in /api/v1, then list the ${group} and look before you try again.`,
    name,
    {
      cause: createUnexpectedResponseError(textResponse, { ...context, problem: 'is a web page, not JSON' }),
    },
  );
}

function toObjectlessResult(
  textResponse: TextResponse,
  objectContext: ResponseContext & {
    knownFields: JsonObject;
    parsed: ParsedBody;
    missingFields: readonly string[] | undefined;
  },
): ParsedObject {
  const { named, knownFields, parsed } = objectContext;
  const { output } = named.operation;
  const missing = objectContext.missingFields ?? getPromisedFields(output);
  // Of an answer that was not read nobody knows what it lacks.
  const missingText =
    textResponse.code === undefined
      ? `, which lacks what the API document promises (${missing.join(', ')})`
      : '';
  if (missing.length > 0)
    throw createResponseError(
      `${named.name}: the call was carried out: the service answered ${textResponse.status} ${parsed.description}${missingText}. Do not repeat it: list the ${named.group} to find what it made.`,
      textResponse,
      { ...objectContext, body: parsed.raw },
    );
  // A 204 says that nothing comes.
  if (textResponse.status === 204 && parsed.raw === undefined) return { data: { ...knownFields } };
  const note = `Done: the service answered ${textResponse.status} ${parsed.description}.`;
  const value = parsed.raw === undefined || parsed.raw === null ? {} : { value: parsed.raw };
  return { data: markAsNoted({ ...knownFields, ...value, note }), note };
}

/** The fields that every answer of an operation has, by the document. */
function getPromisedFields(output: z.ZodType): string[] {
  if (!(output instanceof z.ZodObject)) return [];
  return Object.entries(output.shape).flatMap(([name, field]) =>
    (field as z.ZodType).safeParse(undefined).success ? [] : [name],
  );
}

/** What is promised must be there and of its type; what may be left out passes in whatever form it came. */
function parseAs(output: z.ZodType, candidate: unknown): { data: unknown } | { missing: string[] } {
  const parsed = output.safeParse(candidate);
  if (parsed.success) return { data: parsed.data };
  if (!isObject(candidate)) return { missing: getPromisedFields(output) };
  const repaired = repair(candidate, parsed.error.issues);
  const reparsed = output.safeParse(repaired);
  if (reparsed.success) return { data: reparsed.data };
  const promisedFields = getPromisedFields(output);
  const missing = reparsed.error.issues.filter(({ path }) => promisedFields.includes(String(path[0])));
  return missing.length === 0 ? { data: repaired } : { missing: missing.map(({ path }) => path.join('.')) };
}

/** Numbers where the document says string, above all ids, are read as text; `"true"` as true; null as left out. */
function repair(candidate: JsonObject, issues: readonly z.core.$ZodIssue[]): JsonObject {
  const repairedCopy = { ...candidate };
  for (const issue of issues) {
    if (issue.code !== 'invalid_type' || issue.path.length > 2) continue;
    const [top = '', inner] = issue.path.map(String);
    const container = inner === undefined ? repairedCopy : { ...(repairedCopy[top] as JsonObject) };
    if (inner !== undefined) repairedCopy[top] = container;
    const name = inner ?? top;
    const value = container[name];
    if (value === null) delete container[name];
    else if (issue.expected === 'string' && typeof value === 'number') container[name] = String(value);
    else if (issue.expected === 'boolean' && (value === 'true' || value === 1)) container[name] = true;
    else if (issue.expected === 'boolean' && (value === 'false' || value === 0)) container[name] = false;
  }
  return repairedCopy;
}

import { z } from 'zod';
import { isFailedResponse } from '../api-errors/failed-2xx.ts';
import { isWebPage } from '../api-errors/html-text.ts';
import type { TextResponse } from '../api-errors/text-response.ts';
import { UnknownOutcomeError } from '../errors.ts';
import { parseJsonExact } from '../exact-json.ts';
import { getValueAt, resemblesSchema } from '../profile/check-schema.ts';
import type { Schema } from '../profile/json-schema.ts';
import { isObject, type JsonObject } from '../records/fields.ts';
import { markAsLibraryResult } from './note.ts';
import {
  createInvalidResponseError,
  createResponseError,
  describeEncoding,
  FAILED_MESSAGE,
  getTrimmedText,
  parseJsonBody,
  type ResponseContext,
} from './parse-body.ts';
import { expandAttributes, getObjectCandidates } from './unwrap-envelope.ts';

interface ParsedObject {
  readonly data: unknown;
  /** Describes the response to a write that contained no object. */
  readonly note?: string;
}

/** Learned path and schema of the object in a response. */
interface ItemProfile {
  readonly path: readonly string[];
  readonly schema: Schema;
  /** Reports that no such object is there. */
  contradict(actual: string): void;
}

interface ObjectContext extends ResponseContext {
  /** Returned if the response to a write has no object. */
  readonly knownFields: JsonObject;
  readonly itemProfile?: ItemProfile | undefined;
}

/**
 * Extracts the object from a 2xx response. §7 "Success is a 2xx status": a write without an object in its
 * response returns its `knownFields` and a note; only a missing documented field is an error, which says
 * first that the call succeeded.
 * @throws UnexpectedResponseError for a read whose body is not JSON, truncated, too large or only a failure,
 * and for a missing documented field.
 * @throws UnknownOutcomeError for a web page in response to a write.
 */
export function parseObject(textResponse: TextResponse, context: ObjectContext): ParsedObject & { raw?: unknown } {
  const isRead = context.named.operation.effect === 'read';
  const parsed = isRead ? parseReadBody(textResponse, context) : parseWriteBody(textResponse, context);
  return { ...extractObject(textResponse, context, parsed), raw: parsed.raw };
}

function extractObject(textResponse: TextResponse, context: ObjectContext, parsed: ParsedBody): ParsedObject {
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
  const problem = `lacks fields that the API document guarantees (${missingFields?.join(', ') || 'an object'})`;
  throw createInvalidResponseError(textResponse, { ...context, problem });
}

/** The learned object comes first, but only if it matches its schema. */
function* getAllCandidates(
  raw: unknown,
  { group, itemProfile }: { group: string; itemProfile: ItemProfile | undefined },
) {
  if (itemProfile && isObject(raw) && Object.keys(raw).length > 0) {
    const value = getValueAt(raw, itemProfile.path);
    if (isObject(value) && resemblesSchema(itemProfile.schema, value)) yield* expandAttributes(value);
    else itemProfile.contradict(isObject(value) ? 'an object without any of its fields' : 'no object');
  }
  yield* getObjectCandidates(raw, group);
}

interface ParsedBody {
  readonly raw?: unknown;
  /** Describes the content of the response. */
  readonly description: string;
}

function parseReadBody(textResponse: TextResponse, context: ResponseContext): ParsedBody {
  // An empty body is an object without fields.
  const raw = parseJsonBody(textResponse, context.named, context.secrets) ?? {};
  if (isFailedResponse(raw)) throw createInvalidResponseError(textResponse, { ...context, problem: FAILED_MESSAGE });
  return { raw, description: '' };
}

function parseWriteBody(textResponse: TextResponse, context: ResponseContext): ParsedBody {
  const text = getTrimmedText(textResponse);
  if (isWebPage(text, textResponse.headers['content-type'])) throw createWrongServiceError(textResponse, context);
  if (!textResponse.complete) return { description: `a body that ${textResponse.truncationReason ?? 'was cut off'}` };
  if (text === '') return { description: 'no body' };
  try {
    const raw = parseJsonExact(text);
    return { raw, description: describeJson(raw) };
  } catch {
    const encoding = describeEncoding(textResponse);
    if (encoding !== undefined) return { description: `a body that ${encoding}` };
    return { description: /^[{[]/.test(text) ? 'truncated JSON' : 'a text that is not JSON' };
  }
}

function describeJson(raw: unknown): string {
  if (raw === null) return 'null';
  if (Array.isArray(raw)) return 'an array';
  return isObject(raw) ? 'an object' : `a ${typeof raw} in JSON`;
}

/** A gateway, login page or other site may have responded instead of the service. */
function createWrongServiceError(textResponse: TextResponse, context: ResponseContext): UnknownOutcomeError {
  const { name, group } = context.named;
  return new UnknownOutcomeError(
    `${name}: the response is a web page, so the base URL may be wrong and it is unknown whether the call took effect. It was not retried. Check that the base URL ends in /api/v1, then list the ${group} to check before you try again.`,
    name,
    { cause: createInvalidResponseError(textResponse, { ...context, problem: 'is a web page, not JSON' }) },
  );
}

function toObjectlessResult(
  textResponse: TextResponse,
  objectContext: ObjectContext & { parsed: ParsedBody; missingFields: readonly string[] | undefined },
): ParsedObject {
  const { named, knownFields, parsed } = objectContext;
  const { output } = named.operation;
  const missing = objectContext.missingFields ?? getPromisedFields(output);
  // An unread response can't be judged.
  const missingText =
    textResponse.code === undefined
      ? `, which lacks fields that the API document guarantees (${missing.join(', ')})`
      : '';
  if (missing.length > 0)
    throw createResponseError(
      `${named.name}: the call succeeded. The service responded with status ${textResponse.status} and ${parsed.description}${missingText}. Don't repeat it; list the ${named.group} to find its result.`,
      textResponse,
      { ...objectContext, body: parsed.raw },
    );
  // A 204 has no body.
  if (textResponse.status === 204 && parsed.raw === undefined) return { data: { ...knownFields } };
  const note = toSuccessNote(textResponse.status, parsed.description);
  const value = parsed.raw === undefined || parsed.raw === null ? {} : { value: parsed.raw };
  return { data: markAsLibraryResult({ ...knownFields, ...value, note }), note };
}

/** Returns the note of a successful response that has no usable body. */
export function toSuccessNote(status: number, description: string): string {
  return `The call succeeded. The service responded with status ${status} and ${description}.`;
}

/** Required fields of an operation's response, by the document. */
function getPromisedFields(output: z.ZodType): string[] {
  if (!(output instanceof z.ZodObject)) return [];
  return Object.entries(output.shape).flatMap(([name, field]) =>
    (field as z.ZodType).safeParse(undefined).success ? [] : [name],
  );
}

/** Required fields must exist with their type; optional fields pass in any form. */
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

/** Converts numbers to text where the document says string (mainly IDs), `"true"` to true; drops null. */
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

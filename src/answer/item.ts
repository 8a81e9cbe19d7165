import { z } from 'zod';
import { UnknownOutcomeError } from '../errors.ts';
import { parseExactly } from '../exact-json.ts';
import { showsForm, valueAt } from '../profile/check-form.ts';
import type { Schema } from '../profile/schema.ts';
import { getCandidates, withAttributes } from './envelope.ts';
import { saysFailure } from './failed-read.ts';
import { isObject, type JsonObject } from './fields.ts';
import { isWebPage } from './markup.ts';
import { markNoted } from './note.ts';
import {
  type Asked,
  FAILED,
  getTrimmedText,
  parseJson,
  type TextAnswer,
  TOO_LARGE,
  unexpected,
  unexpectedWith,
} from './response.ts';

export interface ReadItem {
  readonly data: unknown;
  /** Set where the answer of a write held no object: what came instead. */
  readonly note?: string;
}

/** Where the object of an answer was learned to stand, and its form. */
export interface LearnedItem {
  readonly at: readonly string[];
  readonly form: Schema;
  /** Tells that nothing of that form stands there. */
  doubt(came: string): void;
}

/**
 * The object that a 2xx answer holds, out of its envelope. §7 "Success is a 2xx status": a write whose answer holds no
 * object gives what is `known` of the object, and a note of what came; only where the document promises a field is it an
 * error, which says first that the act was done.
 * @throws UnexpectedResponseError for a read whose body is not JSON, cut, too large or only a failure, and where a promised field lacks.
 * @throws UnknownOutcomeError for a web page in answer to a write.
 */
export function readItem(
  answer: TextAnswer,
  asked: Asked & { known: JsonObject; learned?: LearnedItem | undefined },
): ReadItem & { raw?: unknown } {
  const { named } = asked;
  const isRead = named.operation.effect === 'read';
  const said = isRead ? readSaid(answer, asked) : actSaid(answer, asked);
  const { raw } = said;
  return { ...readSaidItem(answer, asked, said), raw };
}

function readSaidItem(
  answer: TextAnswer,
  asked: Asked & { known: JsonObject; learned?: LearnedItem | undefined },
  said: Said,
): ReadItem {
  const { named, learned } = asked;
  const isRead = named.operation.effect === 'read';
  const { raw } = said;
  let lacking: readonly string[] | undefined;
  if (isObject(raw) || Array.isArray(raw))
    for (const reading of readings(raw, { group: named.group, learned })) {
      const found = readAs(named.operation.output, reading);
      if ('data' in found) return found;
      lacking ??= found.lacks;
    }
  else if (isRead && raw !== undefined) return { data: { value: raw } };
  if (!isRead) return withoutObject(answer, { ...asked, said, lacking });
  const what = `lacks what the API document promises (${lacking?.join(', ') || 'an object'})`;
  throw unexpected(answer, { ...asked, what });
}

/** What was learned first: only where it shows that it is of that form, never against the answer. */
function* readings(raw: unknown, { group, learned }: { group: string; learned: LearnedItem | undefined }) {
  if (learned && isObject(raw) && Object.keys(raw).length > 0) {
    const there = valueAt(raw, learned.at);
    if (isObject(there) && showsForm(learned.form, there)) yield* withAttributes(there);
    else learned.doubt(isObject(there) ? 'an object without any of its fields' : 'no object there');
  }
  yield* getCandidates(raw, group);
}

interface Said {
  /** The JSON that came. */
  readonly raw?: unknown;
  /** How the service answered. */
  readonly how: string;
}

function readSaid(answer: TextAnswer, asked: Asked): Said {
  // Nothing at all is an object without fields.
  const raw = parseJson(answer, asked.named, asked.secrets) ?? {};
  if (saysFailure(raw)) throw unexpected(answer, { ...asked, what: FAILED });
  return { raw, how: '' };
}

function actSaid(answer: TextAnswer, asked: Asked): Said {
  const text = getTrimmedText(answer);
  if (isWebPage(text, answer.headers['content-type'])) throw notTheService(answer, asked);
  if (!answer.complete) return { how: `with an answer that ${answer.lost ?? TOO_LARGE}` };
  if (text === '') return { how: 'without a body' };
  try {
    const raw = parseExactly(text);
    return { raw, how: `with ${nameOfJson(raw)}` };
  } catch {
    return {
      how: /^[{[]/.test(text) ? 'with JSON that stops in the middle' : 'with a text that is not JSON',
    };
  }
}

function nameOfJson(raw: unknown): string {
  if (raw === null) return 'null';
  if (Array.isArray(raw)) return 'a list';
  return isObject(raw) ? 'an object' : `a ${typeof raw} in JSON`;
}

/** A gateway, a login page, another site: whoever answered, it need not have been the service. */
function notTheService(answer: TextAnswer, asked: Asked): UnknownOutcomeError {
  const { name, group } = asked.named;
  return new UnknownOutcomeError(
    `${name}: a web page came in answer, so the base URL may be wrong, and it is unknown whether the call took effect; it was not repeated. Check that the base URL ends in /api/v1, then list the ${group} and look before you try again.`,
    name,
    { cause: unexpected(answer, { ...asked, what: 'is a web page, not JSON' }) },
  );
}

function withoutObject(
  answer: TextAnswer,
  context: Asked & { known: JsonObject; said: Said; lacking: readonly string[] | undefined },
): ReadItem {
  const { named, known, said } = context;
  const { output } = named.operation;
  const lacks = context.lacking ?? promisedBy(output);
  // Of an answer that was not read nobody knows what it lacks.
  const lacking =
    answer.code === undefined ? `, which lacks what the API document promises (${lacks.join(', ')})` : '';
  if (lacks.length > 0)
    throw unexpectedWith(
      `${named.name}: the call was carried out: the service answered ${answer.status} ${said.how}${lacking}. Do not repeat it: list the ${named.group} to find what it made.`,
      answer,
      { ...context, body: said.raw },
    );
  // A 204 says that nothing comes.
  if (answer.status === 204 && said.raw === undefined) return { data: { ...known } };
  const note = `Done: the service answered ${answer.status} ${said.how}.`;
  const value = said.raw === undefined || said.raw === null ? {} : { value: said.raw };
  return { data: markNoted({ ...known, ...value, note }), note };
}

/** The fields that every answer of an operation has, by the document. */
function promisedBy(output: z.ZodType): string[] {
  if (!(output instanceof z.ZodObject)) return [];
  return Object.entries(output.shape).flatMap(([name, field]) =>
    (field as z.ZodType).safeParse(undefined).success ? [] : [name],
  );
}

/** What is promised must be there and of its type; what may be left out passes in whatever form it came. */
function readAs(output: z.ZodType, reading: unknown): { data: unknown } | { lacks: string[] } {
  const parsed = output.safeParse(reading);
  if (parsed.success) return { data: parsed.data };
  if (!isObject(reading)) return { lacks: promisedBy(output) };
  const mended = mend(reading, parsed.error.issues);
  const again = output.safeParse(mended);
  if (again.success) return { data: again.data };
  const promised = promisedBy(output);
  const lacks = again.error.issues.filter(({ path }) => promised.includes(String(path[0])));
  return lacks.length === 0 ? { data: mended } : { lacks: lacks.map(({ path }) => path.join('.')) };
}

/** Numbers where the document says string, above all ids, are read as text; `"true"` as true; null as left out. */
function mend(reading: JsonObject, issues: readonly z.core.$ZodIssue[]): JsonObject {
  const copy = { ...reading };
  for (const issue of issues) {
    if (issue.code !== 'invalid_type' || issue.path.length > 2) continue;
    const [top = '', inner] = issue.path.map(String);
    const holder = inner === undefined ? copy : { ...(copy[top] as JsonObject) };
    if (inner !== undefined) copy[top] = holder;
    const name = inner ?? top;
    const value = holder[name];
    if (value === null) delete holder[name];
    else if (issue.expected === 'string' && typeof value === 'number') holder[name] = String(value);
    else if (issue.expected === 'boolean' && (value === 'true' || value === 1)) holder[name] = true;
    else if (issue.expected === 'boolean' && (value === 'false' || value === 0)) holder[name] = false;
  }
  return copy;
}

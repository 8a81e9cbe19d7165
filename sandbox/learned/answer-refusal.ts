import { STATUS_CODES } from 'node:http';
import * as assumed from '../../src/assumptions/index.ts';
import { generateSample, valueTypes } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import {
  REJECTION_KINDS,
  type RejectionKind,
  type ResponseShape,
  type ServiceProfile,
} from '../../src/profile/service-profile.ts';
import type { HttpResponse } from '../http/reply.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import {
  type FieldError,
  getRejectionStatus,
  REJECTION_CODES,
  type Rejection,
  type RejectionReason,
} from '../refusal.ts';
import { plainName } from './form-paths.ts';
import { learnedReply } from './learned-reply.ts';

/** Which refusal's form is nearest to one that was not seen. */
const NEAREST: Readonly<Record<RejectionReason, readonly RejectionKind[]>> = {
  noKey: ['noKey', 'wrongKey', 'missingScope'],
  wrongKey: ['wrongKey', 'noKey', 'missingScope'],
  missingScope: ['missingScope', 'wrongKey', 'unknownId'],
  unknownId: ['unknownId', 'noRoute', 'badBody'],
  badBody: ['badBody', 'conflict', 'unknownId'],
  conflict: ['conflict', 'unknownId', 'badBody'],
  limited: ['limited', 'unknownId', 'wrongKey'],
  noRoute: ['noRoute', 'unknownId', 'wrongKey'],
  wrongMethod: ['wrongMethod', 'noRoute', 'unknownId'],
  tooLarge: ['badBody', 'unknownId'],
  tooSlow: ['badBody', 'unknownId'],
  wrongType: ['badBody', 'unknownId'],
  noRoom: ['badBody', 'unknownId'],
};

/** A refusal as it was learned, and whether it was seen itself. */
export interface FoundRefusal {
  readonly answer: ResponseShape;
  readonly isOwn: boolean;
}

/** The learned form of a refusal, or of the nearest one that was seen. */
export function findRefusal(
  { refusals: rejections }: ServiceProfile,
  reason: RejectionReason,
): FoundRefusal | undefined {
  const kinds = [...NEAREST[reason], ...REJECTION_KINDS];
  const kind = kinds.find((one) => rejections[one] !== undefined);
  const answer = kind && rejections[kind];
  return answer && { answer, isOwn: kind === reason };
}

/** A refusal in a learned form; one that was never seen keeps the status of the nearest switches. */
export function answerLearnedRefusal(
  rejection: Rejection,
  found: FoundRefusal,
  profile: SandboxProfile,
): HttpResponse {
  const status = found.isOwn ? found.answer.status : getRejectionStatus(rejection.reason, profile);
  const { message, details } = rejection;
  const said: Said = {
    status,
    code: REJECTION_CODES[rejection.reason],
    message,
    details,
    seed: `refusal ${rejection.reason}`,
    carrier: findCarrier(found.answer.body ?? {}),
  };
  return learnedReply(
    { ...found.answer, status },
    () => write(found.answer.body ?? {}, said, { name: '', level: 0 }),
    message,
  );
}

interface Said {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly FieldError[];
  readonly seed: string;
  /** The text that says it where none has a usual name. */
  readonly carrier: Schema | undefined;
}

const plain = (names: readonly string[]) => new Set(names.map(plainName));
const MESSAGES = plain([...assumed.ERROR_MESSAGE_FIELDS, ...assumed.DETAIL_MESSAGE_FIELDS]);
const CODE_NAMES = plain([...assumed.ERROR_CODE_FIELDS, ...assumed.DETAIL_CODE_FIELDS]);
const FIELDS = plain(assumed.DETAIL_FIELD_FIELDS);
const LISTS = plain(assumed.DETAIL_LISTS);
const SUCCESS = plain(['ok', 'success', 'successful']);
const FAILURE = plain(['error', 'failed', 'is_error']);

interface Place {
  readonly name: string;
  readonly level: number;
  /** What one entry of a list of mistakes is about. */
  readonly detail?: FieldError;
}

const MOST_LEVELS = 40;

/** A part of an error's body. Objects hand what is to be said to their fields; lists say each mistake. */
function write(form: Schema, said: Said, at: Place): unknown {
  const types = valueTypes(form);
  const [type] = types;
  if (at.level > MOST_LEVELS) return null;
  if (types.includes('object')) return writeObject(form, said, at);
  if (types.includes('array')) return writeList(form, said, at);
  if (type === 'boolean') return SUCCESS.has(plainName(at.name)) ? false : FAILURE.has(plainName(at.name));
  if (type === 'integer' || type === 'number')
    return /status|code/i.test(at.name) ? said.status : fill(form, said, at);
  if (type === 'string') return writeText(form, said, at);
  return null;
}

function fill(form: Schema, { seed }: Said, { name }: Place): unknown {
  return generateSample(form, { seed: `${seed}.${name}`, name });
}

function writeText(form: Schema, said: Said, at: Place): unknown {
  const word = plainName(at.name);
  const { detail } = at;
  if (form.format !== undefined && form.format !== 'uri') return fill(form, said, at);
  if (word === 'title' && said.status in STATUS_CODES) return STATUS_CODES[said.status];
  if (detail && (FIELDS.has(word) || FIELD_LIKE.test(word)) && detail.field !== '')
    return word === 'pointer' ? `/${detail.field.replaceAll('.', '/')}` : detail.field;
  if (form.format !== 'uri' && CODE_NAMES.has(word))
    return word.startsWith('status') ? String(said.status) : said.code;
  if (MESSAGES.has(word) || word === '') return detail?.message ?? said.message;
  if (CODE_LIKE.test(word)) return said.code;
  // Nothing but what is wrong stands in an entry of its own.
  if (detail || form === said.carrier) return detail?.message ?? said.message;
  return fill(form, said, at);
}

/** Words for programs, and for the place of a mistake, whatever else stands in their names. */
const CODE_LIKE = /slug|code|kind|type|(?:^|error)key$/;
const FIELD_LIKE = /^(?:where|at|on|for|in|input|argument|arg|key)$/;

/** The first text of a body without a usual name for one, as long as nothing else says what is wrong. */
function findCarrier(body: Schema): Schema | undefined {
  const texts = textsIn(body, '', 0);
  if (texts.some(({ name }) => name === '' || MESSAGES.has(plainName(name)))) return undefined;
  const free = texts.filter(({ name }) => !CODE_NAMES.has(plainName(name)) && !FIELDS.has(plainName(name)));
  // A word for programs comes last.
  return (free.find(({ name }) => !CODE_LIKE.test(plainName(name))) ?? free[0])?.form;
}

function textsIn(form: Schema, name: string, level: number): readonly { name: string; form: Schema }[] {
  if (level > MOST_LEVELS) return [];
  const isText = valueTypes(form)[0] === 'string' && form.format === undefined;
  const parts: [string, Schema][] = [
    ...Object.entries(form.properties ?? {}),
    ...(form.items ? [[name, form.items] as [string, Schema]] : []),
  ];
  return [
    ...(isText ? [{ name, form }] : []),
    ...parts.flatMap(([part, field]) => textsIn(field, part, level + 1)),
  ];
}

function writeObject(form: Schema, said: Said, at: Place): unknown {
  const fields = Object.entries(form.properties ?? {});
  if (fields.length === 0 && form.additionalProperties)
    return writeByField(form.additionalProperties, said, at);
  const [each] = fields;
  if (each && isByField(form, at)) return writeByField(each[1], said, at);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, write(field, said, { ...at, name, level: at.level + 1 })]),
  );
}

/** Whether the names in it are those of fields that were wrong: lists of texts, one for each. */
function isByField({ properties = {} }: Schema, { name }: Place): boolean {
  const isTexts = (field: Schema) => valueTypes(field.items ?? {})[0] === 'string';
  return LISTS.has(plainName(name)) && Object.values(properties).every(isTexts);
}

/** Mistakes by the name of their field. */
function writeByField(form: Schema, said: Said, at: Place): unknown {
  return Object.fromEntries(
    said.details.map((detail) => [
      detail.field,
      write(form, { ...said, details: [detail] }, { ...at, name: 'message', level: at.level + 1, detail }),
    ]),
  );
}

function writeList(form: Schema, said: Said, at: Place): unknown {
  const { items } = form;
  if (!items) return [];
  const { detail } = at;
  // A path of one mistake: `loc: ['body', 'email']`.
  if (detail && FIELDS.has(plainName(at.name)) && valueTypes(items).includes('string'))
    return detail.field.split('.');
  const each: readonly (FieldError | undefined)[] = detail
    ? [detail]
    : said.details.length > 0
      ? said.details
      : LISTS.has(plainName(at.name)) && said.details.length === 0 && at.level > 1
        ? []
        : [undefined];
  return each.map((one) =>
    write(items, said, {
      name: valueTypes(items).includes('string') ? 'message' : at.name,
      level: at.level + 1,
      ...(one ? { detail: one } : {}),
    }),
  );
}

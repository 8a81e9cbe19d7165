import { STATUS_CODES } from 'node:http';
import * as assumed from '../../../src/assumptions/index.ts';
import { generateSample, getValueTypes } from '../../../src/profile/generate-sample.ts';
import type { Schema } from '../../../src/profile/json-schema.ts';
import {
  REJECTION_KINDS,
  type RejectionKind,
  type ResponseShape,
  type ServiceProfile,
} from '../../../src/profile/service-profile.ts';
import type { FieldError, Rejection, RejectionReason } from '../../base/rejection.ts';
import { normalizeName, toNameSet } from '../../service-profile/normalize-name.ts';
import type { Service } from '../../state/service.ts';
import type { HttpResponse } from '../http-response.ts';
import { getRejectionCode, getRejectionStatus } from '../rejection-status.ts';
import { createLearnedResponse } from './learned-response.ts';

/** Similar kinds for reasons that were not seen, most likely first. */
const SIMILAR: Partial<Record<RejectionReason, readonly RejectionKind[]>> = {
  noKey: ['wrongKey'],
  wrongKey: ['noKey'],
  missingScope: ['wrongKey'],
  unknownId: ['noRoute'],
  badBody: ['badQuery'],
  conflict: ['badBody', 'badQuery'],
  wrongMethod: ['noRoute'],
};

/** Returns the learned response to a reason or a similar one. */
export function findLearnedError(
  { rejections }: ServiceProfile,
  reason: RejectionReason,
): { response: ResponseShape; isOwn: boolean } | undefined {
  const kinds = [reason, ...(SIMILAR[reason] ?? []), 'badBody', 'unknownId', ...REJECTION_KINDS] as RejectionKind[];
  const kind = kinds.find((one) => rejections[one] !== undefined);
  const response = kind && rejections[kind];
  return response && { response, isOwn: kind === reason };
}

/**
 * Renders a rejection in the learned form; undefined if none was learned. Unseen reasons get the status of
 * the closest switches.
 */
export function renderLearnedError(
  { serviceProfile, profile }: Pick<Service, 'serviceProfile' | 'profile'>,
  rejection: Rejection,
): HttpResponse | undefined {
  const found = serviceProfile && findLearnedError(serviceProfile, rejection.reason);
  if (!found) return undefined;
  const { response, isOwn } = found;
  const status = isOwn ? response.status : getRejectionStatus(rejection.reason, profile);
  const { reason, message, details } = rejection;
  const error: ErrorText = { status, code: getRejectionCode(reason), message, details };
  return createLearnedResponse(
    { ...response, status },
    () => generateValue(response.body ?? {}, error, { name: '', level: 0 }),
    message,
  );
}

interface ErrorText {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly FieldError[];
}

interface Position {
  readonly name: string;
  readonly level: number;
  /** The detail that an entry of a list describes. */
  readonly detail?: FieldError;
}

const CODE_FIELDS = toNameSet([...assumed.ERROR_CODE_FIELDS, ...assumed.DETAIL_CODE_FIELDS]);
const DETAIL_FIELDS = toNameSet([...assumed.DETAIL_SUBJECT_FIELDS, 'where', 'at', 'on', 'input', 'argument']);
const DETAIL_LISTS = toNameSet(assumed.DETAIL_LISTS);

/** Generates a value by the name of its field. */
function generateValue(form: Schema, error: ErrorText, at: Position): unknown {
  const [type] = getValueTypes(form);
  const name = normalizeName(at.name);
  if (type === undefined) return null;
  if (type === 'object') return generateObject(form, error, { ...at, level: at.level + 1 });
  if (type === 'array') return generateList(form, error, { ...at, level: at.level + 1 });
  if (type === 'boolean') return /error|fail/.test(name);
  if (type === 'string' && (form.format ?? 'uri') === 'uri') return generateText(error, { ...at, name });
  return /status|code/.test(name) ? error.status : generateSample(form, { seed: name, name });
}

/** Generates a code or field name if the name suggests it; otherwise the message. */
function generateText({ status, code, message }: ErrorText, { name, detail }: Position): string {
  if (detail && DETAIL_FIELDS.has(name))
    return name === 'pointer' ? `/${detail.field.replaceAll('.', '/')}` : detail.field;
  if (name === 'title') return STATUS_CODES[status] ?? message;
  if (name.startsWith('status')) return String(status);
  if (CODE_FIELDS.has(name) || /slug|code|kind|type|key$/.test(name)) return code;
  return detail?.message ?? message;
}

function generateObject({ properties = {}, additionalProperties }: Schema, error: ErrorText, at: Position): unknown {
  const fields = Object.entries(properties);
  const isTexts = ({ items }: Schema) => items !== undefined && getValueTypes(items)[0] === 'string';
  const isByField = DETAIL_LISTS.has(normalizeName(at.name)) && fields.every(([, field]) => isTexts(field));
  const each = additionalProperties ?? (isByField ? fields[0]?.[1] : undefined);
  if (!each || (fields.length > 0 && !isByField))
    return Object.fromEntries(fields.map(([name, field]) => [name, generateValue(field, error, { ...at, name })]));
  // The names are those of the invalid fields.
  return Object.fromEntries(
    error.details.map((detail) => [
      detail.field,
      generateValue(each, { ...error, details: [detail] }, { ...at, name: 'message', detail }),
    ]),
  );
}

function generateList({ items }: Schema, error: ErrorText, at: Position): unknown {
  if (!items) return [];
  const isTexts = getValueTypes(items).includes('string');
  // The path of one detail: `loc: ['body', 'email']`.
  if (at.detail && isTexts && DETAIL_FIELDS.has(normalizeName(at.name))) return at.detail.field.split('.');
  const details = at.detail ? [at.detail] : error.details;
  const each = details.length > 0 || at.level > 2 ? details : [undefined];
  const name = isTexts ? 'message' : at.name;
  return each.map((detail) => generateValue(items, error, { ...at, name, ...(detail ? { detail } : {}) }));
}

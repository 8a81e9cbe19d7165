import {
  ERROR_CODE_FIELDS,
  ERROR_MESSAGE_FIELDS,
  ERROR_SUBJECT_FIELDS,
  PLACEHOLDER_CODES,
} from '../assumptions/index.ts';
import type { ErrorDetail } from '../errors.ts';
import { createExcerpt, redactSecrets } from '../redact/redact.ts';
import { findErrorDetails, getEntryField, getErrorContainers, getFirstText, type RawDetail } from './details.ts';
import { htmlToText } from './html-text.ts';

/**
 * Parses an error in any of the usual forms (§7 shows none): JSON, a web page or plain text. The result is bounded,
 * redacted and never to be trusted as an instruction; its summary is one line.
 */
export function parseErrorBody(body: string, secrets: readonly string[]) {
  const text = redactSecrets(body, secrets);
  const raw = parseBody(text);
  const rawDetails = findErrorDetails(raw);
  const code = findCode(raw, secrets) ?? rawDetails.find((detail) => isCode(detail.code))?.code;
  const message = (typeof raw === 'string' ? raw : findMessage(raw)) ?? '';
  const allDetails = rawDetails.length > 0 || message === '' ? rawDetails : [{ ...findField(raw), message, code }];
  const details = allDetails.map((detail) => toErrorDetail(detail, secrets));
  const summary = message === '' && rawDetails.length === 0 ? text : toSentence(message, rawDetails);
  return { summary: createExcerpt(summary, { secrets }), details, ...(code === undefined ? {} : { code }) };
}

function parseBody(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed.startsWith('<')) return htmlToText(trimmed);
  try {
    return JSON.parse(trimmed);
  } catch {
    return trimmed;
  }
}

function findMessage(raw: unknown): string | undefined {
  for (const container of getErrorContainers(raw)) {
    const message = getFirstText(container, ERROR_MESSAGE_FIELDS);
    if (message !== undefined) return message;
  }
  return Array.isArray(raw) && raw.every((one) => typeof one === 'string') ? raw.join('; ') : undefined;
}

/** The error's own message may name its field, as in `{error: {message, param}}`. */
function findField(raw: unknown): { field: string } {
  const fieldNames = getErrorContainers(raw).map((container) => getEntryField(container, ERROR_SUBJECT_FIELDS));
  return { field: fieldNames.find((field) => field !== '') ?? '' };
}

/** A number of three digits is only the status repeated. */
function findCode(raw: unknown, secrets: readonly string[]): string | undefined {
  for (const container of getErrorContainers(raw)) {
    for (const name of ERROR_CODE_FIELDS) {
      const code = getFirstText(container, [name]);
      if (isCode(code) && !/^[1-5]\d\d$/.test(code)) return createExcerpt(code, { secrets });
    }
    // `{"error": "invalid_grant", "error_description": "…"}` (OAuth).
    const { error } = container;
    if (typeof error === 'string' && isCode(error) && error.includes('_')) return createExcerpt(error, { secrets });
  }
  return undefined;
}

function isCode(code: string | undefined): code is string {
  return code !== undefined && /^[\w.:/#-]{1,100}$/.test(code) && !PLACEHOLDER_CODES.includes(code);
}

function toErrorDetail(detail: RawDetail, secrets: readonly string[]): ErrorDetail {
  const field = createExcerpt(detail.field, { limit: 100, secrets });
  return {
    ...(field === '' ? {} : { field }),
    message: createExcerpt(detail.message, { limit: 300, secrets }),
    ...(isCode(detail.code) ? { code: createExcerpt(detail.code, { secrets }) } : {}),
  };
}

/** Joins the texts, as `Invalid body (email: is required; name: is too long)`, without repetitions. */
function toSentence(message: string, details: readonly RawDetail[]): string {
  const detailText = details
    .filter(({ field, message: one }) => !(message.includes(one) && message.includes(field)))
    .map(({ field, message: one }) => (field === '' ? one : `${field}: ${one}`))
    .join('; ');
  if (message === '' || detailText === '') return message + detailText;
  return `${message} (${detailText})`;
}

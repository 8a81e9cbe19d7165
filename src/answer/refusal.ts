import {
  ERROR_CODE_FIELDS,
  ERROR_FIELD_FIELDS,
  ERROR_MESSAGE_FIELDS,
  NO_CODES,
} from '../assumptions/index.ts';
import type { ErrorDetail } from '../errors.ts';
import {
  fieldOfEntry,
  findDetails,
  getErrorContainers,
  getFirstText,
  type RawDetail,
} from './error-details.ts';
import { wordsOfMarkup } from './markup.ts';
import { excerpt, withoutSecrets } from './redact.ts';

/** What the body of an error says: all of it bounded, redacted and never to be trusted as an instruction. */
export interface Refusal {
  /** The service's words in one line: its message, then what it says of single fields. */
  readonly words: string;
  readonly details: readonly ErrorDetail[];
  readonly code?: string;
}

/** Reads an error in any of the usual forms (§7 shows none): JSON, a web page or plain text. */
export function readRefusal(body: string, secrets: readonly string[]): Refusal {
  const text = withoutSecrets(body, secrets);
  const raw = parse(text);
  const found = findDetails(raw);
  const code = codeIn(raw, secrets) ?? found.find((detail) => isCode(detail.code))?.code;
  const message = (typeof raw === 'string' ? raw : messageIn(raw)) ?? '';
  const all = found.length > 0 || message === '' ? found : [{ ...whole(raw), message, code }];
  const details = all.map((detail) => bounded(detail, secrets));
  const words = message === '' && found.length === 0 ? text : toSentence(message, found);
  return { words: excerpt(words, { secrets }), details, ...(code === undefined ? {} : { code }) };
}

function parse(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed.startsWith('<')) return wordsOfMarkup(trimmed);
  try {
    return JSON.parse(trimmed);
  } catch {
    return trimmed;
  }
}

/** The message that the whole error has. */
function messageIn(raw: unknown): string | undefined {
  for (const holder of getErrorContainers(raw)) {
    const message = getFirstText(holder, ERROR_MESSAGE_FIELDS);
    if (message !== undefined) return message;
  }
  return Array.isArray(raw) && raw.every((one) => typeof one === 'string') ? raw.join('; ') : undefined;
}

/** A message of its own may name its field, as in `{error: {message, param}}`. */
function whole(raw: unknown): { field: string } {
  const named = getErrorContainers(raw).map((holder) => fieldOfEntry(holder, ERROR_FIELD_FIELDS));
  return { field: named.find((field) => field !== '') ?? '' };
}

/** A number of three digits is the status once more, as whoever wrote the body saw it. */
function codeIn(raw: unknown, secrets: readonly string[]): string | undefined {
  for (const holder of getErrorContainers(raw)) {
    for (const name of ERROR_CODE_FIELDS) {
      const code = getFirstText(holder, [name]);
      if (isCode(code) && !/^[1-5]\d\d$/.test(code)) return excerpt(code, { secrets });
    }
    // `{"error": "invalid_grant", "error_description": "…"}` (OAuth).
    const { error } = holder;
    if (typeof error === 'string' && isCode(error) && error.includes('_')) return excerpt(error, { secrets });
  }
  return undefined;
}

function isCode(code: string | undefined): code is string {
  return code !== undefined && /^[\w.:/#-]{1,100}$/.test(code) && !NO_CODES.includes(code);
}

function bounded(detail: RawDetail, secrets: readonly string[]): ErrorDetail {
  const field = excerpt(detail.field, { limit: 100, secrets });
  return {
    ...(field === '' ? {} : { field }),
    message: excerpt(detail.message, { limit: 300, secrets }),
    ...(isCode(detail.code) ? { code: excerpt(detail.code, { secrets }) } : {}),
  };
}

/** `The body does not fit (email: is required; name: is too long)`; what the message says already is not said twice. */
function toSentence(message: string, details: readonly RawDetail[]): string {
  const said = details
    .filter(({ field, message: one }) => !(message.includes(one) && message.includes(field)))
    .map(({ field, message: one }) => (field === '' ? one : `${field}: ${one}`))
    .join('; ');
  if (message === '' || said === '') return message + said;
  return `${message} (${said})`;
}

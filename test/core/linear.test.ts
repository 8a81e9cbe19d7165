/** Parsers of untrusted text are linear: eight times the text takes about eight times as long. Asserts ratios only. */
import { afterAll, expect, test } from 'vitest';
import { toBriefItem } from '../../mcp/result/projection.ts';
import { redactSecretFields } from '../../mcp/result/redact-secrets.ts';
import { estimateTokens } from '../../mcp/result/token-budget.ts';
import { findUntrustedPaths } from '../../mcp/result/untrusted-paths.ts';
import { htmlToText, isWebPage } from '../../src/api-errors/html-text.ts';
import { parseErrorBody } from '../../src/api-errors/parse-error-body.ts';
import { findClosestMatch, findTypo } from '../../src/did-you-mean.ts';
import { findFileLocation, parseDispositionFileName } from '../../src/download/file-location.ts';
import { parseEvent, sanitizeFileName } from '../../src/index.ts';
import { parsePage } from '../../src/pagination/page.ts';
import { findSecrets, redact } from '../../src/redact/redact.ts';
import { getErrorCode } from '../../src/retry/retry.ts';
import { parseRetryAfterMs } from '../../src/retry/retry-after.ts';
import { explainStorageRejection } from '../../src/upload/storage-rejection.ts';
import { collectExtraFields, parseBoolean } from '../../zapier/fields/form-fields.ts';
import { parseDateTime } from '../../zapier/fields/parse-date.ts';
import { parseRecipients } from '../../zapier/fields/parse-email.ts';
import { parseDecimal } from '../../zapier/fields/parse-number.ts';
import { normalizeText } from '../../zapier/records/normalize-text.ts';
import { isLinear } from '../support/is-linear.ts';

/** Fragments that are repeated, each followed by an ending that makes a regular expression backtrack. */
const PIECES = [
  '\\',
  '"',
  '\\"',
  '"token',
  '"token":"',
  '\\"token\\":\\"\\',
  '"a" ',
  'token',
  'token-',
  '?token',
  '&sig=',
  '=',
  ' ',
  '\t \n',
  '<',
  '<a',
  '<script',
  '<script></scrip',
  '<!--',
  'http://',
  'http://a?',
  'https://a.b/',
  'bearer ',
  'basic  %20+',
  '.',
  ';filename="',
  ";filename*=a'",
  '%',
  'x-amz-a-',
  '{"errors":[',
  '[',
  '\u00e9',
  '\ud83d\ude00',
  'é\u0130',
];
const ENDS = ['', '!', '"', '>', '\u0130', ' x', '\n<'];

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  redact: (text) => redact(text, ['sk_live_1']),
  findSecrets: (text) => findSecrets({ [text]: 'value' }),
  htmlToText,
  isWebPage: (text) => isWebPage(`<${text}`),
  parseErrorBody: (text) => parseErrorBody(text, ['sk_live_1']),
  'parseErrorBody of JSON': (text) => parseErrorBody(JSON.stringify({ message: text, errors: { [text]: [text] } }), []),
  explainStorageRejection: (text) =>
    explainStorageRejection(
      { status: 403, text, retryAfterMs: undefined },
      { uploadUrl: 'https://s.test/upload', headers: {}, storageKey: 'k', token: 'secret-token' },
    ),
  redactSecretFields: (text) => redactSecretFields({ a: text, b: `https://${text}` }, []),
  findUntrustedPaths: (text) => findUntrustedPaths({ a: text, [text]: text }),
  parseDispositionFileName: (text) => parseDispositionFileName(`attachment${text}`),
  sanitizeFileName,
  'parseEvent of strings': (text) => parseEvent(JSON.stringify({ type: text, id: text, time: text, name: text })),
  'parseEvent of headers': (text) =>
    parseEvent('{}', { 'x-signature': text, 'webhook-signature': text, [text]: text }, 'secret'),
  findFileLocation,
  'findFileLocation of JSON': (text) =>
    findFileLocation(JSON.stringify({ url: text, download_url: text, [text]: text })),
  'parsePage of a Link header': (text) => parsePage([], contextOf(`<${text}>; rel="next"`)),
  'parsePage of the parameters of a Link header': (text) => parsePage([], contextOf(`<https://a.test/>; ${text}`)),
  'parsePage of a next URL': (text) =>
    parsePage({ data: [], next: `https://docshare.test/x?${text}`, next_cursor: text }, contextOf('')),
  'parsePage of field names': (text) => parsePage({ [text]: [], [`${text}_count`]: 7 }, contextOf('')),
  parseRetryAfterMs: (text) =>
    parseRetryAfterMs({ 'retry-after': text, ratelimit: text, 'x-ratelimit-reset': text }, 0),
  getErrorCode: (text) => getErrorCode(Object.assign(new Error(text), { code: text })),
  estimateTokens,
  toBriefItem: (text) => toBriefItem({ name: text, [text]: text, created_at: text }),
  closestMatch: (text) => findClosestMatch(text, ['document_id', 'email_required']),
  findTypo: (text) => findTypo(text, ['document_id', 'email_required']),
  collectExtraFields: (text) => collectExtraFields({ fields: { a: text, [text]: text }, [`learned__${text}`]: text }),
  parseBoolean: (text) => tried(() => parseBoolean(text, 'Gate')),
  parseRecipients: (text) => tried(() => parseRecipients([`Ann${text}b`], 'Email')),
  parseDecimal: (text) => tried(() => parseDecimal(`1${text}2`, 'Price')),
  parseDateTime: (text) => tried(() => parseDateTime(`31 ${text}`, { label: 'Day', zone: 'UTC' })),
  normalizeText,
};

function tried(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function contextOf(link: string) {
  const listUrl = new URL('https://docshare.test/api/v1/links');
  const request = { listUrl, query: new URLSearchParams(), basePath: '/api/v1', pathParams: {} };
  return { resource: 'links', headers: link === '' ? {} : { link }, request };
}

const SHORT = 2 * 1024;

/** Each text once: dozens of parsers read the same hundreds of long texts. */
const texts = new Map<string, string>();
function textOf(piece: string, end: string, length: number): string {
  const name = JSON.stringify([piece, end, length]);
  const text = texts.get(name) ?? piece.repeat(length / piece.length) + end;
  texts.set(name, text);
  return text;
}
afterAll(() => texts.clear());

test.each(Object.entries(READERS))('%s reads any text in linear time', (_, read) => {
  const slow: string[] = [];
  for (const piece of PIECES)
    for (const end of ENDS) {
      if (!isLinear(read, (length) => textOf(piece, end, length), SHORT))
        slow.push(`${JSON.stringify(piece)} … ${JSON.stringify(end)}`);
    }
  expect(slow).toEqual([]);
});

import * as assumed from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { splitWords } from '../../src/split-words.ts';
import { formatCount } from '../format-count.ts';
import {
  addObservation,
  confirmed,
  confirmedIf,
  evaluateStatus,
  findNames,
  formatAsCode,
  getFieldNames,
  notFound,
  notObserved,
} from './evaluate.ts';
import type { QuestionTable } from './question.ts';

/** Returns the schemas of an error body and of the objects and lists nested in it. */
function flattenLevels(schema: Schema | undefined): Schema[] {
  if (!schema) return [];
  const inner = assumed.ERROR_CONTAINERS.flatMap((name) => {
    const nested = schema.properties?.[name];
    return nested ? [nested, ...(nested.items ? [nested.items] : [])] : [];
  });
  return [schema, ...inner, ...(schema.items ? [schema.items] : [])];
}

export const REJECTION_QUESTIONS: QuestionTable = {
  'error-body': {
    topic: 'errors',
    section: '§7',
    question: 'What is the format of an error body, and where are its message and code?',
    assumptions: ['ERROR_MESSAGE_FIELDS', 'ERROR_CODE_FIELDS', 'ERROR_CONTAINERS', 'PLACEHOLDER_CODES'],
    evaluate: ({ rejections }) => {
      const seen = Object.values(rejections).filter((one) => one !== undefined);
      if (seen.length === 0) return notObserved('No error was observed.');
      const media = [...new Set(seen.map((one) => one.media ?? 'no body'))];
      const bodies = seen.flatMap(({ body }) => flattenLevels(body));
      if (bodies.length === 0) return confirmed(`Errors are ${formatAsCode(media)}, not JSON.`);
      const messages = findNames(bodies, assumed.ERROR_MESSAGE_FIELDS);
      const found = findNames(bodies, assumed.ERROR_CODE_FIELDS);
      const text = `Errors are ${formatAsCode(media)}; message in ${formatAsCode(messages) || 'no assumed field'}, code in ${formatAsCode(found) || 'no assumed field'}.`;
      return messages.length > 0
        ? confirmed(text)
        : notFound(`${text} Fields: ${formatAsCode(getFieldNames(bodies))}.`);
    },
  },
  'error-details': {
    topic: 'errors',
    section: '§7',
    question: 'How does an error describe each invalid field?',
    assumptions: splitWords(`
      DETAIL_LISTS DETAIL_SUBJECT_FIELDS ERROR_SUBJECT_FIELDS DETAIL_MESSAGE_FIELDS ENTRY_MESSAGE_FIELDS
      DETAIL_CODE_FIELDS DETAIL_RULES_FIELD WHOLE_INPUT_KEYS PATH_PREFIXES
    `),
    evaluate: ({ rejections: { badQuery, badBody = badQuery } }) => {
      if (!badBody) return notObserved('No invalid input was rejected.');
      const found = findNames(flattenLevels(badBody.body), assumed.DETAIL_LISTS);
      if (found.length > 0) return confirmed(`Details are in ${formatAsCode(found)}.`);
      return badBody.body
        ? notFound('Errors about invalid input have no known details.')
        : confirmed('Errors about invalid input are plain text.');
    },
  },
  'error-statuses': {
    topic: 'errors',
    section: '§7',
    question: 'Which statuses mean an unknown ID, and which invalid input?',
    assumptions: ['getFailureKind', 'isBodyRejected'],
    evaluate: (profile) =>
      evaluateStatus(profile, ['unknownId', 'badBody', 'badQuery', 'conflict'], (status) =>
        ['notFound', 'validation', 'conflict'].includes(assumed.getFailureKind(status) ?? ''),
      ),
  },
  'key-refused': {
    topic: 'keys',
    section: '§7',
    question: 'How are a wrong key and a missing key rejected?',
    assumptions: ['getFailureKind'],
    evaluate: (profile) => evaluateStatus(profile, ['wrongKey', 'noKey'], (status) => status === 401 || status === 403),
  },
  'scope-refused': {
    topic: 'keys',
    section: '§5',
    question: 'Which scope does each operation need, and how is a missing scope reported?',
    assumptions: ['isScopeDocumented', 'getFailureKind'],
    evaluate: (profile) => {
      const { granted, missing } = profile.scopes;
      const lacks = missing.length > 0 ? ` and lacks ${formatAsCode(missing)}` : '';
      const scopeText = `The key has ${formatCount(granted.length, 'known scope')}${lacks}.`;
      const result = evaluateStatus(profile, ['missingScope'], (status) => status === 403);
      const observation =
        result.outcome === 'not observed' ? 'The key had every scope that was needed.' : result.observation;
      return addObservation({ ...result, observation }, scopeText);
    },
  },
  'request-id': {
    topic: 'headers',
    section: '§7',
    question: 'Which header holds the request ID?',
    assumptions: ['REQUEST_ID_HEADERS'],
    evaluate: ({ facts: { requestId } }) => {
      if (requestId === undefined) return notObserved('No response was received.');
      if (requestId === null) return confirmed('No header holds a request ID.');
      const text = `${formatAsCode([requestId])} holds the request ID.`;
      return confirmedIf(assumed.REQUEST_ID_HEADERS.includes(requestId), text);
    },
  },
  'limit-headers': {
    topic: 'headers',
    section: '§8',
    question: 'Which headers describe the rate limit and when to retry?',
    assumptions: ['RESET_HEADERS', 'REMAINING_HEADERS', 'mcp/RATE_LIMIT_HEADERS'],
    evaluate: ({ facts: { limit } }) => {
      if (!limit) return notObserved('No response was received.');
      if (limit.headers.length === 0) return notObserved('No response had rate limit headers.');
      const known = [...assumed.RESET_HEADERS, ...assumed.REMAINING_HEADERS, 'retry-after', 'ratelimit'];
      const text = `${formatAsCode(limit.headers)}${limit.calls === undefined ? '' : `: ${limit.calls} calls`}.`;
      return confirmedIf(
        limit.headers.some((name) => known.includes(name)),
        text,
      );
    },
  },
  'limit-kind': {
    topic: 'headers',
    section: '§8',
    question: 'How many requests per minute are allowed, and what happens above that?',
    assumptions: ['RATE_LIMIT'],
    evaluate: ({ facts: { limit }, rejections }) => {
      if (limit?.kind === undefined && limit?.calls === undefined) return notObserved('No response says it.');
      const calls = [limit.calls === undefined ? '' : `${limit.calls} calls per minute`, limit.kind ?? ''].filter(
        Boolean,
      );
      const status = rejections.limited ? `; status ${rejections.limited.status} above it` : '';
      const text = `${calls.join(', ')}${status}.`;
      return confirmedIf(limit.calls === undefined || limit.calls === 120, text);
    },
  },
};

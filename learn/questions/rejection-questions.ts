import {
  DETAIL_LISTS,
  ERROR_CODE_FIELDS,
  ERROR_CONTAINERS,
  ERROR_MESSAGE_FIELDS,
  getFailureKind,
  REMAINING_HEADERS,
  REQUEST_ID_HEADERS,
  RESET_HEADERS,
} from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import {
  confirmed,
  confirmedIf,
  different,
  evaluateStatus,
  findNames,
  formatCodes,
  getFieldNames,
  notObserved,
} from './evaluate.ts';
import type { Question } from './question.ts';

/** An error's own fields and those of what holds it, lists included. */
function flattenLevels(schema: Schema | undefined): Schema[] {
  if (!schema) return [];
  const inner = ERROR_CONTAINERS.flatMap((name) => {
    const nested = schema.properties?.[name];
    return nested ? [nested, ...(nested.items ? [nested.items] : [])] : [];
  });
  return [schema, ...inner, ...(schema.items ? [schema.items] : [])];
}

export const REJECTION_QUESTIONS: readonly Question[] = [
  {
    name: 'error-body',
    topic: 'errors',
    section: '§7',
    question: 'What form has the body of a refusal, and where do its words and its code stand?',
    assumptions: ['ERROR_MESSAGE_FIELDS', 'ERROR_CODE_FIELDS', 'ERROR_CONTAINERS', 'PLACEHOLDER_CODES'],
    mode: 'read',
    probe: 'An unknown id, an unknown route and a wrong method are asked for.',
    confirmedWhen: 'The words stand under an assumed name, or the body is plain text or a page.',
    evaluate: ({ rejections }) => {
      const seen = Object.values(rejections).filter((one) => one !== undefined);
      if (seen.length === 0) return notObserved('No refusal was met.');
      const media = [...new Set(seen.map((one) => one.media ?? 'no body'))];
      const bodies = seen.flatMap(({ body }) => flattenLevels(body));
      if (bodies.length === 0) return confirmed(`Refusals are ${formatCodes(media)}, not JSON.`);
      const messages = findNames(bodies, ERROR_MESSAGE_FIELDS);
      const found = findNames(bodies, ERROR_CODE_FIELDS);
      const text = `Refusals are ${formatCodes(media)}; words under ${formatCodes(messages) || 'no assumed name'}, codes under ${formatCodes(found) || 'none'}.`;
      return messages.length > 0
        ? confirmed(text)
        : different(`${text} Fields: ${formatCodes(getFieldNames(bodies))}.`);
    },
  },
  {
    name: 'error-details',
    topic: 'errors',
    section: '§7',
    question: 'How does a refusal say field by field what is wrong?',
    assumptions: [
      'DETAIL_LISTS',
      'DETAIL_FIELD_FIELDS',
      'ERROR_FIELD_FIELDS',
      'DETAIL_MESSAGE_FIELDS',
      'ENTRY_MESSAGE_FIELDS',
      'DETAIL_CODE_FIELDS',
      'DETAIL_RULES_FIELD',
      'WHOLE_INPUT_KEYS',
      'PATH_PREFIXES',
    ],
    mode: 'read',
    probe: 'A query that can not be meant, and with --write a body without what it needs.',
    confirmedWhen: 'Details stand under an assumed name.',
    evaluate: ({ rejections: { badBody } }) => {
      if (!badBody) return notObserved('No bad input was refused.');
      const found = findNames(flattenLevels(badBody.body), DETAIL_LISTS);
      if (found.length > 0) return confirmed(`Details stand under ${formatCodes(found)}.`);
      return badBody.body
        ? different('Bad input is refused without details that are known.')
        : confirmed('Bad input is refused in plain words.');
    },
  },
  {
    name: 'error-statuses',
    topic: 'errors',
    section: '§7',
    question: 'Which statuses mean an unknown id, and which bad input?',
    assumptions: ['getFailureKind', 'isBodyRejected'],
    mode: 'read',
    probe: 'An id that no object has, and a query (with --write: a body) that can not be meant.',
    confirmedWhen: 'The statuses that the client reads so.',
    evaluate: (profile) =>
      evaluateStatus(profile, ['unknownId', 'badBody', 'conflict'], (status) =>
        ['notFound', 'validation', 'conflict'].includes(getFailureKind(status) ?? ''),
      ),
  },
  {
    name: 'key-refused',
    topic: 'keys',
    section: '§7',
    question: 'How are a wrong key and none refused?',
    assumptions: ['getFailureKind'],
    mode: 'read',
    probe: 'The documents are listed with a key that can not be, and without one.',
    confirmedWhen: '401 or 403.',
    evaluate: (profile) =>
      evaluateStatus(profile, ['wrongKey', 'noKey'], (status) => status === 401 || status === 403),
  },
  {
    name: 'scope-refused',
    topic: 'keys',
    section: '§5',
    question: 'Which scope does each operation need, and how is a missing one refused?',
    assumptions: ['isScopeDocumented', 'getFailureKind'],
    mode: 'read',
    probe:
      'Every read, with the scopes that the key has. A key that lacks a read scope shows how that is refused.',
    confirmedWhen: '403.',
    evaluate: (profile) => {
      const { granted, missing } = profile.scopes;
      const scopeText = `The key was seen to have ${granted.length} ${granted.length === 1 ? 'scope' : 'scopes'}${missing.length > 0 ? ` and to lack ${formatCodes(missing)}` : ''}.`;
      const result = evaluateStatus(profile, ['missingScope'], (status) => status === 403);
      return {
        ...result,
        observation: `${result.outcome === 'unseen' ? 'The key lacked no scope that was needed.' : result.observation} ${scopeText}`,
      };
    },
  },
  {
    name: 'request-id',
    topic: 'headers',
    section: '§7',
    question: 'Which header names a request?',
    assumptions: ['REQUEST_ID_HEADERS'],
    mode: 'read',
    probe: 'The headers of all answers.',
    confirmedWhen: 'A header of an assumed name, or none.',
    evaluate: ({ facts: { requestId } }) => {
      if (requestId === undefined) return notObserved('No answer came.');
      if (requestId === null) return confirmed('No header names a request.');
      const text = `${formatCodes([requestId])} names a request.`;
      return confirmedIf(REQUEST_ID_HEADERS.includes(requestId), text);
    },
  },
  {
    name: 'limit-headers',
    topic: 'headers',
    section: '§8',
    question: 'What do answers say about the limit, and what does a refusal say about when to come back?',
    assumptions: ['RESET_HEADERS', 'REMAINING_HEADERS', 'mcp/RATE_LIMIT_HEADERS'],
    mode: 'read',
    probe: 'The headers of all answers; with --limit those of a refusal too.',
    confirmedWhen: 'Headers of assumed names, or none.',
    evaluate: ({ facts: { limit } }) => {
      if (!limit) return notObserved('No answer came.');
      if (limit.headers.length === 0)
        return notObserved('No answer spoke of the limit; a refusal was not met.');
      const known = [...RESET_HEADERS, ...REMAINING_HEADERS, 'retry-after', 'ratelimit'];
      const text = `${formatCodes(limit.headers)}${limit.calls === undefined ? '' : `: ${limit.calls} calls`}.`;
      return confirmedIf(
        limit.headers.some((name) => known.includes(name)),
        text,
      );
    },
  },
  {
    name: 'limit-kind',
    topic: 'limit',
    section: '§8',
    question: 'How are 120 requests a minute counted, and what is said when they are used up?',
    assumptions: ['RATE_LIMIT'],
    mode: 'limit',
    probe: 'Only with --limit: the limit is used up, and calls are tried until the service takes them again.',
    confirmedWhen: '120 calls a minute, in whatever way they are counted.',
    evaluate: ({ facts: { limit }, rejections }) => {
      if (!limit?.kind) return notObserved('--limit was not given.');
      const text = `${limit.kind}${limit.calls === undefined ? '' : `, ${limit.calls} calls a minute`}${limit.counts === 'all' ? ', refused ones counted too' : ''}${rejections.limited ? `; refused with ${rejections.limited.status}` : ''}.`;
      return confirmedIf(limit.calls === undefined || limit.calls === 120, text);
    },
  },
];

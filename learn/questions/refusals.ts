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
import type { Schema } from '../../src/profile/schema.ts';
import { codes, confirmed, fieldNames, judged, judgeStatus, namesIn, other, unseen } from './judging.ts';
import type { Question } from './question.ts';

/** An error's own fields and those of what holds it, lists included. */
function levels(schema: Schema | undefined): Schema[] {
  if (!schema) return [];
  const inner = ERROR_CONTAINERS.flatMap((name) => {
    const held = schema.properties?.[name];
    return held ? [held, ...(held.items ? [held.items] : [])] : [];
  });
  return [schema, ...inner, ...(schema.items ? [schema.items] : [])];
}

export const REFUSAL_QUESTIONS: readonly Question[] = [
  {
    name: 'error-body',
    topic: 'errors',
    section: '§7',
    asks: 'What form has the body of a refusal, and where do its words and its code stand?',
    settles: ['ERROR_MESSAGE_FIELDS', 'ERROR_CODE_FIELDS', 'ERROR_HOLDERS', 'NO_CODES'],
    mode: 'read',
    probed: 'An unknown id, an unknown route and a wrong method are asked for.',
    confirmedBy: 'The words stand under an assumed name, or the body is plain text or a page.',
    judge: ({ refusals }) => {
      const seen = Object.values(refusals).filter((one) => one !== undefined);
      if (seen.length === 0) return unseen('No refusal was met.');
      const media = [...new Set(seen.map((one) => one.media ?? 'no body'))];
      const bodies = seen.flatMap(({ body }) => levels(body));
      if (bodies.length === 0) return confirmed(`Refusals are ${codes(media)}, not JSON.`);
      const messages = namesIn(bodies, ERROR_MESSAGE_FIELDS);
      const found = namesIn(bodies, ERROR_CODE_FIELDS);
      const words = `Refusals are ${codes(media)}; words under ${codes(messages) || 'no assumed name'}, codes under ${codes(found) || 'none'}.`;
      return messages.length > 0 ? confirmed(words) : other(`${words} Fields: ${codes(fieldNames(bodies))}.`);
    },
  },
  {
    name: 'error-details',
    topic: 'errors',
    section: '§7',
    asks: 'How does a refusal say field by field what is wrong?',
    settles: [
      'DETAIL_LISTS',
      'DETAIL_FIELD_FIELDS',
      'ERROR_FIELD_FIELDS',
      'DETAIL_MESSAGE_FIELDS',
      'ENTRY_MESSAGE_FIELDS',
      'DETAIL_CODE_FIELDS',
      'DETAIL_RULES_FIELD',
      'WHOLE_INPUT_KEYS',
      'PATH_STARTS',
    ],
    mode: 'read',
    probed: 'A query that can not be meant, and with --write a body without what it needs.',
    confirmedBy: 'Details stand under an assumed name.',
    judge: ({ refusals: { badBody } }) => {
      if (!badBody) return unseen('No bad input was refused.');
      const found = namesIn(levels(badBody.body), DETAIL_LISTS);
      if (found.length > 0) return confirmed(`Details stand under ${codes(found)}.`);
      return badBody.body
        ? other('Bad input is refused without details that are known.')
        : confirmed('Bad input is refused in plain words.');
    },
  },
  {
    name: 'error-statuses',
    topic: 'errors',
    section: '§7',
    asks: 'Which statuses mean an unknown id, and which bad input?',
    settles: ['failureKind', 'isBodyRefused'],
    mode: 'read',
    probed: 'An id that no object has, and a query (with --write: a body) that can not be meant.',
    confirmedBy: 'The statuses that the client reads so.',
    judge: (learned) =>
      judgeStatus(learned, ['unknownId', 'badBody', 'conflict'], (status) =>
        ['notFound', 'validation', 'conflict'].includes(getFailureKind(status) ?? ''),
      ),
  },
  {
    name: 'key-refused',
    topic: 'keys',
    section: '§7',
    asks: 'How are a wrong key and none refused?',
    settles: ['failureKind'],
    mode: 'read',
    probed: 'The documents are listed with a key that can not be, and without one.',
    confirmedBy: '401 or 403.',
    judge: (learned) =>
      judgeStatus(learned, ['wrongKey', 'noKey'], (status) => status === 401 || status === 403),
  },
  {
    name: 'scope-refused',
    topic: 'keys',
    section: '§5',
    asks: 'Which scope does each operation need, and how is a missing one refused?',
    settles: ['isScopeDocumented', 'failureKind'],
    mode: 'read',
    probed:
      'Every read, with the scopes that the key has. A key that lacks a read scope shows how that is refused.',
    confirmedBy: '403.',
    judge: (learned) => {
      const { granted, missing } = learned.scopes;
      const has = `The key was seen to have ${granted.length} ${granted.length === 1 ? 'scope' : 'scopes'}${missing.length > 0 ? ` and to lack ${codes(missing)}` : ''}.`;
      const finding = judgeStatus(learned, ['missingScope'], (status) => status === 403);
      return {
        ...finding,
        seen: `${finding.verdict === 'unseen' ? 'The key lacked no scope that was needed.' : finding.seen} ${has}`,
      };
    },
  },
  {
    name: 'request-id',
    topic: 'headers',
    section: '§7',
    asks: 'Which header names a request?',
    settles: ['REQUEST_ID_HEADERS'],
    mode: 'read',
    probed: 'The headers of all answers.',
    confirmedBy: 'A header of an assumed name, or none.',
    judge: ({ facts: { requestId } }) => {
      if (requestId === undefined) return unseen('No answer came.');
      if (requestId === null) return confirmed('No header names a request.');
      const words = `${codes([requestId])} names a request.`;
      return judged(REQUEST_ID_HEADERS.includes(requestId), words);
    },
  },
  {
    name: 'limit-headers',
    topic: 'headers',
    section: '§8',
    asks: 'What do answers say about the limit, and what does a refusal say about when to come back?',
    settles: ['RESET_HEADERS', 'REMAINING_HEADERS', 'mcp/LIMIT_HEADERS'],
    mode: 'read',
    probed: 'The headers of all answers; with --limit those of a refusal too.',
    confirmedBy: 'Headers of assumed names, or none.',
    judge: ({ facts: { limit } }) => {
      if (!limit) return unseen('No answer came.');
      if (limit.headers.length === 0) return unseen('No answer spoke of the limit; a refusal was not met.');
      const known = [...RESET_HEADERS, ...REMAINING_HEADERS, 'retry-after', 'ratelimit'];
      const words = `${codes(limit.headers)}${limit.calls === undefined ? '' : `: ${limit.calls} calls`}.`;
      return judged(
        limit.headers.some((name) => known.includes(name)),
        words,
      );
    },
  },
  {
    name: 'limit-kind',
    topic: 'limit',
    section: '§8',
    asks: 'How are 120 requests a minute counted, and what is said when they are used up?',
    settles: ['RATE_LIMIT'],
    mode: 'limit',
    probed:
      'Only with --limit: the limit is used up, and calls are tried until the service takes them again.',
    confirmedBy: '120 calls a minute, in whatever way they are counted.',
    judge: ({ facts: { limit }, refusals }) => {
      if (!limit?.kind) return unseen('--limit was not given.');
      const words = `${limit.kind}${limit.calls === undefined ? '' : `, ${limit.calls} calls a minute`}${limit.counts === 'all' ? ', refused ones counted too' : ''}${refusals.limited ? `; refused with ${refusals.limited.status}` : ''}.`;
      return judged(limit.calls === undefined || limit.calls === 120, words);
    },
  },
];

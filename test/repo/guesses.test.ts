/** Assumed names stand in one place: a list of such names anywhere else is a guess that nobody would find later. */
import { expect, test } from 'vitest';
import { QUESTIONS, TOPICS, UNVERIFIABLE_ASSUMPTIONS } from '../../learn/index.ts';
import * as mcp from '../../mcp/assumptions.ts';
import * as assumptions from '../../src/assumptions/index.ts';
import { readSources } from '../support/source-files.ts';

const isRoom = (path: string) => path.startsWith('src/assumptions/') || path.endsWith('/assumptions.ts');
/** Words of our own file format: a profile describes observed behavior. */
const isProfileForm = (path: string) => /^src\/profile\/(service-profile|json-schema|paging-scheme)\.ts$/.test(path);
/** Keywords for the format of a value in a profile; elsewhere they would be headers. */
const sources = readSources(['src', 'learn', 'mcp', 'zapier']).filter(
  ({ path }) => !isRoom(path) && !isProfileForm(path),
);

/** Names from the document (§2, §4), and words that are ours or in common use. */
const KNOWN = new Set(
  `id name url document_id email_required file documentId storageKey token uploadUrl headers type data items
  next cursor limit email message title description status links documents rooms agreements proposals templates
  contacts analytics webhooks billing next_cursor error errors fields text html json code link key count`.split(/\s+/),
);

/** All names in the lists of assumptions that are neither documented nor ours. */
const guessed = new Set(
  textsIn(assumptions)
    .flatMap((name) => [name, ...name.split('.')])
    .filter((name) => /^[\w@$-]+$/.test(name) && !KNOWN.has(name)),
);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Lists that use these names as our own words: menus, outputs, switches. Each has its reason. */
const OURS: Readonly<Record<string, string>> = {
  'learn/report/diff-profiles.ts: naming ids times nulls requestId uploadStart webhook webhookSecret removals':
    'facts of our own profile',
  'learn/report/diff-profiles.ts: default max param': 'parts of our own profile',
  'learn/infer/response-shape.ts: date connection keep-alive transfer-encoding content-length content-encoding content-type vary server set-cookie':
    'headers of HTTP itself',
  'learn/questions/question.ts: lists paging query objects files analytics billing errors keys headers uploads writes webhooks events':
    'topics of our own questions',
  'learn/questions/rejection-questions.ts: notFound validation conflict': 'kinds of failures of our own',
  'learn/openapi/json-schema.ts: x-docshare': 'an extension of our own documents',
  'mcp/hosted/organization/assertions.ts: sub jti exp iat client_id resource': 'claims of a standard',
  'mcp/tool/profiled-arguments.ts: fields query': 'arguments of our own tools',
  'src/pagination/page-cursor.ts: link cursor page offset after-id': 'kinds of our own requests',
  'src/profile/order-bodies.ts: url event': 'places of our own templates',
  'src/transport/decode-body.ts: x-gzip': 'a content coding of HTTP itself',
  'mcp/tools/activity.ts: links.list rooms.list agreements.list proposals.list analytics.visitors':
    'names of operations',
  'mcp/tools/personal-links.ts: links.create links.list': 'names of operations',
  'mcp/tools/update-links.ts: links.update links.list': 'names of operations',
  'mcp/tools/review-exposure.ts: links.list rooms.list documents.get': 'names of operations',
  'mcp/tools/get-object.ts: group not_read': 'outputs of the tool itself',
  'mcp/result/projection.ts: link room agreement proposal template contact': 'kinds of objects of our own',
  'mcp/tools/report-link.ts: analytics.link analytics.visitors analytics.visit': 'names of operations',
  'mcp/tools/find.ts: documents.list links.list rooms.list agreements.list proposals.list templates.list contacts.list':
    'names of operations',
  'mcp/audit/log.ts: silent error warn info debug': 'levels of our own log',
  'mcp/views/pick/choices.ts: document link room agreement proposal template contact': 'groups of our own menu',
  'mcp/views/reading/reading-report.ts: link_name name': 'fields of our own results',
  'mcp/setup/host-entry.ts: url serverUrl httpUrl headers type source': 'fields of the files of hosts',
  'mcp/hosted/app.ts: x-forwarded-for': 'what proxies in front of our own server write',
  'mcp/hosted/monitoring/request-context.ts: x-request-id': 'what proxies in front of our own server write',
  'mcp/pages/stylesheet-route.ts: x-content-type-options': 'a header of browsers',
  'mcp/confirm/outcome.ts: accepted declined dismissed not_shown too_fast timed_out abandoned': 'outcomes of our own',
  'mcp/pages/layout.ts: x-content-type-options': 'a header of browsers',
  'mcp/pages/layout.ts: x-frame-options': 'a header of browsers',
  'mcp/hosted/file-transfer/upload-routes.ts: x-content-type-options': 'a header of browsers',
  'mcp/hosted/file-transfer/download-routes.ts: x-content-type-options': 'a header of browsers',
  'mcp/hosted/file-transfer/download-routes.ts: x-moz': 'a header of browsers',
  'mcp/hosted/file-transfer/download-routes.ts: x-robots-tag': 'a header of search engines',
  'mcp/hosted/file-transfer/upload-page.ts: bytes kB MB GB': 'units',
  'mcp/tools/upload-document.ts: upload_url hand_over next failure.message': 'outputs of the tool itself',
  'mcp/tools/several-files.ts: next failed.code failed.message items.next': 'outputs of the tool itself',
  'mcp/server-factory.ts: file files': 'arguments of our own tools',
  'zapier/triggers/envelope-signed.ts: agreement_id agreement_name status signed_at signer_email sent_at':
    'outputs of the trigger itself',
  'zapier/triggers/link-viewed.ts: link_id link_url viewed_at': 'outputs of the trigger itself',
  'zapier/triggers/poll-state.ts: top sorted tail scan': 'ways of our own to look at a list',
};

/** Array literals of two or more names with at least one guessed name, and guessed header names. */
function guessesIn(text: string): string[] {
  const lists = [...text.matchAll(/\[((?:\s*'[^'\n]+',?)+)\s*\]/g)]
    .map(([, inner = '']) => [...inner.matchAll(/'([^']+)'/g)].map(([, name = '']) => name))
    .filter((names) => names.length > 1 && names.every((name) => /^[\w@$.-]+$/.test(name)))
    .filter((names) => names.some((name) => name.split('.').some((part) => guessed.has(part))))
    .map((names) => names.join(' '));
  const headers = [...text.matchAll(/'((?:x-|ratelimit|retry-after-)[a-z-]+)'/g)]
    .map(([, name = '']) => name)
    .filter((name) => !['x-prefix', 'x-seen'].includes(name));
  const spread = [...text.matchAll(/\bsplitWords\(`([^`]*)`\)/g)]
    .map(([, names = '']) => names.trim().replace(/\s+/g, ' '))
    // Names of assumptions, not names of fields.
    .filter((names) => !names.split(' ').every((name) => /^(?:mcp\/)?(?:[A-Z_]+|get\w+)$/.test(name)));
  return [...lists, ...headers, ...spread];
}

test('only the assumptions contain lists of guessed field or header names', () => {
  const found = sources.flatMap(({ path, text }) => guessesIn(text).map((names) => `${path}: ${names}`));
  expect(found.filter((place) => !(place in OURS))).toEqual([]);
  // Each reason belongs to an existing list.
  expect(Object.keys(OURS).filter((place) => !found.includes(place))).toEqual([]);
});

test('the check finds a list of guessed names', () => {
  expect(guessesIn("const names = ['created_at', 'createdAt'];")).toEqual(['created_at createdAt']);
  expect(guessesIn("headers['x-request-id']")).toEqual(['x-request-id']);
  expect(guessesIn("const menu = ['list_links', 'create_link'];")).toEqual([]);
});

const exported = [...Object.keys(assumptions), ...Object.keys(mcp).map((name) => `mcp/${name}`)];
const verified = QUESTIONS.flatMap(({ assumptions: names }) => names);

test('each exported assumption is verified by a question or listed with the reason it cannot be', () => {
  expect(exported.filter((name) => !verified.includes(name) && !(name in UNVERIFIABLE_ASSUMPTIONS))).toEqual([]);
});

test('questions name only assumptions that can be verified', () => {
  expect(verified.filter((name) => !exported.includes(name))).toEqual([]);
  expect(
    Object.keys(UNVERIFIABLE_ASSUMPTIONS).filter((name) => verified.includes(name) || !exported.includes(name)),
  ).toEqual([]);
});

test('question names are unique, each topic has a question, and each question is a sentence', () => {
  expect(new Set(QUESTIONS.map(({ name }) => name)).size).toBe(QUESTIONS.length);
  expect(TOPICS.filter((topic) => !QUESTIONS.some((one) => one.topic === topic))).toEqual([]);
  expect(QUESTIONS.filter(({ question }) => !/^[A-Z].+\?$/.test(question))).toEqual([]);
});

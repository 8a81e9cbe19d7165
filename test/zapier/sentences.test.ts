/** Every text that users read is in one reviewed snapshot: errors, labels, descriptions and help texts. */
import { createServer } from 'node:https';
import { beforeEach, expect, test } from 'vitest';
import {
  type DocshareError,
  IncompleteListError,
  InputError,
  NetworkError,
  TimeoutError,
  UploadError,
} from '../../src/errors.ts';
import { describeClientError } from '../../zapier/platform/error-messages.ts';
import { listenForFile } from '../support/listen.ts';
import { cert, key } from '../support/self-signed.ts';
import { type Field, type Operation, readDefinition } from '../support/zapier-definition.ts';
import { type Fields, openZapOnService } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

type Reply = { status: number; text?: string; headers?: Record<string, string> };
let reply: Reply = { status: 200 };
const { service, zap } = await openZapOnService(() => ({ text: '', ...reply }));
const tls = await listenForFile(createServer({ cert, key }));
beforeEach(() => void service.requests.splice(0));

const READ = ['searches.find_room.operation.perform', { name: 'Acme' }] as const;
const CHANGE = ['creates.update_link.operation.perform', { link: 'l', email_required: true }] as const;
const MAKE = ['creates.create_link.operation.perform', { document: 'd' }] as const;
const REPORT = ['searches.get_link_analytics.operation.perform', { link: 'l' }] as const;
const MAKE_FOR_ROOM = ['creates.create_link.operation.perform', { room: 'r' }] as const;
const OWN = ['creates.api_request.operation.perform', { method: 'POST', path: '/x/y' }] as const;
const TURN_ON = ['triggers.link_viewed.operation.performSubscribe', {}] as const;
const html = { 'content-type': 'text/html' };
const hours = { 'retry-after': '7200' };
const json = { 'content-type': 'application/json' };
const fieldError = '{"errors":[{"field":"name","message":"is taken"}]}';
const until2099 = { 'retry-after': 'Wed, 01 Jan 2099 00:00:00 GMT' };

/** For each cause: the response, the call, the platform's error, and words that must stay in the message. */
const CAUSES: readonly (readonly [string, Reply, readonly [string, Fields], string, RegExp])[] = [
  ['401', { status: 401, text: 'unknown key' }, CHANGE, 'ExpiredAuthError', /links:write/],
  ['401 for a scope', { status: 401, text: 'missing scope' }, CHANGE, 'missing_scope', /links:write/],
  ['402', { status: 402, text: 'upgrade', headers: hours }, MAKE, 'payment_required', /billing/],
  ['403 for a revoked key', { status: 403, text: 'API key was revoked' }, CHANGE, 'ExpiredAuthError', /reconnect/],
  ['403 for a plan', { status: 403, text: 'Upgrade your plan' }, CHANGE, 'refused', /"Upgrade your plan".*links:write/],
  ['403', { status: 403 }, CHANGE, 'missing_scope', /links:write.* Settings → API keys/],
  ['404 of a list', { status: 404 }, READ, 'not_found', /api\/v1 .*Rooms: read \(datarooms:read\)/],
  ['404 as a web page', { status: 404, text: '<!doctype html>', headers: html }, CHANGE, 'not_found', /link .*api\/v1/],
  ['404 for a scope', { status: 404, text: 'insufficient scope' }, CHANGE, 'missing_scope', /links:write/],
  ['404 of a report: scope', { status: 404, text: 'insufficient scope' }, REPORT, 'missing_scope', /analytics:read/],
  ['404 of a record', { status: 404, text: 'no such link' }, CHANGE, 'not_found', /link .*links:write/],
  [
    '404 of a creation',
    { status: 404, text: 'no such document' },
    MAKE,
    'not_found',
    /document .*ID \(not its name\).*links:write/,
  ],
  [texts.n404OfALinkTo, { status: 404, text: 'no such room' }, MAKE_FOR_ROOM, 'not_found', /document or room/],
  ['405', { status: 405 }, MAKE, 'not_offered', /api\/v1/],
  ['409', { status: 409, text: 'is locked' }, CHANGE, 'HaltedError', /"is locked"/],
  ['409 of a taken name', { status: 409, text: 'Name already exists' }, MAKE, 'HaltedError', /before you replay/],
  ['413', { status: 413 }, MAKE, 'too_large', /smaller/],
  ['415', { status: 415 }, MAKE, 'wrong_type', /another file/],
  ['418', { status: 418, text: 'teapot' }, MAKE, 'refused', /418.*"teapot"/],
  ['422 by field', { status: 422, text: fieldError, headers: json }, MAKE, 'invalid_input', /"name: is taken"/],
  [
    '422 in many words',
    { status: 422, text: `{"message":"${'long '.repeat(300)}"}`, headers: json },
    MAKE,
    'invalid_input',
    /Correct the fields/,
  ],
  [
    '302',
    { status: 302, headers: { location: 'https://elsewhere.test/login' } },
    MAKE,
    'redirected',
    /key was not sent/,
  ],
  ['429', { status: 429, headers: hours }, READ, 'ThrottledError', /120 requests .*120 minutes/],
  ['503', { status: 503, headers: hours }, READ, 'ThrottledError', /120 minutes/],
  ['503 until 2099', { status: 503, headers: until2099 }, READ, 'ThrottledError', /24 hours/],
  ['404 of an unknown path', { status: 404 }, OWN, 'not_found', /path .*base URL/],
  ['403 of an unknown path', { status: 403 }, OWN, 'missing_scope', /path .*Settings → API keys/],
  ['500 of an unknown path', { status: 500 }, OWN, 'HaltedError', /before you replay/],
  ['500 of a Zap that is turned on', { status: 500 }, TURN_ON, 'service_failed', /500.*Turn the Zap on again/],
  ['504 of a Zap that is turned on', { status: 504 }, TURN_ON, 'service_failed', /Turn the Zap on again/],
  ['404 of a Zap that is turned on', { status: 404 }, TURN_ON, 'not_found', /webhooks:write/],
  ['500 of a creation', { status: 500, text: 'oops' }, MAKE, 'HaltedError', /500.*"oops".*link .*before you replay/],
  ['500 of a creation with a pause', { status: 500, headers: hours }, MAKE, 'HaltedError', /link .*before you replay/],
  ['500 with a pause', { status: 500, headers: hours }, READ, 'ThrottledError', /120 minutes/],
  ['500', { status: 500, text: 'oops' }, READ, 'service_failed', /500.*"oops".*Replay/],
];

/** Errors of the client that no response causes in this test. */
const CLIENT_ERRORS: readonly (readonly [string, DocshareError, RegExp])[] = [
  ['no response in time', new TimeoutError('rooms.list: no whole answer before the deadline.'), /safe to replay/],
  ['rejection by a storage', new UploadError('documents.upload: refused', { status: 403 }), /403.*safe to replay/],
  ['a storage that breaks off', new UploadError('x'), /connection to the storage broke/],
  ['no document', new UploadError('x', { pending: { storageKey: 's', token: 't' } }), /Look for it/],
  ['another network error', new NetworkError('documents.list: something else.'), /^Something else\.$/],
  [
    'an unknown host',
    new NetworkError('x', 'ENOTFOUND', { code: 'service_unreachable', origin: 'https://x.invalid' }),
    /https:\/\/x\.invalid/,
  ],
  ['a list', new IncompleteListError({ operation: 'rooms.list', reason: 'r', itemsRead: 1200 }), /rooms .*1,200 read/],
  [
    'a long list of a record',
    new IncompleteListError({ operation: 'analytics.visitors', reason: 'r', itemsRead: 20 }),
    /more visitors .*20 read/,
  ],
  ['a long trigger list', new IncompleteListError({ operation: 'new_room', reason: 'r', itemsRead: 20 }), /20 read/],
  [
    'an empty ID',
    new InputError('x', { problem: { code: 'invalid_id', operation: 'links.update', field: 'id' } }),
    /^Choose a link in the field Link\.$/,
  ],
];

/** Returns the code of the error, or its name if it has none. */
async function fail(method: string, bundle: Fields): Promise<{ kind: string; message: string }> {
  const { name, message, code } = (await zap.runError(method, bundle)) as {
    name: string;
    message: string;
    code?: string;
  };
  expect(message.length).toBeLessThan(250);
  expect(message).not.toMatch(/\b[a-z]+\.(list|create|update|get)\b/);
  return { kind: code ?? name, message };
}

test('each cause has its own kind of error, and every text matches its reviewed snapshot', async () => {
  const lines = ['# Errors'];
  for (const [cause, answer, [method, inputData], kind, words] of CAUSES) {
    reply = answer;
    // Each cause has its own key, because a 429 delays the calls of its key.
    const authData = { apiKey: `key-${cause.replace(/\W/g, '')}`, baseUrl: service.url };
    const error = await fail(method, { inputData, authData, targetUrl: 'https://hooks.test/1' });
    expect(error.kind, cause).toBe(kind);
    expect(error.message, cause).toMatch(words);
    lines.push(`${cause}: ${error.message}`);
  }
  for (const [cause, error, words] of CLIENT_ERRORS) {
    const { text } = describeClientError(error);
    expect(text, cause).toMatch(words);
    lines.push(`${cause}: ${text}`);
  }
  const { authentication, ...groups } = await readDefinition();
  lines.push('', '# Connection', ...authentication.fields.flatMap((field) => describeField(field)));
  for (const group of ['triggers', 'creates', 'searches'] as const)
    lines.push(...Object.values(groups[group]).flatMap((operation) => describeOperation(group, operation)));
  for (const { display } of [...Object.values(groups.searchOrCreates), ...Object.values(groups.searchAndCreates)])
    lines.push('', `# ${display.label}: ${display.description}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('__snapshots__/sentences.txt');
});

function describeOperation(group: string, { display, operation }: Operation): string[] {
  const inputs = (operation.inputFields ?? []).filter((field) => typeof field !== 'string');
  return [
    '',
    `# ${group}: ${display.label}: ${display.description}`,
    ...inputs.flatMap((field) => describeField(field)),
    `Outputs: ${(operation.outputFields ?? []).map(({ label }) => label).join(', ')}`,
  ];
}

function describeField({ label = '', helpText = '', choices, children = [] }: Field, indent = ''): string[] {
  const labels = choices !== undefined && !('perform' in Object(choices)) ? Object.values(Object(choices)) : [];
  return [
    `${indent}- ${label}: ${helpText}${labels.length > 0 ? ` [${labels.join(' | ')}]` : ''}`,
    ...children.flatMap((child) => describeField(child, `${indent}  `)),
  ];
}

test('an untrusted certificate and a closed port have different messages', async () => {
  const at = (baseUrl: string) => fail(READ[0], { inputData: READ[1], authData: { apiKey: 'k', baseUrl } });
  const untrusted = await at(`${tls}/api/v1`);
  expect(untrusted.message).toMatch(new RegExp(`certificate of ${tls} is not valid, so nothing was sent`));
  const closed = await at('http://127.0.0.1:1/api/v1');
  expect(closed.message).toMatch(/could not be reached at http:\/\/127\.0\.0\.1:1\. .*base URL/);
});

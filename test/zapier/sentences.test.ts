/** What a person reads is what happened: each cause has its own sentence, in words that are no names of calls. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { IncompleteListError, NetworkError, TimeoutError, UploadError } from '../../src/errors.ts';
import { clientErrorMessage } from '../../zapier/platform/error-messages.ts';
import { type Loopback, openLoopback } from '../support/mcp-loopback.ts';
import { cert, key } from '../support/self-signed.ts';
import { type Fields, type Platform, startPlatform } from '../support/zapier-lambda.ts';

type Reply = { status: number; text?: string; headers?: Record<string, string> };
let reply: Reply = { status: 200 };
let service: Loopback;
let zap: Platform;
const tls = createServer({ cert, key });
beforeAll(async () => {
  service = await openLoopback(() => ({ text: '', ...reply }));
  zap = await startPlatform({ apiKey: 'key', baseUrl: service.url });
  tls.listen(0, '127.0.0.1');
  await once(tls, 'listening');
});
afterAll(async () => {
  await zap.close();
  await service.close();
  tls.close();
});
beforeEach(() => {
  service.requests.length = 0;
});

const READ = ['searches.find_room.operation.perform', { name: 'Acme' }] as const;
const CHANGE = ['creates.update_link.operation.perform', { link: 'l', email_required: true }] as const;
const MAKE = ['creates.create_link.operation.perform', { document: 'd' }] as const;
const REPORT = ['searches.get_link_analytics.operation.perform', { link: 'l' }] as const;
const OWN = ['creates.api_request.operation.perform', { method: 'POST', path: '/x/y' }] as const;
const TURN_ON = ['triggers.link_viewed.operation.performSubscribe', {}] as const;
const html = { 'content-type': 'text/html' };
const hours = { 'retry-after': '7200' };
const SCOPE = 'Give it the scope links:write in Settings → API keys, then try again.';
const WRONG_ADDRESS =
  "Docshare has nothing at this address. Check that the connection's base URL ends in /api/v1 and its key has the scope";

test.each<[string, Reply, readonly [string, Fields], string]>([
  [
    '401',
    { status: 401, text: 'unknown key' },
    CHANGE,
    'Docshare refused this API key: it was revoked, or lacks the scope links:write. Check it in Settings → API keys, then reconnect this account.',
  ],
  [
    '401 for a scope',
    { status: 401, text: 'missing scope' },
    CHANGE,
    `The API key lacks a permission. ${SCOPE}`,
  ],
  [
    '402',
    { status: 402, text: 'upgrade', headers: hours },
    MAKE,
    'The plan of your Docshare workspace does not cover this, or a payment is due. Look at its billing in Docshare, then replay this run.',
  ],
  ['403', { status: 403 }, CHANGE, `The API key lacks a permission. ${SCOPE}`],
  ['404 of a list', { status: 404 }, READ, `${WRONG_ADDRESS} datarooms:read.`],
  [
    '404 as a web page',
    { status: 404, text: '<!doctype html><title>Nothing here</title>', headers: html },
    CHANGE,
    "Docshare does not know this link, or has nothing at this address. Pick another one in this step, and check that the connection's base URL ends in /api/v1.",
  ],
  [
    '404 for a scope',
    { status: 404, text: 'insufficient scope' },
    CHANGE,
    `The API key lacks a permission. ${SCOPE}`,
  ],
  [
    '404 for a scope, of a report',
    { status: 404, text: 'insufficient scope' },
    REPORT,
    'The API key lacks a permission. Give it the scope analytics:read in Settings → API keys, then try again.',
  ],
  [
    '404 of a record',
    { status: 404, text: 'no such link' },
    CHANGE,
    'Docshare does not know this link: it may have been deleted, or this API key may not see it (scope links:write). Pick another one in this step.',
  ],
  [
    '404 of a creation',
    { status: 404, text: 'no such document' },
    MAKE,
    'Docshare does not know a record that this step names, or the API key may not use it. Pick the records again, and check that the key has the scope links:write.',
  ],
  [
    '405',
    { status: 405 },
    MAKE,
    "Docshare does not do this at this address. Check that the connection's base URL ends in /api/v1, without anything behind it.",
  ],
  [
    '409',
    { status: 409, text: 'is locked' },
    CHANGE,
    'Docshare could not do this in the record\'s present state: "is locked". Check the record, then replay.',
  ],
  [
    '413',
    { status: 413 },
    MAKE,
    'Docshare takes nothing as large as this. Give this step a smaller file or a shorter text.',
  ],
  ['415', { status: 415 }, MAKE, 'Docshare does not take a file of this type. Give this step another one.'],
  [
    '418',
    { status: 418, text: 'teapot' },
    MAKE,
    'Docshare refused this (status 418): "teapot". Change what this step sends: the same again would be refused again.',
  ],
  [
    '422 by field',
    {
      status: 422,
      text: '{"errors":[{"field":"name","message":"is taken"}]}',
      headers: { 'content-type': 'application/json' },
    },
    MAKE,
    'Docshare refused the values: "name: is taken". Correct the fields of this step and try again.',
  ],
  [
    '302',
    { status: 302, headers: { location: 'https://elsewhere.test/login' } },
    MAKE,
    'Docshare has sent this app on to another address, where the API key must not go. Nothing was done. Correct the base URL of the connection.',
  ],
  [
    '429',
    { status: 429, headers: hours },
    READ,
    'The limit of 120 requests a minute is used up. Zapier tries again by itself in 120 minutes.',
  ],
  [
    '503',
    { status: 503, headers: hours },
    READ,
    'Docshare is not available at the moment. Zapier tries again by itself in 120 minutes.',
  ],
  [
    '503 until the end of the century',
    { status: 503, headers: { 'retry-after': 'Wed, 01 Jan 2099 00:00:00 GMT' } },
    READ,
    'Docshare is not available at the moment. Zapier tries again by itself in 24 hours.',
  ],
  [
    '404 of a path that nobody knows',
    { status: 404 },
    OWN,
    'Docshare has nothing at the path of this step, or the API key may not use it. Correct the path, and check the base URL and the scopes of the key.',
  ],
  [
    '403 of a path that nobody knows',
    { status: 403 },
    OWN,
    'The API key lacks a permission. Give it the scope for this path in Settings → API keys, then try again.',
  ],
  [
    '500 of a path that nobody knows',
    { status: 500 },
    OWN,
    'Docshare itself failed (status 500), and may have done this all the same. Look for the record in Docshare before you replay this step.',
  ],
  [
    '500 of a Zap that is turned on',
    { status: 500 },
    TURN_ON,
    'Docshare itself failed (status 500). Turn the Zap on, or replay the run, once more in some minutes.',
  ],
  [
    '504 of a Zap that is turned on',
    { status: 504 },
    TURN_ON,
    'Docshare gave no clear answer when it was asked to announce its events. Turn the Zap on, or replay the run, once more in some minutes.',
  ],
  ['404 of a Zap that is turned on', { status: 404 }, TURN_ON, `${WRONG_ADDRESS} webhooks:write.`],
  [
    '500 of a creation',
    { status: 500, text: 'oops' },
    MAKE,
    'Docshare itself failed (status 500): "oops", and may have done this all the same. Look for the link in Docshare before you replay this step.',
  ],
  [
    '500',
    { status: 500, text: 'oops' },
    READ,
    'Docshare itself failed (status 500): "oops". Replay this run in some minutes; if it fails again, tell Docshare\'s support.',
  ],
])('%s', async (_, answer, [method, inputData], sentence) => {
  reply = answer;
  // Each cause with a key of its own: a 429 holds back the calls of its key.
  const authData = { apiKey: `key-${_.replace(/\W/g, '')}`, baseUrl: service.url };
  const refusal = await zap.refusal(method, { inputData, authData, targetUrl: 'https://hooks.test/1' });
  expect(refusal.message).toBe(sentence);
  expect(refusal.message.length).toBeLessThan(250);
});

test('a certificate that nobody trusts, a host that is none and a port where nobody listens are told apart', async () => {
  const { port } = tls.address() as AddressInfo;
  const at = async (baseUrl: string) =>
    (await zap.refusal(READ[0], { inputData: READ[1], authData: { apiKey: 'k', baseUrl } })).message;
  expect(await at(`https://127.0.0.1:${port}/api/v1`)).toBe(
    `The certificate of https://127.0.0.1:${port} is not valid, so nothing was sent. Check the base URL of the connection, or tell those who run this server.`,
  );
  expect(await at('http://127.0.0.1:1/api/v1')).toBe(
    'Docshare could not be reached at http://127.0.0.1:1. Check the base URL of the connection; if it is right, replay this run when the server is back.',
  );
  const noHost = new NetworkError(
    'rooms.list: the service could not be reached at https://x.invalid (ENOTFOUND). Check it.',
    'ENOTFOUND',
  );
  expect(clientErrorMessage(noHost).text).toBe(
    'There is no server at https://x.invalid. Correct the base URL of the connection: it stands in Settings → API keys.',
  );
});

test.each([
  [
    new TimeoutError('rooms.list: no whole answer before the deadline.'),
    'Docshare did not answer in time. It is safe to replay this run.',
  ],
  [
    new UploadError('documents.upload: refused', { status: 403 }),
    'The file was not stored: the storage answered 403. No document was made: it is safe to replay this run.',
  ],
  [
    new UploadError('x', { pending: { storageKey: 's', token: 't' } }),
    'The file arrived, but Docshare did not make a document of it. Look for it in Docshare, and replay this step if it is not there.',
  ],
  [new NetworkError('documents.list: something else.'), 'Something else.'],
  [
    new IncompleteListError({ operation: 'rooms.list', reason: 'r', itemsRead: 20 }),
    'Docshare did not give the whole list (20 records came), so what you look for may be missing from it. Pick the record in a drop-down or by its ID.',
  ],
])('%s has no name of a call in it', (error, sentence) => {
  expect(clientErrorMessage(error).text).toBe(sentence);
});

test('the connection test takes at most 6 requests, whatever comes', async () => {
  for (const status of [200, 401, 403, 404, 500, 418]) {
    service.requests.length = 0;
    reply = { status, text: '[]' };
    const authData = { apiKey: `key-${status}`, baseUrl: service.url };
    await zap.run('authentication.test', { authData }).catch(() => undefined);
    expect(service.requests.length, String(status)).toBeLessThanOrEqual(6);
  }
});

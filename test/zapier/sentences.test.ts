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
const WRONG_ADDRESS =
  "Docshare was not found at this address. Check that the connection's base URL ends in /api/v1 and that its API key has the permission";

test.each<[string, Reply, readonly [string, Fields], string]>([
  [
    '401',
    { status: 401, text: 'unknown key' },
    CHANGE,
    'Docshare rejected this API key: it was revoked, or lacks the permission links:write. Check it in Settings → API keys, then reconnect this account.',
  ],
  [
    '401 for a scope',
    { status: 401, text: 'missing scope' },
    CHANGE,
    `The API key lacks the permission links:write. Grant it in Settings → API keys, then try again.`,
  ],
  [
    '402',
    { status: 402, text: 'upgrade', headers: hours },
    MAKE,
    'Your Docshare plan does not include this, or a payment is due. Check your billing in Docshare, then replay this run.',
  ],
  [
    '403',
    { status: 403 },
    CHANGE,
    `The API key lacks the permission links:write. Grant it in Settings → API keys, then try again.`,
  ],
  ['404 of a list', { status: 404 }, READ, `${WRONG_ADDRESS} Rooms: read (datarooms:read).`],
  [
    '404 as a web page',
    { status: 404, text: '<!doctype html><title>Nothing here</title>', headers: html },
    CHANGE,
    "This link was not found, or the base URL is wrong. Choose another link in this step, and check that the connection's base URL ends in /api/v1.",
  ],
  [
    '404 for a scope',
    { status: 404, text: 'insufficient scope' },
    CHANGE,
    `The API key lacks the permission links:write. Grant it in Settings → API keys, then try again.`,
  ],
  [
    '404 for a scope, of a report',
    { status: 404, text: 'insufficient scope' },
    REPORT,
    'The API key lacks the permission analytics:read. Grant it in Settings → API keys, then try again.',
  ],
  [
    '404 of a record',
    { status: 404, text: 'no such link' },
    CHANGE,
    'This link was not found: it may have been deleted, or your API key lacks the permission links:write. Choose another link in this step.',
  ],
  [
    '404 of a creation',
    { status: 404, text: 'no such document' },
    MAKE,
    "The document in this step was not found. Choose it from the list, or map its Document ID (not its name). Also check the API key's permission links:write.",
  ],
  [
    '405',
    { status: 405 },
    MAKE,
    "Docshare does not support this at this address. Check that the connection's base URL ends in /api/v1, with nothing after it.",
  ],
  [
    '409',
    { status: 409, text: 'is locked' },
    CHANGE,
    `The record's current state does not allow this: "is locked". Check the record in Docshare, then replay this run.`,
  ],
  [
    '413',
    { status: 413 },
    MAKE,
    'This is too large for Docshare. Use a smaller file or a shorter text in this step.',
  ],
  ['415', { status: 415 }, MAKE, 'Docshare does not accept this file type. Use another file in this step.'],
  [
    '418',
    { status: 418, text: 'teapot' },
    MAKE,
    'Docshare rejected this (status 418): "teapot". Change the fields of this step before you try again.',
  ],
  [
    '422 by field',
    {
      status: 422,
      text: '{"errors":[{"field":"name","message":"is taken"}]}',
      headers: { 'content-type': 'application/json' },
    },
    MAKE,
    'Docshare rejected these values: "name: is taken". Correct the fields of this step and try again.',
  ],
  [
    '302',
    { status: 302, headers: { location: 'https://elsewhere.test/login' } },
    MAKE,
    'Docshare redirected to another domain, so the API key was not sent. Correct the base URL in this connection.',
  ],
  [
    '429',
    { status: 429, headers: hours },
    READ,
    'The limit of 120 requests per minute is reached. Zapier tries again in 120 minutes.',
  ],
  [
    '503',
    { status: 503, headers: hours },
    READ,
    'Docshare is temporarily unavailable. Zapier tries again in 120 minutes.',
  ],
  [
    '503 until the end of the century',
    { status: 503, headers: { 'retry-after': 'Wed, 01 Jan 2099 00:00:00 GMT' } },
    READ,
    'Docshare is temporarily unavailable. Zapier tries again in 24 hours.',
  ],
  [
    '404 of a path that nobody knows',
    { status: 404 },
    OWN,
    "Nothing was found at the path of this step, or the API key lacks the permission for it. Correct the path, and check the connection's base URL and the key's permissions.",
  ],
  [
    '403 of a path that nobody knows',
    { status: 403 },
    OWN,
    'The API key lacks a permission. Grant it the permission for this path in Settings → API keys, then try again.',
  ],
  [
    '500 of a path that nobody knows',
    { status: 500 },
    OWN,
    'Docshare had an internal error (status 500), and may have completed this step. Look for the record in Docshare before you replay it.',
  ],
  [
    '500 of a Zap that is turned on',
    { status: 500 },
    TURN_ON,
    'Docshare had an internal error (status 500). Turn the Zap on again, or replay the run, in a few minutes.',
  ],
  [
    '504 of a Zap that is turned on',
    { status: 504 },
    TURN_ON,
    'Docshare did not confirm that it will send its events. Turn the Zap on again, or replay the run, in a few minutes.',
  ],
  ['404 of a Zap that is turned on', { status: 404 }, TURN_ON, `${WRONG_ADDRESS} webhooks:write.`],
  [
    '500 of a creation',
    { status: 500, text: 'oops' },
    MAKE,
    'Docshare had an internal error (status 500): "oops", and may have completed this step. Look for the link in Docshare before you replay it.',
  ],
  [
    '500',
    { status: 500, text: 'oops' },
    READ,
    `Docshare had an internal error (status 500): "oops". Replay this run in a few minutes. If it fails again, contact Docshare's support.`,
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
    `The certificate of https://127.0.0.1:${port} is not valid, so nothing was sent. Check the connection's base URL, or contact the administrator of this server.`,
  );
  expect(await at('http://127.0.0.1:1/api/v1')).toBe(
    "Docshare could not be reached at http://127.0.0.1:1. Check the connection's base URL. If it is correct, replay this run when the server is back.",
  );
  const noHost = new NetworkError(
    'rooms.list: the service could not be reached at https://x.invalid (ENOTFOUND). Check it.',
    'ENOTFOUND',
  );
  expect(clientErrorMessage(noHost).text).toBe(
    "There is no server at https://x.invalid. Correct the connection's base URL: copy it from Settings → API keys.",
  );
});

test.each([
  [
    new TimeoutError('rooms.list: no whole answer before the deadline.'),
    'Docshare did not answer in time. It is safe to replay this run.',
  ],
  [
    new UploadError('documents.upload: refused', { status: 403 }),
    'The upload failed: the storage answered 403. No document was created. It is safe to replay this run.',
  ],
  [
    new UploadError('x', { pending: { storageKey: 's', token: 't' } }),
    'The file was uploaded, but Docshare did not create a document from it. Look for it in Docshare, and replay this step if it is not there.',
  ],
  [new NetworkError('documents.list: something else.'), 'Something else.'],
  [
    new IncompleteListError({ operation: 'rooms.list', reason: 'r', itemsRead: 20 }),
    'Your workspace has more rooms than one step can search (20 read). Use the ID from the step that created the record, or narrow the search.',
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

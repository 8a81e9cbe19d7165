/** Services that respond oddly, endlessly or not at all: the budget is kept, and what can be learned is written. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { startWebhookReceiver } from '../../learn/probes/webhook-receiver.ts';
import { createReport } from '../../learn/report/create-report.ts';
import { renderMarkdown } from '../../learn/report/render-markdown.ts';
import { parseProfile } from '../../src/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { listenForTest } from '../support/listen.ts';
import { texts } from './texts.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, n: number) => void;

async function learnFrom(answer: Answer, options: { timeoutMs?: number; write?: boolean } = {}) {
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    calls += 1;
    answer(request, response, calls);
  });
  const origin = await listenForTest(server);
  // Its own key, so that no other test uses up its rate limit.
  const apiKey = `key_${new URL(origin).port}`;
  const learned = await learn({
    apiKey,
    baseUrl: `${origin}/api/v1`,
    timeoutMs: options.timeoutMs ?? 20_000,
    ...(options.write ? { write: { apiKey } } : {}),
  });
  const written = `${JSON.stringify(learned.profile)}${renderMarkdown(createReport(learned))}`;
  parseProfile(JSON.parse(JSON.stringify(learned.profile)));
  return { ...learned, calls, written };
}

const json = (response: ServerResponse, value: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
};

const entries = (n: number) => Array.from({ length: 10 }, (_, index) => ({ id: `it_${n}00${index}x`, name: 'x' }));
const WIDE = `{"data":[{${Array.from({ length: 100_000 }, (_, n) => `"f${n}":${n}`)}}]}`;

const SERVICES: Readonly<Record<string, Answer>> = {
  'responds with 500 to every request': (_, response) => json(response, { error: 'x' }, 500),
  'responds with 500 to every query parameter': ({ url = '' }, response) =>
    url.includes('?') ? json(response, { error: 'x' }, 500) : json(response, { data: entries(1) }),
  'responds with 401 to every request': (_, response) => json(response, { error: 'x' }, 401),
  'responds with a web page to every request': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Sign in</title>');
  },
  'redirects in a circle': (request, response) => {
    response.writeHead(302, { location: `${request.url}` });
    response.end();
  },
  'redirects to another host': (_, response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:9/secret-t0ken' });
    response.end();
  },
  'has endless lists': (_, response, n) =>
    json(response, { data: entries(n), next_cursor: `c${n}`, has_more: true, total: 1e9 }),
  'repeats the same page and says that more exist': (_, response) =>
    json(response, { data: entries(1), next_cursor: 'again', has_more: true }),
  'nests lists deeper than the call stack': (_, response) =>
    json(response, `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
  'nests objects deeper than the call stack': (_, response) =>
    json(response, `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
  'has field names such as __proto__': (_, response) =>
    json(response, '{"data":[{"id":"a","__proto__":{"x":1},"constructor":1,"toString":0},{"id":"a2"}],"__proto__":[]}'),
  'has a hundred thousand fields': ({ url = '' }, response) =>
    json(response, /\/(?:documents|links)/.test(url) ? WIDE : { data: [] }),
  'responds with unusual JSON': (_, response, n) =>
    json(response, ['null', '1', '"x"', 'true', '[]', '{}', '[null,1,"a"]', '{"data":null}'][n % 8] ?? ''),
  'truncates its JSON': (_, response) => json(response, '{"data": [{"id": "x"'),
  'declares JSON and sends bytes': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(Buffer.from([0xff, 0xfe, 0, 1, 2, 3]));
  },
  'disconnects in the middle of a response': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"data":');
    setTimeout(() => response.destroy(), 5);
  },
  [texts.hangsUpAtOnce]: (_, response) => void response.destroy(),
  'has a header of 10,000 characters': (_, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-request-id': 'a'.repeat(10_000),
      'x-t0ken-9f8e7d6c5b': 'v',
    });
    response.end('{"data":[]}');
  },
  'accepts everything': (_, response) => json(response, { id: 'x_1234567', ok: true }, 201),
  'responds with 404 to every request': (_, response) => json(response, { message: 'Not Found' }, 404),
};

test.for(Object.keys(SERVICES))('a service that %s is learned as far as possible, within the budget', async (name) => {
  const answer = SERVICES[name];
  if (!answer) throw new Error(name);
  const { calls, written, profile } = await learnFrom(answer);
  expect(calls).toBeLessThanOrEqual(60);
  expect(profile.learned.calls).toBe(calls);
  expect(written).not.toMatch(/t0ken|it_\d00/);
  // Of an object, 500 fields are read.
  expect(written).not.toMatch(/`: \d{4,}$/m);
});

test('a service that never responds is given up after three calls', async () => {
  const { calls, stopReason } = await learnFrom(() => undefined, { timeoutMs: 50 });
  expect(stopReason).toMatch(texts.n3CallsRowHad);
  expect(calls).toBeLessThanOrEqual(6);
});

test('a service that asks for a pause of a day gets no more calls', async () => {
  const { calls, stopReason } = await learnFrom((_, response) => {
    response.writeHead(429, { 'retry-after': '86400' });
    response.end();
  });
  expect(stopReason).toMatch(texts.rateLimitOfTheService);
  expect(calls).toBeLessThanOrEqual(2);
});

test('a huge response costs no more than the part that is read', async () => {
  const { calls, stopReason } = await learnFrom((request, response) => {
    if (request.url !== '/api/v1/documents') return json(response, { data: [] });
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = `${'[1,'.repeat(1)}${'1,'.repeat(500_000)}`;
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  });
  expect(stopReason).toBeUndefined();
  expect(calls).toBeLessThanOrEqual(60);
});

test('the learner deletes nothing on a service that does not report unknown routes, and creates nothing it could not delete', async () => {
  const acts: string[] = [];
  await learnFrom(
    (request, response) => {
      if (request.method !== 'GET')
        acts.push(`${request.method} ${request.url?.replace(/[0-9a-f]{12,}|\d{6,}/g, '#')}`);
      if (request.method === 'DELETE') return json(response, {}, 204);
      if (request.method === 'GET') return json(response, { data: [{ id: 'abcdefgh' }] });
      json(response, { id: 'abcdefgh' }, 201);
    },
    { write: true },
  );
  // Every creation returns an existing object: none of them is touched.
  expect(acts.filter((act) => act.startsWith('DELETE') && act.includes('abcdefgh'))).toEqual([]);
  expect(acts.filter((act) => /^POST \/api\/v1\/(?:rooms|contacts|agreements|proposals|documents)$/.test(act))).toEqual(
    [],
  );
  expect(acts.filter((act) => act.includes('send'))).toEqual([]);
});

test('a service that rejects the key receives only GET requests', async () => {
  const methods = new Set<string | undefined>();
  const refuse: Answer = ({ method }, response) => {
    methods.add(method);
    json(response, {}, 401);
  };
  const { stopReason } = await learnFrom(refuse, { write: true });
  expect([stopReason, [...methods]]).toEqual([expect.stringContaining('API key'), ['GET']]);
});

test('only a POST to the URL of this run counts as a delivery', async () => {
  const receiver = await closeAfterTest(startWebhookReceiver({ port: 0, marker: 'docshare-learn-0123456789ab' }));
  const ask = async (path: string, method = 'POST') => {
    const body = method === 'POST' ? path : undefined;
    const { status } = await fetch(`${receiver.url}${path}`, { method, ...(body && { body }) });
    return status;
  };
  // Anyone who knows the public URL can call it.
  expect(await ask('/docshare-learn-ba9876543210')).toBe(404);
  expect(await ask('/')).toBe(404);
  expect(await ask('/docshare-learn-0123456789ab', 'GET')).toBe(404);
  expect(await ask('/docshare-learn-0123456789ab')).toBe(204);
  const came = await receiver.waitForDeliveries(0, AbortSignal.abort());
  expect(came.map(({ body }) => body.toString())).toEqual(['/docshare-learn-0123456789ab']);
});

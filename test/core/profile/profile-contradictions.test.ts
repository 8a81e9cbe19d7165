import { expect, test } from 'vitest';
import { type Contradiction, createClient, type ServiceProfile } from '../../../src/index.ts';
import { endWithTest } from '../../support/cleanup.ts';
import { NOTHING_LEARNED } from '../../support/create-profile.ts';
import { json, openScripted, type ScriptedAnswer } from '../../support/scripted-service.ts';
import { texts } from '../texts.ts';

const answer = (body: object, status = 200) =>
  ({ status, media: 'application/json', headers: {}, body, seen: 3 }) as const;
const Link = {
  type: 'object',
  properties: { id: { type: 'string' }, views: { type: 'integer' }, url: { type: ['string', 'null'] } },
  required: ['id'],
} as const;
const learned: Partial<ServiceProfile> = {
  operations: {
    'links.create': { response: answer({ type: 'object', properties: { data: Link } }, 201), item: ['data'] },
    'links.update': { response: answer(Link), item: [] },
    'links.list': {
      response: answer({
        type: 'object',
        properties: { data: { type: 'array', items: { ...Link, 'x-seen': 9 } }, onwards: { type: ['string', 'null'] } },
        required: ['data'],
      }),
      list: {
        at: ['data'],
        next: { by: 'cursor', at: ['onwards'], params: ['behind'] },
        size: { default: 2, max: 50, param: 'rows' },
        query: {},
      },
    },
  },
};

async function serve(answers: readonly ScriptedAnswer[], profile = learned) {
  const said: Contradiction[] = [];
  const logged: string[] = [];
  const service = await openScripted(answers);
  const baseUrl = `${service.origin}/api/v1`;
  const client = createClient({
    apiKey: 'key_live_0123456789',
    baseUrl,
    profile: { ...NOTHING_LEARNED, ...profile, service: baseUrl },
    retry: { retries: 0 },
    hooks: { onContradiction: (seen) => said.push(seen) },
    logger: (level, message, fields) => {
      if (level === 'warn') logged.push(`${message} ${JSON.stringify(fields)}`);
    },
  });
  const lines = () => service.requests.map(({ line }) => line.replace('/api/v1', ''));
  return { client: endWithTest(client), said, logged, lines };
}

test('a service that matches its profile is called as learned, without a contradiction', async () => {
  const pages = [
    json({ data: [{ id: 'a', views: 1, url: null }], onwards: 'x2', fresh: true }),
    json({ data: [{ id: 'b', views: null, url: 'https://x' }], onwards: null }),
    json({ data: { id: 'l1', views: 0.5, url: 'https://x' } }, 201),
  ];
  const { client, said, lines } = await serve(pages);
  expect(await client.links.list().collect()).toHaveLength(2);
  expect(await client.links.create({ document_id: 'd' })).toMatchObject({ id: 'l1' });
  expect(lines()).toEqual(['GET /links?rows=50', 'GET /links?behind=x2&rows=50', 'POST /links']);
  expect(said).toEqual([]);
});

test.each<[string, ScriptedAnswer[], Partial<Contradiction>[]]>([
  [
    'another envelope',
    [json({ links: [{ id: 'a' }] })],
    [{ fact: 'operations.links.list.list.at', expected: 'the list in data', actual: 'no list there, but object' }],
  ],
  [
    texts.listOtherEntriesWhere,
    [json({ data: [{ rel: 1 }], links: [{ id: 'a' }] })],
    [{ fact: 'operations.links.list.list.at', actual: texts.listOtherEntriesThere }],
  ],
  [
    'a field of another type',
    [json({ data: [{ id: 'a', views: 'many' }] })],
    [{ fact: 'operations.links.list.response.body.data[].views', expected: 'integer', actual: 'string' }],
  ],
  [
    'another status and media type',
    [json({ data: [{ id: 'a' }] }, 203, { 'content-type': 'application/vnd.api+json' })],
    [
      { fact: 'operations.links.list.response.status', expected: '200', actual: '203' },
      { fact: 'operations.links.list.response.media', actual: 'application/vnd.api+json' },
    ],
  ],
  [
    'a cursor in another field',
    [json({ data: [{ id: 'a' }], next_cursor: 'c2' }), json({ data: [{ id: 'b' }], next_cursor: null })],
    [{ fact: 'operations.links.list.list.next', actual: texts.aResponseThatLeadsOn }],
  ],
  [
    'a cursor whose parameter is rejected',
    [
      json({ data: [{ id: 'a' }], onwards: 'c2', next_cursor: 'c2' }),
      json({ error: 'unknown parameter behind' }, 400),
      json({ data: [{ id: 'b' }], onwards: null, next_cursor: null }),
    ],
    [{ fact: 'operations.links.list.list.next', actual: 'rejected with status 400' }],
  ],
  [
    'a cursor whose parameter is ignored, beside one that works',
    [
      json({ data: [{ id: 'a' }], onwards: 'c2', next_cursor: 'c2' }),
      json({ data: [{ id: 'a' }], onwards: 'c2', next_cursor: 'c2' }),
      json({ data: [{ id: 'b' }], onwards: null, next_cursor: null }),
    ],
    [{ fact: 'operations.links.list.list.next', actual: 'the same page again' }],
  ],
  [
    'a page size parameter that is rejected',
    [json({ error: 'unknown parameter rows' }, 422), json({ data: [{ id: 'a' }] })],
    [{ fact: 'operations.links.list.list.size', actual: 'rejected with status 422' }],
  ],
  [
    'a page size parameter with another meaning',
    [json({ data: [] }), json({ data: [{ id: 'a' }] })],
    [{ fact: 'operations.links.list.list.size', actual: 'an empty page' }],
  ],
])('%s: reported once, and the list is complete', async (_, answers, contradictions) => {
  const { client, said, logged } = await serve(answers);
  const ids = (await client.links.list().collect()).map(({ id }) => id);
  expect(ids).toEqual(JSON.stringify(ids).includes('b') ? ['a', 'b'] : ['a']);
  await client.links.list();
  expect(said).toMatchObject(contradictions);
  expect(said).toHaveLength(contradictions.length);
  expect(logged).toHaveLength(contradictions.length);
  expect(logged[0]).toMatch(texts.serviceLongerMatchesProfile);
});

test('an object in another location is found', async () => {
  const { client, said } = await serve([
    json({ link: { id: 'l1', url: 'https://x' } }, 201),
    json({ data: { id: 'l2', views: 2 } }),
    json({ data: { id: 'l3', views: 2 } }),
  ]);
  expect(await client.links.create({ document_id: 'd' })).toMatchObject({ id: 'l1', url: 'https://x' });
  expect(await client.links.update({ id: 'l2' })).toMatchObject({ id: 'l2', views: 2 });
  expect(await client.links.update({ id: 'l3' })).toMatchObject({ id: 'l3', views: 2 });
  expect(said.map(({ fact, actual }) => `${fact}: ${actual}`)).toEqual([
    'operations.links.create.item: no object',
    texts.operationsLinksUpdateItem,
  ]);
});

test('a contradiction contains no value of a response and no control character of a profile', async () => {
  const operations = {
    'links.update': {
      response: answer({ type: 'object', properties: { id: { type: 'string' }, 'a\u001b[31mb': { type: 'integer' } } }),
      item: [],
    },
  };
  const canary = 'canary-5f1e';
  const { client, said, logged } = await serve([json({ id: 'l', 'a\u001b[31mb': canary })], { operations });
  await client.links.update({ id: 'l' });
  expect(said).toEqual([
    {
      operation: 'links.update',
      fact: 'operations.links.update.response.body.a [31mb',
      expected: 'integer',
      actual: 'string',
    },
  ]);
  expect(logged.join()).not.toContain(canary);
});

test('another form of a download is reported once, and the file is found', async () => {
  const url = 'https://files.example.com/f1?signature=abcdef';
  const facts: ServiceProfile['facts'] = { download: { by: 'url', status: 200, at: ['file', 'whereabouts'] } };
  const redirect: ScriptedAnswer = (_, response) => void response.writeHead(302, { location: url }).end();
  const { client, said } = await serve([json({ file: { whereabouts: url } }), redirect, redirect], { facts });
  for (let turn = 0; turn < 3; turn += 1) expect((await client.agreements.document({ id: 'a1' })).url).toBe(url);
  expect(said).toEqual([
    { operation: 'agreements.document', fact: 'facts.download', expected: 'url', actual: 'redirect' },
  ]);
});

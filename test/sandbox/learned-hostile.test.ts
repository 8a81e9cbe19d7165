/** Profile files are untrusted: they are rejected with a sentence, or do no harm. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, type ServiceInput } from '../../sandbox/index.ts';
import { operations, type ResponseShape, type ServiceProfile } from '../../src/index.ts';
import { sendJson } from '../support/ask-service.ts';
import { closeAfterAll, closeAfterTest, createFolderForFile } from '../support/cleanup.ts';
import { createResponseShape, createSchema, NOTHING_LEARNED } from '../support/create-profile.ts';
import { withoutSocket } from '../support/without-socket.ts';
import { texts } from './texts.ts';

const folder = createFolderForFile('docshare-learned-');

const file = async (text: string) => {
  const path = join(folder, 'docshare.profile.json');
  await writeFile(path, text);
  return path;
};

const INTEGER = { type: 'integer' } as const;
const LIST = { type: 'array' } as const;
const answer: ResponseShape = { status: 200, media: 'application/json', headers: {}, seen: 1 };
const listed = (list: object, given: Partial<ResponseShape> = {}): ServiceProfile => ({
  ...NOTHING_LEARNED,
  operations: {
    'rooms.list': { response: { ...answer, ...given }, list: { at: ['data'], size: {}, query: {}, ...list } },
  },
});

test.each([
  ['a status of 999', listed({}, { status: 999 }), 'operations.rooms.list.response.status'],
  ['a header with a line break', listed({}, { headers: { 'x-a\r\nset-cookie: b': {} } }), texts.isNotAHeader],
  ['a connection header', listed({}, { headers: { 'transfer-encoding': {} } }), texts.isNotAHeader],
  ['a media type with a line break', listed({}, { media: 'text/html\r\nx: y' }), texts.isNotAMediaType],
  ['pages of size 0', listed({ size: { default: 0 } }), 'operations.rooms.list.list.size.default'],
  ['a path with too many segments', listed({ at: Array(5_000).fill('a') }), 'operations.rooms.list.list.at'],
  [
    'a rejection with status 200',
    { ...NOTHING_LEARNED, rejections: { unknownId: { ...answer, status: 200 } } },
    'rejections.unknownId.status',
  ],
] as const)('%s is rejected with its position', async (_, learned, message) => {
  await expect(createSandbox({ profile: learned as ServiceInput })).rejects.toThrow(message);
});

test('a profile file is distinguished from a preset name, and a missing, invalid or too deep one is named', async () => {
  const path = join(folder, 'missing.json');
  await expect(createSandbox({ profile: path })).rejects.toThrow(`${path} can't be read`);
  await expect(createSandbox({ profile: 'nosuch' })).rejects.toThrow('No profile "nosuch"');
  const line = 'modern+contentType=application/json; charset=utf-8';
  await (await createSandbox({ profile: line })).close();
  const deep = `${'{"properties":{"a":'.repeat(5_000)}{}${'}}'.repeat(5_000)}`;
  const text = JSON.stringify(listed({}, { body: {} })).replace('"body":{}', `"body":${deep}`);
  await expect(createSandbox({ profile: await file(text) })).rejects.toThrow(/docshare\.profile\.json.*(deep|nest)/);
  const many = Array.from({ length: 250_000 }, (_, index) => `"f${index}":{}`).join();
  const huge = JSON.stringify(listed({}, { body: { type: 'object', properties: {} } })).replace(
    '"properties":{}',
    `"properties":{${many}}`,
  );
  await expect(createSandbox({ profile: await file(huge) })).rejects.toThrow('more than 200000 values');
});

/** Unusual formats that a real service could have. */
const ODD: Readonly<Record<string, ServiceProfile>> = {
  'a list instead of an object': listed({ at: ['a'], total: ['a', 'b'] }, { body: { type: 'array', items: {} } }),
  'names of every object': listed(
    { at: ['constructor'], next: { by: 'page', at: ['toString'], params: ['valueOf'] } },
    { body: { type: 'object', properties: { hasOwnProperty: INTEGER, constructor: LIST } } },
  ),
  'texts where records stand': listed({}, { body: { type: 'object', properties: { data: { type: 'string' } } } }),
  'an empty answer': listed({}, { status: 204, media: null }),
  'a template without places': {
    ...NOTHING_LEARNED,
    facts: { webhook: { a: { b: { c: {} } }, list: [[['{url}']]] }, uploadStart: { x: 1 }, removals: ['__proto__'] },
  },
  'a rejection without a text': {
    ...NOTHING_LEARNED,
    rejections: {
      unknownId: {
        status: 404,
        media: 'application/json',
        headers: {},
        body: { type: 'array', items: { type: 'null' } },
        seen: 1,
      },
    },
  },
};

test.each(Object.entries(ODD))('the sandbox runs a profile with %s without a crash', async (_, odd) => {
  const learned: ServiceProfile = JSON.parse(JSON.stringify(odd));
  const everything = Object.fromEntries(
    operations.map(({ name }) => [name, learned.operations[name] ?? learned.operations['rooms.list'] ?? {}]),
  );
  for (const played of [learned, { ...learned, operations: everything }]) {
    const sandbox = await closeAfterTest(createSandbox({ profile: played, clock: 'manual' }));
    const headers = { authorization: `Bearer ${sandbox.key()}`, 'content-type': 'application/json' };
    for (const { operation } of operations) {
      const [method = '', path = ''] = operation.route.split(' ');
      const answer = await withoutSocket({
        method,
        url: sandbox.url + path.replace('{id}', 'x'),
        headers,
        ...(method !== 'GET' && method !== 'DELETE' ? { body: '{"name":"n","email":"a@example.com"}' } : {}),
      });
      expect(answer.status, operation.route).toBeLessThan(500);
      for await (const _ of answer.body);
      await sandbox.clock.advance(1000);
    }
  }
});

const reply = (status: number, value: unknown) =>
  createResponseShape({ status, headers: { 'content-type': 'application/vnd.api+json' }, body: JSON.stringify(value) });
const room = {
  id: 'r1',
  type: 'rooms',
  attributes: { name: 'x', description: null, createdAt: '2026-01-01T00:00:00Z', reviewedAt: 'x' },
  relationships: { owner: { data: { id: 'u1', type: 'users' } } },
};
const link = {
  id: 'l1',
  type: 'links',
  attributes: { url: 'https://example.com', emailRequired: true, document: { id: 'd', name: 'n' } },
};
const next = 'https://example.com/?page[number]=2';
const LEARNED: ServiceProfile = {
  ...NOTHING_LEARNED,
  operations: {
    'rooms.list': {
      response: reply(200, { data: [room], links: { self: next, next }, meta: { total: 3 } }),
      list: {
        at: ['data'],
        next: { by: 'url', at: ['links', 'next'], params: ['page[number]'], first: 1 },
        size: { default: 1, param: 'page[size]', max: 50 },
        more: { at: ['meta', 'more'], means: 1 },
        query: {},
      },
    },
    'rooms.create': {
      response: reply(201, { data: room }),
      item: ['data'],
      requestBody: createSchema({ data: { attributes: { name: 'x' }, type: 'rooms' } }),
    },
    'links.list': {
      response: reply(200, { data: [link] }),
      list: { at: ['data'], size: {}, query: {}, more: { at: ['more'], means: 'yes' } },
    },
  },
  rejections: {
    badBody: reply(422, { errors: [{ status: '422', detail: 'y', source: { pointer: '/data/attributes/name' } }] }),
  },
};

const sandbox = await closeAfterAll(
  createSandbox({ profile: LEARNED, clock: 'manual', seed: 1, at: '2026-11-21T09:00Z' }),
);
const key = sandbox.key();
const call = (method: string, path: string, body?: object) => sendJson(sandbox, { key, method, path, body });

test('wrapped bodies are read, and responses are wrapped', async () => {
  const attributes = { name: 'Mine', reviewed_at: 'soon' };
  const made = await call('POST', '/rooms', { data: { type: 'rooms', attributes } });
  expect(made.status).toBe(201);
  const times = { createdAt: '2026-11-21T09:00:00.000Z', reviewedAt: 'soon' };
  expect(made.body.data.attributes).toEqual({ name: 'Mine', description: null, ...times });
  expect(sandbox.snapshot().state.rooms.get(made.body.data.id)?.name).toBe('Mine');
  const { data, links, meta } = (await call('GET', '/rooms?page[size]=2')).body;
  expect(data[0]).toEqual(made.body.data);
  expect(meta).toEqual({ total: sandbox.snapshot().state.rooms.size, more: 1 });
  expect(links.next).toBe(`${sandbox.url}/rooms?page%5Bsize%5D=2&page%5Bnumber%5D=2`);
  const second = (await call('GET', '/rooms?page[size]=2&page[number]=2')).body;
  expect([second.data.length, second.meta.more]).toEqual([meta.total - 2, 0]);
});

test('nested objects have their own fields and no fields of another kind', async () => {
  const { data, more } = (await call('GET', '/links')).body;
  const [shown] = data;
  expect(more).toBe('');
  const stored = sandbox.snapshot().state.links.get(shown.id);
  expect(shown.attributes).toMatchObject({
    emailRequired: stored?.email_required,
    document: { id: stored?.document_id },
  });
  expect((await call('POST', '/proposals', { name: 'Offer' })).body).toMatchObject({ name: 'Offer', status: 'draft' });
});

const CONTACT = { email: 'mine@example.com', title: 'Other', name: 'Mine' };
const TAGS = `/contacts/${[...sandbox.snapshot().state.contacts.keys()][0]}/tags`;
const refuse = (detail: string, pointer: string) => ({ errors: [{ status: '422', detail, source: { pointer } }] });

test.each<[string, object, number, object]>([
  ['/rooms', {}, 422, refuse('is required', '/name')],
  ['/rooms', { word: 'Mine' }, 422, refuse('is required', '/name')],
  ['/rooms', { subjectLine: 'Mine' }, 201, { data: { attributes: { name: 'Mine' } } }],
  ['/contacts', CONTACT, 201, CONTACT],
  [TAGS, { words: ['vip'] }, 200, { tags: expect.arrayContaining(['vip']) }],
  [TAGS, { words: ['vip'], more: 1 }, 422, refuse('is required', '/tags')],
  [TAGS, ['vip'], 422, refuse('It must be a JSON object', '/')],
])('a POST to %s reads %j by the learned and similar names', async (path, body, status, answer) => {
  expect(await call('POST', path, body)).toMatchObject({ status, body: answer });
});

test.each([
  [{ by: 'bytes', status: 203, sameOrigin: true }, 203, false],
  [{ by: 'redirect', status: 307, sameOrigin: true }, 307, true],
] as const)('a download by %j has its status', async (download, status, isElsewhere) => {
  const learned = { ...NOTHING_LEARNED, facts: { download }, operations: { 'agreements.document': {} } };
  const other = await closeAfterTest(createSandbox({ profile: learned, clock: 'manual' }));
  const [id] = other.snapshot().state.agreements.keys();
  const headers = { authorization: `Bearer ${other.key()}` };
  const answer = await fetch(`${other.url}/agreements/${id}/document`, { headers, redirect: 'manual' });
  expect([answer.status, answer.headers.has('location')]).toEqual([status, isElsewhere]);
});

/** A service that wraps everything, including request bodies. */
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import type { ServiceProfile } from '../../src/index.ts';
import { sendJson } from '../support/ask-service.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import { createResponseShape, createSchema, NOTHING_LEARNED } from '../support/create-profile.ts';

const reply = (status: number, value: unknown) =>
  createResponseShape({ status, headers: { 'content-type': 'application/vnd.api+json' }, body: JSON.stringify(value) });
const owner = { data: { id: 'u1', type: 'users' } };
const room = {
  id: 'r1',
  type: 'rooms',
  attributes: { name: 'x', description: null, createdAt: '2026-01-01T00:00:00Z' },
  relationships: { owner },
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
        query: {},
      },
    },
    'rooms.create': {
      response: reply(201, { data: room }),
      item: ['data'],
      requestBody: createSchema({ data: { attributes: { name: 'x' }, type: 'rooms' } }),
    },
    'links.list': { response: reply(200, { data: [link] }), list: { at: ['data'], size: {}, query: {} } },
  },
  rejections: {
    badBody: reply(422, { errors: [{ status: '422', detail: 'y', source: { pointer: '/data/attributes/name' } }] }),
  },
};

let key = '';
const sandbox = await closeAfterAll(
  createSandbox({ profile: LEARNED, clock: 'manual', seed: 1, at: '2026-11-21T09:00Z' }),
);
key = sandbox.key();

const call = (method: string, path: string, body?: object) => sendJson(sandbox, { key: key, method, path, body });

test('wrapped bodies are read, and responses are wrapped', async () => {
  const made = await call('POST', '/rooms', { data: { type: 'rooms', attributes: { name: 'Mine' } } });
  expect(made.status).toBe(201);
  expect(made.body.data.attributes).toEqual({ name: 'Mine', description: null, createdAt: '2026-11-21T09:00:00.000Z' });
  expect(sandbox.snapshot().state.rooms.get(made.body.data.id)?.name).toBe('Mine');
  const { data, links, meta } = (await call('GET', '/rooms?page[size]=2')).body;
  expect(data[0]).toEqual(made.body.data);
  expect(meta.total).toBe(sandbox.snapshot().state.rooms.size);
  expect(links.next).toBe(`${sandbox.url}/rooms?page%5Bsize%5D=2&page%5Bnumber%5D=2`);
  expect((await call('GET', '/rooms?page[size]=2&page[number]=2')).body.data).toHaveLength(meta.total - 2);
});

test('nested objects have their own fields and no fields of another kind', async () => {
  const [shown] = (await call('GET', '/links')).body.data;
  const stored = sandbox.snapshot().state.links.get(shown.id);
  expect(shown.attributes).toMatchObject({
    emailRequired: stored?.email_required,
    document: { id: stored?.document_id },
  });
  const other = await call('POST', '/proposals', { name: 'Offer' });
  expect(other.body).toMatchObject({ name: 'Offer', status: 'draft' });
});

test('an error has the position of the field in the learned format', async () => {
  expect(await call('POST', '/rooms', {})).toMatchObject({
    status: 422,
    body: { errors: [{ status: '422', detail: 'is required', source: { pointer: '/name' } }] },
  });
});

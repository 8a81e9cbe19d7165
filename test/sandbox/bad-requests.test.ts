/** Thousands of drawn bad requests over all routes: the service stays up, small, and readable. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../sandbox/base/random.ts';
import { operations } from '../../src/index.ts';
import { BAD_TEXTS, drawBadRequest, TYPES } from '../support/bad-requests.ts';
import { COMPILED } from '../support/entry.ts';

/** Ten connections that stay open: `fetch` would be more work than the service that it asks. */
const agent = new Agent({ connections: 10 });
let child: ChildProcess;
let service: { url: string; origin: string; key: string };
beforeAll(async () => {
  child = fork('test/support/sandbox-child.ts', { execArgv: ['--expose-gc'], env: { ...process.env, ...COMPILED } });
  [service] = await once(child, 'message');
});
afterAll(async () => {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
  await agent.close();
});

async function send(input: {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}) {
  const { method, path, body = null } = input;
  const isApi = path.startsWith('/api');
  const headers = { ...(isApi && { authorization: `Bearer ${service.key}` }), ...input.headers };
  const answer = await request(new URL(service.origin + path), { method, headers, body, dispatcher: agent });
  return { status: answer.statusCode, text: await answer.body.text() };
}

const api = async (method: string, path: string, body?: string, type = 'application/json') =>
  send({ method, path: `/api/v1${path}`, headers: { 'content-type': type }, ...(body === undefined ? {} : { body }) });

/** The rate limit uses the sandbox's clock, which only moves when a test advances it. */
const nextMinute = () =>
  send({
    method: 'POST',
    path: '/_sandbox/clock/advance',
    headers: { 'content-type': 'application/json' },
    body: '{"ms":60000}',
  });

async function memory(): Promise<{ rss: number; heap: number }> {
  child.send('memory');
  const [reading] = await once(child, 'message');
  return reading;
}

const READS = operations.filter(({ operation }) => operation.route.startsWith('GET '));

/** Every list with all its pages; gives the ids that stand in each, by the last word of its path. */
async function readLists(): Promise<Record<string, string[]>> {
  const lists: Record<string, string[]> = {};
  for (const { operation } of READS.filter(({ operation }) => !operation.route.includes('{'))) {
    const path = operation.route.slice('GET '.length);
    const ids: string[] = [];
    lists[path.slice(path.lastIndexOf('/') + 1)] = ids;
    for (let cursor = ''; ; ) {
      await nextMinute();
      const { status, text } = await api('GET', `${path}?limit=100${cursor && `&cursor=${cursor}`}`);
      expect([path, status]).toEqual([path, 200]);
      const answer = JSON.parse(text);
      for (const { id } of answer.data ?? []) ids.push(`${id}`);
      if (!answer.next_cursor) break;
      cursor = answer.next_cursor;
    }
  }
  return lists;
}

/** Every list, and every record that can be asked for by its id. */
async function readEverything(): Promise<void> {
  const lists = await readLists();
  const odd: unknown[] = [];
  for (const { operation } of READS.filter(({ operation }) => operation.route.includes('{'))) {
    const [, of = ''] = /(\w+)\/\{id\}/.exec(operation.route) ?? [];
    for (const [index, id] of (lists[of] ?? ['of-no-list']).entries()) {
      if (index % 100 === 0) await nextMinute();
      const path = operation.route.slice('GET '.length).replace('{id}', encodeURIComponent(id));
      const { status } = await api('GET', path);
      if (status !== 200 && status !== 404) odd.push([path, status]);
    }
  }
  expect(odd).toEqual([]);
}

const WRITES = operations.filter(({ operation }) => /^(POST|PUT|PATCH)/.test(operation.route));

test.each(Object.entries(BAD_TEXTS))(
  '%s in the body of any operation is answered, and every list is read after it',
  async (_, text) => {
    await nextMinute();
    const { data } = JSON.parse((await api('GET', '/rooms')).text);
    for (const { operation } of WRITES) {
      const [method = '', path = ''] = operation.route.split(' ');
      const { status } = await api(method, path.replace('{id}', data[0].id), text);
      expect([operation.route, status]).toEqual([operation.route, expect.toSatisfy((s) => s < 500)]);
    }
    await nextMinute();
    for (const path of [
      '/documents',
      '/links',
      '/rooms',
      '/agreements',
      '/proposals',
      '/templates',
      '/contacts',
      '/webhooks',
    ])
      expect([path, (await api('GET', path)).status]).toEqual([path, 200]);
  },
);

test('no content type makes an operation fail with a server error', async () => {
  for (const type of new Set(TYPES)) {
    await nextMinute();
    for (const { operation } of WRITES) {
      const [method = '', path = ''] = operation.route.split(' ');
      const { status } = await api(method, path.replace('{id}', 'x'), '{"name":', type);
      expect([operation.route, type, status]).toEqual([
        operation.route,
        type,
        expect.toSatisfy((s) => s >= 400 && s < 500),
      ]);
    }
  }
});

test('after 600 random bad requests the service still works, with little memory', { timeout: 240_000 }, async () => {
  const random = createRandom(13);
  const ids = Object.values(await readLists()).flat();
  for (let warm = 0; warm < 200; warm++) await send(drawBadRequest(random, ids)).catch(() => undefined);
  const before = await memory();
  const faults: unknown[] = [];
  for (let round = 0; round < 6; round++) {
    await nextMinute();
    const requests = Array.from({ length: 100 }, () => drawBadRequest(random, ids));
    for (let at = 0; at < requests.length; at += 10)
      await Promise.all(
        requests.slice(at, at + 10).map(async (drawn) => {
          const { status, text } = await send(drawn);
          const isOwn = status < 500 || (status === 501 && drawn.path.startsWith('/storage/'));
          if (!isOwn) faults.push([drawn.method, drawn.path, status, text]);
        }),
      );
  }
  expect(faults).toEqual([]);
  await readEverything();
  const after = await memory();
  expect((after.rss - before.rss) / 2 ** 20).toBeLessThan(40);
});

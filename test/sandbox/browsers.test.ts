/** Programs in a browser, and the description that programs are made from. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createSandbox, PROFILE_NAMES, type Sandbox } from '../../sandbox/index.ts';
import { operations } from '../../src/index.ts';
import { texts } from './texts.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual', cors: ['https://app.example'] });
});
afterAll(() => sandbox.close());

const preflight = (url: string, origin: string) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

test.each(['*x y', 'app.example', 'https://*.example', 'https://app.example/path', 'https://a,https://b', ''])(
  'the origin "%s", which no browser sends, is refused',
  (origin) =>
    expect(createSandbox({ data: 'empty', cors: [origin] })).rejects.toThrow(
      `"${origin}" is not the origin of a website`,
    ),
);

test('an origin may be given as people write it', async () => {
  const open = await createSandbox({ data: 'empty', cors: ['HTTPS://App.Example:443/'] });
  // As it is given without types.
  const one = createSandbox({ data: 'empty', cors: 'nope' as never });
  await expect(one).rejects.toThrow(texts.nopeIsNoOriginOf);
  const answer = await preflight(`${open.url}/links`, 'https://app.example');
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
  await open.close();
});

test.each(['http://localhost:5173', 'http://127.0.0.1:1', 'https://app.example'])(
  'a program of %s may call the API and storage',
  async (origin) => {
    for (const url of [`${sandbox.url}/links`, `${sandbox.origin}/storage/uploads/x`]) {
      const asked = await preflight(url, origin);
      expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
      expect(asked.headers.get('access-control-allow-methods')).toBe('POST');
      expect(asked.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
    }
    const headers = { origin, authorization: `Bearer ${sandbox.key()}` };
    const answer = await fetch(`${sandbox.url}/links`, { headers });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect(answer.headers.get('vary')).toContain('origin');
  },
);

test.each(['https://attacker.example', 'null', 'http://localhost.attacker.example', 'http://app.example'])(
  'a program of %s may not, and none may call the control routes',
  async (origin) => {
    const asked = await preflight(`${sandbox.url}/links`, origin);
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    for (const any of [origin, 'http://localhost:5173']) {
      const control = await preflight(`${sandbox.origin}/_sandbox/keys`, any);
      expect([control.status, control.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    }
  },
);

const FILLED: Record<string, object> = {
  'links.create': { document_id: 'DOCUMENT' },
  'rooms.create': { name: 'R' },
  'contacts.create': { email: 'ada@example.com' },
  'templates.create': { name: 'T' },
  'proposals.create': { name: 'P' },
  'agreements.create': { name: 'A' },
  'documents.create': { name: 'D', content: 'aGk=' },
};

test.each(PROFILE_NAMES)('the OpenAPI document of %s describes what is answered', async (profile) => {
  sandbox.reset();
  sandbox.use(profile);
  const described = await (await fetch(`${sandbox.origin}/_sandbox/openapi.json`)).json();
  expect(described).toMatchObject({ openapi: '3.1.0', servers: [{ url: sandbox.url }] });
  expect(JSON.stringify(described)).not.toContain('{}]');
  const listed = Object.entries<object>(described.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.sort()).toEqual(operations.map(({ operation }) => operation.route).sort());
  const document = [...sandbox.snapshot().state.documents.keys()][0] ?? '';
  for (const { name, operation } of operations) {
    const [method = '', path = ''] = operation.route.split(' ');
    const isList = method === 'GET' && !path.includes('{');
    if (!isList && !FILLED[name] && !path.includes('{')) continue;
    if (sandbox.log.entries().length % 9 === 8) await sandbox.clock.advance(60_000);
    const body = JSON.stringify(FILLED[name] ?? {}).replace('DOCUMENT', document);
    const response = await fetch(sandbox.url + path.replace('{id}', 'nothing'), {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${sandbox.key()}`, 'content-type': 'application/json' },
      ...(method === 'GET' || method === 'DELETE' ? {} : { body }),
    });
    const answer = described.paths[path][method.toLowerCase()].responses[response.status];
    expect([name, response.status, typeof answer]).toEqual([name, response.status, 'object']);
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const text = await response.text();
    if (text === '') continue;
    expect([name, Object.keys(answer.content)]).toEqual([name, [type]]);
    const value = type.includes('json') ? JSON.parse(text) : text;
    const { error } = z.fromJSONSchema(answer.content[type].schema).safeParse(value);
    expect([name, error]).toEqual([name, undefined]);
  }
});

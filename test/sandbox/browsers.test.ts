import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../support/cleanup.ts';
import { texts } from './texts.ts';

const sandbox = await closeAfterAll(createSandbox({ clock: 'manual', cors: ['https://app.example'] }));

const preflight = (url: string, origin: string) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

test.each(['app.example', 'https://*.example', 'https://app.example/path'])(
  'the invalid origin "%s" is rejected',
  (origin) =>
    expect(createSandbox({ data: 'empty', cors: [origin] })).rejects.toThrow(
      `"${origin}" is not the origin of a website`,
    ),
);

test('an origin is accepted in any common spelling', async () => {
  const open = await closeAfterTest(createSandbox({ data: 'empty', cors: ['HTTPS://App.Example:443/'] }));
  // The argument as a program without types passes it.
  await expect(createSandbox({ data: 'empty', cors: 'nope' as never })).rejects.toThrow(texts.nopeIsNoOriginOf);
  const answer = await preflight(`${open.url}/links`, 'https://app.example');
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
});

test.each(['http://localhost:5173', 'http://127.0.0.1:1', 'https://app.example'])(
  'a program of %s can call the API and storage',
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
  'a program of %s cannot, and no website can call the control routes',
  async (origin) => {
    expect((await preflight(`${sandbox.url}/links`, origin)).headers.get('access-control-allow-origin')).toBeNull();
    for (const any of [origin, 'http://localhost:5173']) {
      const control = await preflight(`${sandbox.origin}/_sandbox/keys`, any);
      expect([control.status, control.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    }
  },
);

/** What the doctor says of a service, check by check. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { checkSettings, getUsableScopes } from '../../../../mcp/doctor/checks.ts';
import { SCOPES } from '../../../../src/scopes.ts';
import { texts } from '../../../mcp/texts.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Serves answers by the path below the base URL; 200 with an empty list unless told. */
async function serve(
  answer: (path: string) => { status?: number; headers?: Record<string, string | string[]>; body?: string } | undefined,
) {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const {
      status = 200,
      headers = {},
      body = /analytics|usage/.test(request.url ?? '') ? '{}' : '[]',
    } = answer(request.url?.replace('/api/v1', '') ?? '') ?? {};
    response.sendDate = false;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
}

async function examined(baseUrl: string, apiKey: string | undefined = 'key_of_a_test_1234567890') {
  const findings = await checkSettings({ apiKey, baseUrl });
  const said = Object.fromEntries(findings.checks.map(({ name, state, message }) => [name, `${state}: ${message}`]));
  return { ...findings, said };
}

test('a service that answers all says so, with its clock and what is left', async () => {
  const baseUrl = await serve(() => ({ headers: { date: new Date().toUTCString(), 'x-ratelimit-remaining': '97' } }));
  const { said, calls, readableScopes, deniedScopes } = await examined(baseUrl);
  expect(said).toMatchObject({
    address: 'ok: The service is reachable.',
    key: 'ok: The key is accepted.',
    clock: texts.okMachinesClockCorrect,
    links: 'ok: Readable (links:read).',
    limit: texts.ok97CallsLeft,
  });
  expect([calls, readableScopes.length, deniedScopes]).toEqual([10, 10, []]);
});

test('a clock that is off, and a limit that nobody tells, are said', async () => {
  const off = await serve(() => ({
    headers: { date: new Date(Date.now() - 3_600_000).toUTCString(), 'x-ratelimit-remaining': 'some' },
  }));
  const { said } = await examined(off);
  expect(said['clock']).toMatch(
    /^warning: This machine’s clock differs from the service’s by 3(59\d|60\d) s\. Turn on network time\.$/,
  );
  expect(said['limit']).toBe(texts.unknownServiceDoesReport);
  expect((await examined(await serve(() => undefined))).said['clock']).toBe(texts.unknownServiceDoesSend);
});

test('a scope that the key lacks is a warning, and is left out of those to set', async () => {
  const { said, deniedScopes, ...findings } = await examined(
    await serve((path) =>
      path.startsWith('/links')
        ? { status: 403, body: '{}' }
        : path.startsWith('/analytics')
          ? { status: 404, body: '{}' }
          : path.startsWith('/rooms') || path.startsWith('/datarooms')
            ? { status: 500, body: '{}' }
            : undefined,
    ),
  );
  expect(said['links']).toBe(texts.warningKeyLacksScope);
  expect(said['analytics']).toBe('ok: Readable (analytics:read).');
  expect(said['rooms']).toMatch(/^unknown: /);
  expect(deniedScopes).toEqual(['links:read']);
  expect(getUsableScopes({ ...findings, deniedScopes })).toEqual(SCOPES.filter((scope) => scope !== 'links:read'));
});

test.each([
  ['refuses the key', 401, 'key', 'failed'],
  ['refuses the first read alone', 403, 'key', 'ok'],
  ['is down', 500, 'key', 'unknown'],
  ['knows no such address', 404, 'address', 'failed'],
] as const)('a service that %s', async (_, status, name, state) => {
  const { said, calls } = await examined(await serve(() => ({ status, body: '{"message":"no"}' })));
  expect(said[name]).toMatch(new RegExp(`^${state}: `));
  if (state === 'failed') expect(calls).toBe(1);
});

test('an address where nobody answers, a key that is none and an address that is none fail, and no key is quoted', async () => {
  const baseUrl = await serve(() => undefined);
  for (const close of closing.splice(0)) close();
  const gone = await examined(baseUrl);
  expect(gone.said['address']).toMatch(/^failed: /);
  expect(gone.checks).toHaveLength(1);
  const odd = await checkSettings({ apiKey: undefined, baseUrl: 'nowhere' });
  expect(odd).toMatchObject({ calls: 0, checks: [{ name: 'settings', state: 'failed' }] });
  expect(JSON.stringify([gone, odd])).not.toContain('key_of_a_test');
});

test('a profile that can not be read is a check that failed, and the others go on', async () => {
  const baseUrl = await serve(() => undefined);
  const { checks } = await checkSettings({
    apiKey: 'key_of_a_test_1234567890',
    baseUrl,
    profile: '/nowhere/at/all.json',
  });
  expect(checks[0]).toMatchObject({
    name: 'profile',
    state: 'failed',
    message: expect.stringMatching(/^DOCSHARE_PROFILE: /),
  });
  expect(checks.length).toBeGreaterThan(5);
});

test('the path of a profile that can not be read steers no terminal', async () => {
  const profile = '/nowhere/\u001b[2Jlearned.json';
  const baseUrl = await serve(() => undefined);
  const { checks } = await checkSettings({ apiKey: 'key_of_a_test_1234567890', baseUrl, profile });
  const said = checks.find(({ name }) => name === 'profile');
  expect(said).toMatchObject({ state: 'failed', message: expect.stringContaining('learned.json') });
  expect(said?.message).not.toContain('\u001b');
});

test('a service that is gone is asked for no other group: each would take its time', async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (asked > 1) request.socket.destroy();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { calls, said } = await examined(`http://127.0.0.1:${port}/api/v1`);
  expect([calls, asked]).toEqual([2, 2]);
  expect(said['links']).toMatch(/^unknown: /);
});

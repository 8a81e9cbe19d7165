import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Hono } from 'hono';
import { describe, expect, test, vi } from 'vitest';
import {
  createIpRateLimiter,
  createKeyRateLimiter,
  createSharedIpRateLimiter,
  parseClientIp,
} from '../../../../mcp/hosted/http/ip-rate-limiter.ts';
import { createConcurrencyLimiter } from '../../../../mcp/hosted/monitoring/concurrency-limiter.ts';
import { startMetricsServer } from '../../../../mcp/hosted/monitoring/metrics-server.ts';
import { createReadiness } from '../../../../mcp/hosted/monitoring/readiness.ts';
import { redactPath } from '../../../../mcp/hosted/user-pages.ts';
import { getBrowserId } from '../../../../mcp/pages/browser-session.ts';
import { getVerifiedAccounts, rememberVerifiedAccount } from '../../../../mcp/pages/verified-accounts.ts';
import { openSqliteState } from '../../../../mcp/state/sqlite-state.ts';
import { closeAfterTest, createFolderForTest } from '../../../support/cleanup.ts';
import { createStub } from '../../../support/create-stub.ts';

describe('a caller', () => {
  test.each([
    ['1.1.1.1', undefined, 0, '1.1.1.1'],
    ['1.1.1.1', '9.9.9.9', 0, '1.1.1.1'],
    ['1.1.1.1', '9.9.9.9, 2.2.2.2', 1, '2.2.2.2'],
    ['1.1.1.1', '9.9.9.9, 2.2.2.2', 5, '9.9.9.9'],
    [undefined, undefined, 1, ''],
  ])('at %s with the X-Forwarded-For %s and %i proxies has the address %s', (socket, forwarded, proxies, address) => {
    expect(parseClientIp(socket, forwarded, proxies)).toBe(address);
  });
  test('counts each key by itself', () => {
    const limit = createKeyRateLimiter(1, () => 0);
    expect(['a.example', 'b.example', 'a.example'].map(limit.take)).toEqual([undefined, undefined, 60]);
  });
  test('has a maximum of attempts per minute, which an IPv6 /48 network shares', () => {
    let now = 0;
    const limit = createIpRateLimiter(2, () => now);
    const tries = (name: string) => limit.take({ a: '8.8.8.8', b: '8.8.4.4' }[name] ?? name);
    expect([tries('a'), tries('a'), tries('a'), tries('b')]).toEqual([undefined, undefined, 60, undefined]);
    now = 30_500;
    expect(tries('a')).toBe(30);
    now = 60_000;
    expect(tries('a')).toBeUndefined();
    expect([tries('2001:db8:1:2::1'), tries('2001:db8:1:2:3:4:5:6'), tries('2001:db8:1:2::3')]).toEqual([
      undefined,
      undefined,
      60,
    ]);
    expect([tries('2001:db8:2:2::1'), tries('::ffff:1.2.3.4'), tries('::ffff:1.2.3.5')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
  test('has the same maximum of attempts per minute across replicas', async () => {
    const folder = createFolderForTest('docshare-tries-');
    const states = await Promise.all([0, 1].map(() => closeAfterTest(openSqliteState(join(folder, 'state.db')))));
    const [one, two] = states.map((state) => createSharedIpRateLimiter(2, async () => state));
    expect(await one?.take('8.8.8.8')).toBeUndefined();
    expect(await two?.take('8.8.8.8:1')).toBeUndefined();
    expect(await two?.take('8.8.8.8')).toBeGreaterThan(50);
    expect(await one?.take('8.8.4.4')).toBeUndefined();
  });
  test.each([
    ['8.8.8.8:51234', '8.8.8.8:51235', '8.8.8.8'],
    ['[2001:db8:1::1]:443', '2001:DB8:1:ffff::2', '2001:0db8:0001::3'],
    ['::ffff:9.9.9.9', '[::ffff:9.9.9.9]:80', '9.9.9.9:1'],
    ['2001:db8:1::1:51234', '"[2001:db8:1::2]:443"', '2001:db8:1:0:0:0:0:3:1000'],
    ['unknown', '_hidden', 'for=8.8.8.8'],
  ])('is the same network with and without a port, or unreadable: %s, %s, %s', (...addresses) => {
    const limit = createIpRateLimiter(2, () => 0);
    expect(addresses.map((address) => limit.take(address))).toEqual([undefined, undefined, 60]);
  });
  test('is identified by a cookie, which over HTTPS is bound to the host name', async () => {
    const app = new Hono().get('/', (context) => context.text(getBrowserId(context, context.req.query('at') ?? '')));
    const first = await app.request('/?at=https://mcp.test');
    const set = first.headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^__Host-docshare=[\w-]{43}; .*HttpOnly; Secure; SameSite=Lax$/);
    const plain = await app.request('/?at=http://localhost');
    expect(plain.headers.get('set-cookie')).toMatch(/^docshare=[\w-]{43}; (?!.*Secure)/);
    const cookie = set.split(';')[0] ?? '';
    const again = await app.request('/?at=https://mcp.test', { headers: { cookie } });
    expect(await again.text()).toBe(await first.text());
    const short = await app.request('/?at=https://mcp.test', { headers: { cookie: '__Host-docshare=me' } });
    expect(short.headers.get('set-cookie')).not.toContain('=me;');
  });
});

describe('a browser', () => {
  const visit = { secret: Buffer.alloc(32, 7), publicUrl: 'https://mcp.test', browser: 'me' };

  /** The page of a browser, at which keys are entered and remembered. */
  function openBrowser(publicUrl = visit.publicUrl) {
    const at = (browser: string) => ({ ...visit, publicUrl, browser });
    const app = new Hono()
      .get('/held/:browser', async (context) =>
        context.json(await getVerifiedAccounts(context, at(context.req.param('browser')))),
      )
      .get('/enter/:account', async (context) => {
        await rememberVerifiedAccount(context, context.req.param('account'), at('me'));
        return context.text('');
      });
    const ask = (path: string, cookie: string) => app.request(publicUrl + path, { headers: { cookie } });
    return {
      held: async (browser: string, cookie: string) => (await ask(`/held/${browser}`, cookie)).json(),
      async enter(accounts: readonly string[]) {
        let cookie = '';
        for (const account of accounts)
          cookie = (await ask(`/enter/${account}`, cookie)).headers.get('set-cookie')?.split(';')[0] ?? '';
        return cookie;
      },
    };
  }

  test.each(['https://mcp.test', 'http://localhost:1'])('at %s alone has the last five keys', async (publicUrl) => {
    const { enter, held } = openBrowser(publicUrl);
    const cookie = await enter(['a', 'b', 'c', 'd', 'e', 'f', 'b']);
    expect(await held('me', cookie)).toEqual(['b', 'f', 'e', 'd', 'c']);
    expect(await held('you', cookie)).toEqual([]);
    expect(await held('me', '')).toEqual([]);
    expect(await held('me', cookie.replace('me.', 'mE.'))).toEqual([]);
    expect(cookie.startsWith('__Host-')).toBe(publicUrl.startsWith('https:'));
  });

  test('forgets the keys after 30 days', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] });
    const { enter, held } = openBrowser();
    const cookie = await enter(['a']);
    vi.setSystemTime(Date.UTC(2026, 0, 30, 23));
    expect(await held('me', cookie)).toEqual(['a']);
    vi.setSystemTime(Date.UTC(2026, 0, 31, 1));
    expect(await held('me', cookie)).toEqual([]);
  });
});

test('concurrent calls reserve at most a third of the memory for the bodies of one grant, and release it', () => {
  const KB = 1024;
  const limits = createConcurrencyLimiter({ total: 9, perGrant: 3, bodyBytes: 900 * KB });
  const of = (grant: string) => {
    const ticket = limits.acquire();
    if (!ticket) throw new Error('No room.');
    ticket.countForGrant(grant);
    return ticket;
  };
  const [a, again, b, c, d] = [of('a'), of('a'), of('b'), of('c'), of('d')];
  expect([a.reserveBytes(200 * KB), again.reserveBytes(200 * KB), again.reserveBytes(64 * KB)]).toEqual([
    true,
    false,
    true,
  ]);
  expect([
    again.reserveBytes(90 * KB),
    b.reserveBytes(300 * KB),
    c.reserveBytes(300 * KB),
    d.reserveBytes(65 * KB),
  ]).toEqual([true, true, true, false]);
  expect(limits.acquire()?.reserveBytes(900 * KB)).toBe(true);
  a.end();
  expect([d.reserveBytes(200 * KB), again.reserveBytes(220 * KB)]).toEqual([true, false]);
});

test.each(['confirm', 'upload', 'download'])('a URL below /%s is a secret, so no log has its rest', (room) => {
  expect(redactPath(`/${room}/secret/more?and=more`)).toBe(`/${room}/…`);
  expect(redactPath(`/grants/${room}`)).toBe(`/grants/${room}`);
});

test('the metrics port reports liveness, readiness and metrics', async () => {
  const condition = { backend: 'redis', up: true, hasConnected: true, replicas: 2, holdMs: 1500 };
  const readiness = createReadiness({ replica: 'r1', state: async () => ({ getStatus: () => condition }) as never });
  const metrics = { text: async () => ({ type: 'text/plain', text: 'calls 1\n' }) } as never;
  const port = await closeAfterTest(startMetricsServer({ host: '127.0.0.1', port: 0, metrics, readiness }));
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await fetch(`${port.url}${path}`, init);
    return [answer.status, await answer.text()] as const;
  };
  expect(await ask('/metrics')).toEqual([200, 'calls 1\n']);
  expect(await ask('/healthz')).toEqual([200, '{"alive":true}']);
  expect(await ask('/other')).toEqual([404, '']);
  expect((await ask('/metrics', { method: 'POST' }))[0]).toBe(405);
  expect((await ask('/metrics', { method: 'HEAD' }))[0]).toBe(200);
  const ready = async () => {
    const [status, text] = await ask('/readyz');
    return [status, JSON.parse(text)] as const;
  };
  const state = { backend: 'redis', up: true, replicas: 2, hold_s: 2 };
  expect(await ready()).toEqual([200, { ready: true, replica: 'r1', state }]);
  condition.up = false;
  expect(await ready()).toEqual([
    200,
    expect.objectContaining({ ready: true, degraded: expect.stringContaining('reads work') }),
  ]);
  condition.hasConnected = false;
  expect((await ready())[0]).toBe(503);
  const fields = async (isPublic: boolean) =>
    Object.keys((await (await readiness.respond('/readyz', { isPublic }))?.json()) as object);
  expect(await fields(false)).toContain('replica');
  expect(await fields(true)).not.toContain('replica');
  Object.assign(condition, { hasConnected: true, up: true });
  readiness.beginDrain();
  expect(await ready()).toEqual([503, { ready: false, replica: 'r1', draining: true, state }]);
});

test('the metrics port accepts 64 connections and closes without waiting for them', async () => {
  let requests = 0;
  const never = Promise.withResolvers<Response>();
  const respond = () => {
    requests += 1;
    return never.promise;
  };
  const port = await startMetricsServer({
    ...{ host: '127.0.0.1', port: 0, metrics: createStub({}) },
    readiness: createStub({ respond }),
  });
  const open = () => {
    const socket = connect(Number(new URL(port.url).port), '127.0.0.1').on('error', () => undefined);
    socket.write('GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n');
    return once(socket, 'close');
  };
  const accepted = Array.from({ length: 64 }, open);
  await expect.poll(() => requests).toBe(64);
  await open();
  expect(requests).toBe(64);
  await port.close();
  await Promise.all(accepted);
  never.resolve(new Response(null));
});

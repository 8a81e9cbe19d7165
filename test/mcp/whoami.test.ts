import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { type Host, type Json, openHost } from '../support/mcp-host.ts';
import { type Loopback, openLoopback } from '../support/mcp-loopback.ts';

let sandbox: Sandbox | undefined;
let service: Loopback | undefined;
let host: Host | undefined;
afterEach(async () => {
  await host?.close();
  await sandbox?.close();
  await service?.close();
  [host, sandbox, service] = [undefined, undefined, undefined];
});

async function openOn(key: string, url: string, args: readonly string[] = []): Promise<Host> {
  host = await openHost({
    env: { DOCSHARE_API_KEY: key, DOCSHARE_BASE_URL: url },
    args: ['--confirm', 'auto', ...args],
  });
  return host;
}

test('tells service, key, limit and mode without asking the service, and nothing of the key itself', async () => {
  sandbox = await createSandbox();
  const key = sandbox.key();
  const on = await openOn(key, sandbox.url, ['--read-only', '--groups', 'links,billing', '--tools', 'whoami']);
  const { data, text } = await on.call('whoami');
  expect(data).toMatchObject({
    host: new URL(sandbox.url).host,
    key: expect.stringMatching(/^[\w-]{12}$/),
    version: JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
    scopes: { granted: [], denied: [] },
    limit: { per_minute: 120, started_last_minute: 0, remaining: 120, wait_s: 0 },
    mode: { read_only: true, sandbox: false, confirm: 'auto', groups: ['links', 'billing'] },
  });
  expect(sandbox.log.entries()).toEqual([]);
  for (let at = 0; at + 5 <= key.length; at++) expect(text).not.toContain(key.slice(at, at + 5));
});

test('scopes are those that calls have shown, and check tries one read of each group that the menu has', async () => {
  sandbox = await createSandbox();
  const on = await openOn(sandbox.key(['links:read', 'analytics:read']), sandbox.url);
  expect((await on.call('list_links', { limit: 1 })).isError).toBe(false);
  expect((await on.call('list_contacts')).error).toMatchObject({ code: 'permission_denied' });
  const { data: seen } = await on.call('whoami');
  expect(seen['scopes']).toMatchObject({ granted: ['links:read'], denied: ['contacts:read'] });
  expect((seen['scopes'] as Json)['unknown']).toHaveLength(16);

  const before = sandbox.log.entries().length;
  const { data } = await on.call('whoami', { check: true });
  expect(sandbox.log.entries().length - before).toBe(10);
  const { granted, denied } = data['scopes'] as Record<string, string[]>;
  expect(granted?.toSorted()).toEqual(['analytics:read', 'links:read']);
  expect(denied).toContain('billing:read');
  expect(data['limit']).toMatchObject({ started_last_minute: 12, remaining: 108 });
});

test('what the service says of its limit is passed on, and a group that fails is named', async () => {
  service = await openLoopback(({ path }) =>
    path === '/rooms'
      ? { status: 404, json: {} }
      : { json: [], headers: { 'x-ratelimit-remaining': '77', 'x-other': 'secret' } },
  );
  const on = await openOn('k', service.url, ['--groups', 'links,rooms', '--tools', 'whoami']);
  const { data } = await on.call('whoami', { check: true });
  expect(data['limit']).toMatchObject({ service_headers: { 'x-ratelimit-remaining': '77' } });
  expect(data['failed']).toEqual({ rooms: 'not_found' });
  expect(service.requests.map(({ path }) => path).sort()).toEqual(['/links', '/rooms']);
});

test('without a key it says what to set', async () => {
  host = await openHost({ env: { DOCSHARE_BASE_URL: 'http://127.0.0.1:1/api/v1' } });
  expect((await host.call('whoami')).error).toMatchObject({ code: 'no_key' });
});

import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import type { Scope } from '../../../src/index.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { type Host, type Json, openHost, openHostOnSandbox, openHostOnService } from '../../support/mcp-host.ts';

async function openSandbox(args: readonly string[] = [], scopes?: readonly Scope[]) {
  const sandbox = await closeAfterTest(createSandbox());
  const key = sandbox.key(scopes);
  const env = { DOCSHARE_API_KEY: key };
  return { sandbox, key, host: await openHostOnSandbox(sandbox, { env, args: ['--confirm', 'auto', ...args] }) };
}
const whoami = async (host: Host, args: Json = {}) => (await host.call('whoami', args)).data;

test('reports service, key, limit and mode without a request, and no part of the key itself', async () => {
  const { sandbox, key, host } = await openSandbox(['--read-only', '--groups', 'links,billing', '--tools', 'whoami']);
  const { data, text } = await host.call('whoami');
  expect(data).toMatchObject({
    host: new URL(sandbox.url).host,
    key: expect.stringMatching(/^[\w-]{12}$/),
    version: JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version,
    scopes: { granted: [], denied: [] },
    limit: { per_minute: 120, started_last_minute: 0, remaining: 120, wait_s: 0 },
    mode: { read_only: true, sandbox: false, confirm: 'auto', groups: ['links', 'billing'] },
  });
  expect(sandbox.log.entries()).toEqual([]);
  for (let at = 0; at + 5 <= key.length; at++) expect(text).not.toContain(key.slice(at, at + 5));
});

test('reports scopes that calls have shown, and with check reads once from each enabled group', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { sandbox, host } = await openSandbox([], ['links:read', 'analytics:read']);
  expect((await host.call('list_links', { limit: 1 })).isError).toBe(false);
  expect((await host.call('list_contacts')).error).toMatchObject({ code: 'permission_denied' });
  const seen = await whoami(host);
  expect(seen['scopes']).toMatchObject({ granted: ['links:read'], denied: ['contacts:read'] });
  expect((seen['scopes'] as Json)['unknown']).toHaveLength(16);

  const before = sandbox.log.entries().length;
  const data = await whoami(host, { check: true });
  expect(sandbox.log.entries().length - before).toBe(10);
  const { granted, denied } = data['scopes'] as Record<string, string[]>;
  expect(granted?.toSorted()).toEqual(['analytics:read', 'links:read']);
  expect(denied).toContain('billing:read');
  expect(data['limit']).toMatchObject({ started_last_minute: 12, remaining: 108 });
  // Requests count for a minute.
  vi.setSystemTime(Date.now() + 62_000);
  expect((await whoami(host))['limit']).toMatchObject({ started_last_minute: 0, remaining: 120 });
});

const READ = ['list_documents', {}] as const;
const WRITE = ['update_contact', { id: 'c', fields: { a: 1 } }] as const;
test.each<
  [string, typeof READ | typeof WRITE, readonly number[], granted: readonly string[], denied: readonly string[]]
>([
  ['whose call succeeded is granted', READ, [200], ['documents:read'], []],
  ['whose call was rejected is denied', READ, [403], [], ['documents:read']],
  ['that was granted stays granted if one object is rejected', READ, [200, 403], ['documents:read'], []],
  ['that was denied and now works is granted', READ, [403, 200], ['documents:read'], []],
  ['of a read that found nothing is granted', ['get_document', { id: 'd' }] as never, [404], ['documents:read'], []],
  ['of a write that found nothing is unknown', WRITE, [404], [], []],
  ['of a service that fails is unknown', READ, [501], [], []],
])('a scope %s', async (_, [tool, args], statuses, granted, denied) => {
  const left = [...statuses];
  const host = await openHostOnService(() => ({ status: left.shift() ?? 200, json: [] }), {
    args: ['--confirm', 'off'],
  });
  for (const _status of statuses) await host.call(tool, args);
  expect((await whoami(host))['scopes']).toMatchObject({ granted, denied });
});

test('nobody is asked about an action whose scope was denied, until whoami checks the key again', async () => {
  const host = await openHostOnService(({ method }) => ({ status: method === 'GET' ? 200 : 403, json: [] }));
  const { data } = await host.call('delete_link', { id: 'l' });
  const denied = await host.call('delete_link', { id: 'l', confirm_token: data['confirm_token'] });
  expect(denied.error).toMatchObject({ code: 'permission_denied', scope: 'links:write' });
  const sent = host.requests.length;
  for (const [tool, args] of [
    ['create_link', { document_id: 'd' }],
    ['delete_link', { id: 'm' }],
  ] as const)
    expect((await host.call(tool, args)).error).toEqual({
      code: 'permission_denied',
      scope: 'links:write',
      message: expect.stringMatching(/links:write.*user was not asked.*API keys.*whoami/),
    });
  expect(host.requests).toHaveLength(sent);
  await whoami(host, { check: true });
  expect((await host.call('delete_link', { id: 'l' })).data).toMatchObject({ confirm_token: expect.any(String) });
});

test("the service's rate-limit headers are passed on, and a group that fails is named", async () => {
  const host = await openHostOnService(
    ({ path }) =>
      path === '/rooms'
        ? { status: 404, json: {} }
        : { json: [], headers: { 'x-ratelimit-remaining': '77', 'x-other': 'secret', 'x-odd': 'a' } },
    { args: ['--groups', 'links,rooms', '--tools', 'whoami'] },
  );
  const data = await whoami(host, { check: true });
  expect((data['limit'] as Json)['service_headers']).toEqual({ 'x-ratelimit-remaining': '77' });
  expect(data['failed']).toEqual({ rooms: 'not_found' });
  expect(host.requests.map(({ path }) => path).sort()).toEqual(['/links', '/rooms']);
});

test('responses of a storage do not change the limit, and requests to it do not count', async () => {
  let origin = '';
  const host = await openHostOnService(
    ({ method, path }) =>
      path === '/documents/uploads'
        ? { json: { uploadUrl: `${origin}/storage`, headers: {}, storageKey: 'k', token: 't' } }
        : { status: method === 'PUT' ? 403 : 200, json: {}, headers: { 'x-ratelimit-remaining': '7' } },
    { args: ['--confirm', 'off'] },
  );
  origin = host.url.replace('/api/v1', '').replace('127.0.0.1', 'localhost');
  const content = Buffer.from('%PDF-1.4').toString('base64');
  expect((await host.call('upload_document', { content, document_id: 'd' })).isError).toBe(true);
  const { limit } = await whoami(host);
  expect(limit).toMatchObject({ started_last_minute: 1 });
  expect(limit).not.toHaveProperty('service_headers');
});

test('without a key the error says what to set', async () => {
  const host = await closeAfterTest(openHost({ env: { DOCSHARE_BASE_URL: 'http://127.0.0.1:1/api/v1' } }));
  expect((await host.call('whoami')).error).toMatchObject({ code: 'no_key' });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolderForFile } from '../support/cleanup.ts';
import { NOTHING_LEARNED } from '../support/create-profile.ts';
import { openHostOnService } from '../support/mcp-host.ts';
import { openHttpServer, toolCall } from '../support/mcp-http.ts';
import { openLoopback } from '../support/mcp-loopback.ts';

const list = { at: ['rows'], size: { default: 10, max: 40, param: 'rows' }, query: {} };
const body = {
  type: 'object',
  properties: { rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } } },
} as const;
const answer = { status: 200, media: 'application/json', headers: {}, body, seen: 2 };
const path = join(createFolderForFile('docshare-learned-client-'), 'profile.json');
function writeProfile(service: string): string {
  const operations = { 'links.list': { response: answer, list } };
  const facts = { webhook: { callback: '{url}', kinds: ['{event}'] } };
  writeFileSync(path, JSON.stringify({ ...NOTHING_LEARNED, service, operations, facts }));
  return path;
}
const findContradictions = (log: string) =>
  [...log.matchAll(/^.*"profile_contradicted".*$/gm)].map(([line]) => JSON.parse(line) as object);
const CONTRADICTED = { level: 'warn', fact: 'operations.links.list.list.at', next: 'docshare learn' };

test('a server uses the learned profile, and logs each contradiction once', async () => {
  let field = 'rows';
  const host = await openHostOnService(
    ({ method }) => (method === 'POST' ? { status: 201, json: { id: 'w1' } } : { json: { [field]: [{ id: 'l1' }] } }),
    { args: ['--confirm', 'off'], profile: writeProfile },
  );
  await host.call('list_links', { match: 'l1' });
  await host.call('create_webhook', { url: 'https://h.example.com/', events: ['link.viewed'] });
  field = 'items';
  for (const _ of [1, 2]) await host.call('list_links');
  expect(host.requests).toMatchObject([
    { method: 'GET', path: '/links', query: { rows: '40' } },
    { method: 'POST', path: '/webhooks', body: '{"callback":"https://h.example.com/","kinds":["link.viewed"]}' },
    { method: 'GET', path: '/links' },
    { method: 'GET', path: '/links' },
  ]);
  expect(findContradictions(host.stderr())).toMatchObject([CONTRADICTED]);
});

test('a contradiction is logged once for all keys', async () => {
  const service = await openLoopback(() => ({ json: { items: [{ id: 'l1' }] } }));
  const env = { DOCSHARE_BASE_URL: service.url, DOCSHARE_PROFILE: writeProfile(service.url) };
  const server = await openHttpServer([], env);
  for (const key of ['key_of_ann', 'key_of_bob']) await (await server.send(toolCall(1, 'list_links'), { key })).text();
  await server.close();
  await service.close();
  expect(service.requests).toHaveLength(2);
  expect(findContradictions(server.faults.join(''))).toMatchObject([CONTRADICTED]);
});

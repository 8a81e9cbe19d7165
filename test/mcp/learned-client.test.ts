/** What was learned reaches the client behind the tools: its bodies, its names of parameters, and what no longer fits. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createListSource } from '../../mcp/tools/define-tools.ts';
import { webhookTools } from '../../mcp/tools/webhooks.ts';
import type { ServiceProfile } from '../../src/index.ts';
import { endWithTest } from '../support/end-with-test.ts';
import { NOTHING_LEARNED } from '../support/form-of.ts';
import { assemble } from '../support/mcp-servers.ts';
import { json, startScripted } from '../support/scripted-service.ts';

const KEY = 'key_live_0123456789';
const folder = mkdtempSync(join(tmpdir(), 'docshare-learned-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(baseUrl: string, profile: Partial<ServiceProfile>): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, JSON.stringify({ ...NOTHING_LEARNED, ...profile, service: baseUrl }));
  return path;
}

const list = { at: ['rows'], size: { usual: 10, max: 40, param: 'rows' }, query: {} };
const body = {
  type: 'object',
  properties: { rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } } },
} as const;
const answer = { status: 200, media: 'application/json', headers: {}, body, seen: 2 };

test('the menu is told of the service, its client asks as it was learned, and what no longer fits is logged once', async () => {
  const service = endWithTest(
    await startScripted([
      json({ rows: [{ id: 'l1' }] }),
      json({ id: 'w1' }, 201),
      json({ items: [{ id: 'l1' }] }),
      json({ items: [{ id: 'l1' }] }),
    ]),
  );
  const baseUrl = `${service.origin}/api/v1`;
  const path = write(baseUrl, {
    operations: { 'links.list': { answer, list } },
    facts: { webhook: { callback: '{url}', kinds: ['{event}'] } },
  });
  const env = { DOCSHARE_API_KEY: KEY, DOCSHARE_BASE_URL: baseUrl, DOCSHARE_PROFILE: path };
  const lines: string[] = [];
  const { dependencies, close } = await assemble(['--state', 'memory'], env, { write: (line) => lines.push(line) });
  const client = await dependencies.accounts.get(KEY).client();
  const other = await dependencies.accounts.get('another').client();
  const source = createListSource(
    { client, options: {}, keyStatus: dependencies.accounts.get(KEY).keyStatus } as never,
    'links.list',
  );
  await source.fetch(source.getPageSizeQuery(100));
  const create = webhookTools.find(({ name }) => name === 'create_webhook');
  await create?.handler(
    { client, options: {}, files: {} } as never,
    { url: 'https://h.example.com/', events: ['link.viewed'] } as never,
  );
  await client.links.list();
  await other.links.list();
  await close();
  expect(service.requests.map(({ line, body }) => `${line} ${body}`)).toEqual([
    'GET /api/v1/links?rows=40 ',
    'POST /api/v1/webhooks {"callback":"https://h.example.com/","kinds":["link.viewed"]}',
    'GET /api/v1/links ',
    'GET /api/v1/links ',
  ]);
  const told = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'profile_contradicted');
  expect(told).toMatchObject([{ level: 'warn', fact: 'operations.links.list.list.at', next: 'docshare learn' }]);
});

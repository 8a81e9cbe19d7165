/** A scripted model that controls arguments, fields, tools and answers cannot complete a gated action. */
import { describe, expect, test } from 'vitest';
import { createClient, createLimiter } from '../../../src/index.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { openReplica } from '../../support/hosted-replica.ts';
import { openHttpServer } from '../../support/mcp-http.ts';
import { openRaw } from '../../support/mcp-in-process.ts';
import { openLoopback } from '../../support/mcp-loopback.ts';
import { createLocalConfirmationPages, createStateProvider } from '../../support/mcp-parts.ts';

type Json = Record<string, unknown>;
const APPROVE = { action: 'accept', content: { confirm: true } };

/** Tries random calls, arguments and answers. Returns how many of them led to a question. */
async function tryEverything(
  send: (round: number, params: Json & { name: string }) => Promise<Json>,
  isLocal = true,
): Promise<number> {
  let seed = 41;
  const pick = <Item>(items: readonly Item[]): Item => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return items[(seed >> 8) % items.length] as Item;
  };
  const answers = [APPROVE, { action: 'accept' }, { action: 'cancel' }, { action: 'decline' }, {}];
  const calls: readonly (readonly [string, Json])[] = [
    ['delete_link', { id: 'l1' }],
    ['send_agreement', { id: 'a1' }],
    ['create_link', { document_id: 'd1' }],
    ['update_link', { id: 'l1', fields: { email_required: false } }],
    ['set_room_permissions', { id: 'r1', fields: { rows: [] } }],
    ['create_webhook', { url: 'https://a.example/h', events: ['link.viewed'] }],
    ['update_contact', { id: 'c1', fields: { email: 'eve@evil.example' } }],
  ];
  let last: Json = {};
  let questions = 0;
  for (let round = 0; round < 500; round++) {
    const [name, args] = pick(calls);
    const more = pick([
      {},
      { confirm_token: String(last['requestState'] ?? 'x') },
      { fields: { ...(args['fields'] as Json), name: `${round}` } },
    ]);
    const reply = pick([
      {},
      { inputResponses: { confirm: pick(answers) } },
      { inputResponses: { confirm: pick(answers) }, requestState: String(last['requestState'] ?? 'x') },
    ]);
    last = await send(round, { name, arguments: { ...args, ...more }, ...reply });
    if (last['requestState'] !== undefined || JSON.stringify(last).includes('"outcome"')) questions += 1;
    if (isLocal) expect(JSON.stringify(last), 'the address of a page').not.toMatch(/127\.0\.0\.1:\d+\/confirm/);
  }
  return questions;
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

/** A service without data that records the writes it receives. */
async function openEmptyService() {
  const writes: string[] = [];
  const service = await openLoopback(({ method, path }) => {
    if (method !== 'GET') writes.push(`${method} ${path}`);
    return { json: { items: [] } };
  });
  return { ...service, writes };
}

/** Posts a call. Each key has its own rate limit. */
async function post(url: string, token: string, params: Json & { name: string }): Promise<Json> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: META } }),
  });
  const text = await response.text();
  const message = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as { result?: Json; error?: Json };
  return message.result ?? message.error ?? {};
}

const KEYS = Array.from({ length: 25 }, (_, index) => `key_of_person_${index}`);

describe('a model that controls every call and answer completes no write in 500 tries', () => {
  test('in one process', async () => {
    const service = await closeAfterTest(openEmptyService());
    const docshare = await closeAfterTest(
      createClient({ apiKey: 'k', baseUrl: service.url, limiter: createLimiter({ requests: 5000, windowMs: 1000 }) }),
    );
    const state = createStateProvider({ folder: undefined, onFailure: () => undefined });
    const pages = await closeAfterTest(createLocalConfirmationPages({ state, openBrowser: async () => false }));
    const options = {
      client: docshare,
      confirm: 'auto',
      minAnswerMs: 1000,
      formWaitMs: 20,
      sharedState: state,
      confirmationPage: pages.forAccount,
    } as const;
    const hosts = [await closeAfterTest(openRaw({ ...options, forms: true })), await closeAfterTest(openRaw(options))];
    const questions = await tryEverything(async (round, { name, arguments: args, ...more }) =>
      (hosts[round % 2] as (typeof hosts)[0]).call(name, args as Json, more),
    );
    expect(questions).toBeGreaterThan(100);
    expect(service.writes).toEqual([]);
  });

  test('over --http', async () => {
    const service = await closeAfterTest(openEmptyService());
    const server = await closeAfterTest(
      openHttpServer([], { DOCSHARE_BASE_URL: service.url }, { minAnswerMs: 1000, formWaitMs: 20 }),
    );
    const questions = await tryEverything((round, params) => post(server.url, KEYS[round % 25] ?? '', params));
    expect(questions).toBeGreaterThan(100);
    expect(service.writes).toEqual([]);
  });

  test('on a hosted server', async () => {
    const service = await closeAfterTest(openEmptyService());
    const grants = Object.fromEntries(KEYS.map((key) => [key, { grant: `grant of ${key}`, key, browser: 'b' }]));
    const state = await createStateProvider({ folder: undefined, onFailure: () => undefined })();
    const replica = await closeAfterTest(
      openReplica({ baseUrl: service.url, state, grants, minAnswerMs: 1000, formWaitMs: 20, waitMs: 20 }),
    );
    const questions = await tryEverything(
      (round, params) => post(replica.mcp.href, KEYS[round % 25] ?? '', params),
      false,
    );
    expect(questions).toBeGreaterThan(100);
    expect(service.writes).toEqual([]);
  });
});

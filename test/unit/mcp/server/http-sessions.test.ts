/** Sessions over HTTP as their requests find them, without a server around: whose they are, and what stands in whose way. */
import { afterEach, expect, test, vi } from 'vitest';
import { createHttpSessions, type HttpSessions } from '../../../../mcp/server/http-sessions.ts';
import { parseEnvelopes } from '../../../../mcp/server/jsonrpc-envelope.ts';
import { createLimiter, defineClient, type Transport } from '../../../../src/index.ts';
import { texts } from '../../../mcp/texts.ts';
import { createFactory } from '../../../support/mcp-in-process.ts';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
  vi.useRealTimers();
});

const LIMITS = { idleTimeoutMs: 60_000, maxPerKey: 2, maxTotal: 9 };

/** Sessions of a server whose service is `transport`. */
function open(transport: Transport): HttpSessions {
  const baseUrl = 'https://docshare.test/api/v1';
  const limiter = createLimiter({ requests: 1000 });
  const client = defineClient({ apiKey: 'k', baseUrl, transport, limiter });
  const factory = createFactory({ client, confirm: 'auto', forms: true, formWaitMs: 40_000 });
  const sessions = createHttpSessions(factory, { onError: () => undefined, limits: LIMITS });
  closings.push(async () => {
    await sessions.close();
    await client.close();
  });
  return sessions;
}
const silent: Transport = () => new Promise(() => undefined);
const done: Transport = async () => ({ status: 204, headers: {}, body: nothing() });
async function* nothing() {}

function post(body: object, { key, id }: { key: string; id?: string }) {
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      ...(id === undefined ? {} : { 'mcp-session-id': id }),
    },
  });
}

async function say(sessions: HttpSessions, body: object, from: { key: string; id?: string }) {
  const answer = await sessions.fetch(post(body, from), body);
  if (!answer) throw new Error('no session');
  return answer;
}

async function begin(sessions: HttpSessions, key: string): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 't', version: '1' },
  };
  const answer = await say(sessions, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, { key });
  await answer.text();
  return String(answer.headers.get('mcp-session-id'));
}

const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** The messages of a stream, one by one. */
async function* messagesOf(answer: Response) {
  let text = '';
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.+)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data) yield JSON.parse(data);
    }
  }
}

test('whoever opens too many loses a session of his own, though another’s was idle for longer', async () => {
  const sessions = open(done);
  const other = await begin(sessions, 'other');
  const own: string[] = [];
  for (let count = 0; count < 3; count++) own.push(await begin(sessions, 'own'));
  const statusOf = async (id: string, key: string) =>
    (await say(sessions, { jsonrpc: '2.0', id: 2, method: 'ping' }, { key, id })).status;
  expect(await statusOf(other, 'other')).toBe(200);
  expect(await Promise.all(own.map((id) => statusOf(id, 'own')))).toEqual([404, 200, 200]);
});

test('a second call by the id of one that runs is refused: its answer would be taken for that of the first', async () => {
  const sessions = open(silent);
  const id = await begin(sessions, 'own');
  const first = await say(sessions, call(7, 'get_usage'), { key: 'own', id });
  const second = await say(sessions, call(7, 'get_usage'), { key: 'own', id });
  expect([first.status, second.status]).toEqual([200, 400]);
  expect(await second.text()).toContain(texts.aCallWithThisId);
  const third = await say(sessions, call(8, 'get_usage'), { key: 'own', id });
  expect(third.status).toBe(200);
  for (const { body } of [first, third]) await body?.cancel();
});

test.each([
  ['another key opened is not heard: the person’s own answer counts', 'other', { deleted: true }],
  ['the same key opened ends it', 'own', { done: false, outcome: 'not_shown' }],
])('what is no message, about a form of a session that %s', async (_, key, outcome) => {
  const sessions = open(done);
  const id = await begin(sessions, 'own');
  const stream = messagesOf(await say(sessions, call(7, 'delete_link', { id: 'l' }), { key: 'own', id }));
  const { value: form } = await stream.next();
  expect(form).toMatchObject({ method: 'elicitation/create' });
  const broken = `{"jsonrpc":"2.0","id":${JSON.stringify(form.id)},"result":{"action":"decline",}}`;
  sessions.handleMalformed(post({}, { key, id }), parseEnvelopes(broken));
  const result = { action: 'accept', content: { confirm: true } };
  await say(sessions, { jsonrpc: '2.0', id: form.id, result }, { key: 'own', id });
  const { value: answer } = await stream.next();
  expect(answer).toMatchObject({ id: 7, result: { structuredContent: outcome } });
});

test('a session ends when nothing was asked in it for its time, and not while a call runs', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const sessions = open(silent);
  const [told, busy] = [await begin(sessions, 'own'), await begin(sessions, 'own')];
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  expect((await say(sessions, initialized, { key: 'own', id: told })).status).toBe(202);
  const running = await say(sessions, call(7, 'get_usage'), { key: 'own', id: busy });
  const pause = () => vi.advanceTimersByTimeAsync(2 * LIMITS.idleTimeoutMs);
  await pause();
  const statusOf = async (id: string) =>
    (await say(sessions, { jsonrpc: '2.0', id: 2, method: 'ping' }, { key: 'own', id })).status;
  expect([await statusOf(told), await statusOf(busy)]).toEqual([404, 200]);
  await running.body?.cancel();
});

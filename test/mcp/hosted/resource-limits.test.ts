import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SCOPES } from '../../../src/index.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { dial } from '../../support/dial.ts';
import { callAt } from '../../support/hosted-calls.ts';
import { openHostedProcess, SECRET } from '../../support/hosted-server.ts';
import { listenForFile } from '../../support/listen.ts';
import { createClaimsEncryptor } from '../../support/mcp-parts.ts';

const MIB = 1024 * 1024;
let dripping = 0;
const WIDE = JSON.stringify({ id: 'doc_wide', name: 'Deck', notes: 'n'.repeat(2 * MIB) });
const [running, cut] = [new Set<object>(), new Set<object>()];
/** Two gzip bombs of 31 MiB: one letter repeated, and random text that compresses 40 times. */
const BOMBS: Readonly<Record<string, Buffer>> = {
  doc_dense: gzipSync(`{"id":"doc_dense","name":"${'a'.repeat(31 * 1024 * 1024)}"}`),
  doc_loose: gzipSync(
    `{"id":"doc_loose","name":"${Array.from({ length: 7936 }, () => randomBytes(48).toString('hex') + 'a'.repeat(4000)).join('')}"}`,
  ),
};
/** A service that responds to the usage request and to nothing else. */
const service = createServer((request, response) => {
  request.resume();
  if (request.url?.includes('usage')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"plan":"team"}');
    return;
  }
  if (request.url?.includes('doc_wide')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(WIDE);
    return;
  }
  if (request.url?.includes('doc_drip')) {
    dripping += 1;
    const size = request.url.includes('huge') ? 5 * MIB : 1.5 * MIB;
    response.writeHead(200, { 'content-type': 'application/json' }).write(`{"name":"${'d'.repeat(size)}`);
    const drip = setInterval(() => response.write('d'.repeat(1000)), 50);
    response.once('close', () => clearInterval(drip));
    return;
  }
  const bomb = Object.keys(BOMBS).find((name) => request.url?.includes(name));
  if (bomb !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(BOMBS[bomb]);
    return;
  }
  running.add(response);
  response.once('close', () => cut.add(response));
});
// Node's default heap in a container of 768 MiB.
const env = { NODE_OPTIONS: '--max-old-space-size=384' };
const server = await closeAfterAll(openHostedProcess({ baseUrl: `${await listenForFile(service)}/api/v1`, env }));

/** The tokens that a sign-in of this user would give. */
function tokenOf(person: string): Promise<string> {
  const seals = createClaimsEncryptor({ secrets: [SECRET], issuer: server.url, audience: `${server.url}/mcp` });
  const grant = {
    ...{ id: person, key: `key_of_${person}_0123456789`, client: 'client', name: 'Test', place: 'test' },
    ...{ scopes: SCOPES, declined: [], readOnly: false, confirm: 'off', browser: 'none', since: 0 },
  };
  return seals.encrypt('access', { grant }, 3_600_000);
}

function headOf(method: string, token: string, bytes: number): string {
  const head = [
    `${method} /mcp HTTP/1.1`,
    `Host: ${new URL(server.url).host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${bytes}`,
  ];
  return head.join('\r\n');
}

/** Sends the headers and this much of the body over a separate connection. */
function post(token: string, { body, bytes = body.length }: { body: string; bytes?: number }): Socket {
  const { socket } = dial(server.url);
  socket.write(`${headOf('POST', token, bytes)}\r\n\r\n${body}`);
  return socket;
}

const callOf = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

test('disconnecting during a call also ends the call of the service', async () => {
  const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => tokenOf(`leaver-${index}`)));
  const sockets = tokens.map((token) => post(token, { body: callOf('get_document', { id: 'doc_1' }) }));
  while (running.size < 20) await sleep(10);
  for (const socket of sockets) socket.destroy();
  while (cut.size < 20) await sleep(10);
  expect(running.size).toBe(20);
});

test('long bodies that never end block only long bodies, which get a 503 with a retry time', async () => {
  const long = 8 * 1024 * 1024;
  const holders = await Promise.all([0, 1, 2].map((index) => tokenOf(`holder-${index}`)));
  const held: Socket[] = [];
  // A body that arrives after a stranger's finds no room, and is sent again.
  const hold = (token: string) => held.push(post(token, { body: '[', bytes: long }).once('data', () => hold(token)));
  for (const token of holders) hold(token);
  const stranger = await tokenOf('stranger');
  let status = '';
  // On a busy machine a response can take longer than the previous wait.
  for (let patienceMs = 200; !status.startsWith('HTTP/1.1 503'); patienceMs *= 2) {
    const socket = post(stranger, { body: '[', bytes: 100_000 });
    // Until the server has received all three, it waits for the rest of this one.
    const first = await Promise.race([once(socket, 'data'), sleep(patienceMs)]);
    status = String(first?.[0] ?? '');
    socket.destroy();
  }
  expect(status.toLowerCase()).toContain('retry-after: 1');
  expect((await callAt(server.url, stranger, 'get_usage')).isError).toBe(false);
  for (const socket of held) socket.destroy();
  // Their space is free again.
  const body = callOf('get_usage', { long: 'x'.repeat(100_000) });
  let answer = '';
  while (!answer.startsWith('HTTP/1.1 200')) {
    const socket = post(stranger, { body });
    answer = String((await once(socket, 'data'))[0]);
    socket.destroy();
  }
  expect(server.log()).toContain('"reason":"bodies"');
});

test.skipIf(process.platform !== 'linux')('other calls still work while 60 decompression bombs arrive', async () => {
  const peakMb = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
  const tokens = await Promise.all(Array.from({ length: 60 }, (_, index) => tokenOf(`bomber-${index}`)));
  const calls = tokens.map((token, n) =>
    callAt(server.url, token, 'get_document', { id: Object.keys(BOMBS)[n % 20 === 19 ? 1 : 0] }),
  );
  const otherToken = await tokenOf('other');
  for (let n = 0; n < 5; n++) {
    expect((await callAt(server.url, otherToken, 'get_usage')).isError).toBe(false);
    await sleep(50);
  }
  const results = await Promise.all(calls);
  expect(results.every(({ status }) => status === 200)).toBe(true);
  expect(results.filter((_, n) => n % 20 !== 19).every(({ isError }) => isError)).toBe(true);
  expect(peakMb()).toBeLessThan(768);
});

test('sixty slow readers of one user do not delay the large responses of others', async () => {
  const dripper = await tokenOf('dripper');
  const drips = Array.from({ length: 60 }, (_, n) =>
    post(dripper, { body: callOf('get_document', { id: n % 2 ? 'doc_drip' : 'doc_drip_huge' }) }),
  );
  await expect.poll(() => dripping).toBe(60);
  const others = await Promise.all(Array.from({ length: 5 }, (_, n) => tokenOf(`reader-${n}`)));
  const answers = await Promise.all(
    others.map((token) => callAt(server.url, token, 'get_document', { id: 'doc_wide' })),
  );
  expect(answers.map(({ data }) => data['name'])).toEqual(Array(5).fill('Deck'));
  for (const socket of drips) socket.destroy();
});

test('the server closes a connection on request, and no method is an internal error', async () => {
  const token = await tokenOf('polite');
  const ask = (method: string, body = '') => {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.write(`${headOf(method, token, body.length)}\r\nConnection: close\r\n\r\n${body}`);
    return text(socket).finally(() => socket.destroy());
  };
  const answer = await ask('POST', '{"jsonrpc":"2.0","id":2,"method":"ping"}');
  expect(answer).toMatch(/^content-type: text\/event-stream\r$/im);
  expect(answer).toMatch(/^connection: close\r$/im);
  for (const method of ['TRACE', 'PUT', 'PROPFIND']) {
    const refused = await ask(method);
    expect(refused).toMatch(/^HTTP\/1\.1 405 /);
    expect(refused).toMatch(/^allow: .*POST/im);
  }
  expect(server.log()).not.toContain('"event":"unexpected"');
});

import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { dial } from '../../support/dial.ts';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty', seed: 5 }));
const key = sandbox.key();
afterEach(() => sandbox.reset());

function send(method: string, path: string, body?: object): Promise<Response> {
  return fetch(sandbox.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

const storedRooms = async (): Promise<number> => (await (await send('GET', '/rooms')).json()).data.length;

test('a fault before the operation replaces its response, and nothing is stored', async () => {
  sandbox.faults.add({ method: 'POST', path: '/rooms', status: 503, headers: { 'Retry-After': '2' }, body: 'busy' });
  const response = await send('POST', '/rooms', { name: 'R' });
  expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([503, '2', 'busy']);
  expect(sandbox.log.entries().at(-1)).toMatchObject({ status: 503, operation: 'rooms.create', fault: true });
  expect(sandbox.log.entries().at(-1)).not.toHaveProperty('effect');
  expect(await storedRooms()).toBe(0);
});

test('a fault after the operation hides its response, and the room is stored', async () => {
  sandbox.faults.add({ operation: 'rooms.create', when: 'after', status: 500, body: 'broken' });
  const response = await send('POST', '/rooms', { name: 'R' });
  expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/plain; charset=utf-8']);
  expect(sandbox.log.entries().at(-1)).toMatchObject({ status: 500, effect: true, fault: true });
  expect(await storedRooms()).toBe(1);
});

test.each(['drop', 'reset'] as const)('a %s breaks the connection, before or after the effect', async (cut) => {
  sandbox.faults.add({ operation: 'rooms.create', cut, times: 1 });
  await expect(send('POST', '/rooms', { name: 'R' })).rejects.toThrow();
  expect(await storedRooms()).toBe(0);
  sandbox.faults.add({ operation: 'rooms.create', cut, when: 'after', times: 1 });
  await expect(send('POST', '/rooms', { name: 'R' })).rejects.toThrow();
  expect(sandbox.log.entries().at(-1)).toMatchObject({ status: 0, effect: true });
  expect(await storedRooms()).toBe(1);
});

test('a hang never responds, until the caller disconnects', async () => {
  sandbox.faults.add({ path: '/rooms', cut: 'hang' });
  const waiting = fetch(`${sandbox.url}/rooms`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(150),
  });
  await expect(waiting).rejects.toThrow(/aborted|timeout/);
});

test('a truncated body ends before its declared length', async () => {
  sandbox.faults.add({ path: '/rooms', truncate: 5 });
  // Uses a socket, because fetch loses the headers of a response whose connection closes early.
  const { socket, said } = dial(sandbox.origin);
  socket.write(`GET /api/v1/rooms HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await once(socket, 'close');
  const [head = '', body = ''] = said().split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(body).toHaveLength(5);
  expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBeGreaterThan(5);
});

test('headers and body can be delayed separately, and the operation still runs', async () => {
  sandbox.faults.add({ path: '/rooms', delayMs: 120, bodyDelayMs: 150 });
  const startedAt = performance.now();
  const response = await send('POST', '/rooms', { name: 'R' });
  const headMs = performance.now() - startedAt;
  expect((await response.json()).name).toBe('R');
  const wholeMs = performance.now() - startedAt;
  expect(headMs).toBeGreaterThanOrEqual(115);
  expect(wholeMs).toBeGreaterThanOrEqual(265);
});

test('only the nth matching request fails', async () => {
  sandbox.faults.add({ method: 'GET', path: '/r*ms', nth: [2, 3], status: 500 });
  sandbox.faults.add({ path: '/rooms*s', status: 500 });
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await send('GET', '/rooms')).status);
  expect(statuses).toEqual([200, 500, 500, 200]);
});

test('a probability gives the same failures for the same seed', async () => {
  const draw = async () => {
    sandbox.faults.add({ path: '/rooms', probability: 0.5, status: 500 });
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++) statuses.push((await send('GET', '/rooms')).status);
    sandbox.reset();
    return statuses;
  };
  const first = await draw();
  expect(new Set(first)).toEqual(new Set([200, 500]));
  expect(await draw()).toEqual(first);
});

test('a rule ends when it is removed', async () => {
  const remove = sandbox.faults.add({ path: '/rooms', status: 500 });
  expect((await send('GET', '/rooms')).status).toBe(500);
  remove();
  expect((await send('GET', '/rooms')).status).toBe(200);
});

test('faults apply to storage too', async () => {
  sandbox.faults.add({ method: 'PUT', path: '/storage/*', status: 503, times: 1 });
  const session = await (await send('POST', '/documents/uploads', {})).json();
  const put = () => fetch(session.uploadUrl, { method: 'PUT', headers: session.headers, body: 'x' });
  expect([(await put()).status, (await put()).status]).toEqual([503, 200]);
  const logged = sandbox.log.entries().filter(({ route }) => route === 'PUT storage');
  expect(logged.map(({ status }) => status)).toEqual([503, 200]);
});

/** Seeds, reset, snapshots and the clock: the same service again, as often as needed. */
import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.ts';
import { sendJson } from '../../support/ask-service.ts';
import { listenForTest } from '../../support/listen.ts';

const opened: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()));
});

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox(options);
  opened.push(sandbox);
  return sandbox;
}

const send = async (sandbox: Sandbox, path: string, body?: object) =>
  (await sendJson(sandbox, { key: sandbox.key(), method: body ? 'POST' : 'GET', path, body })).body;

/** The stored data, without values that depend on the time and the port of the start. */
function stored(sandbox: Sandbox): string {
  const { state } = sandbox.snapshot();
  return JSON.stringify(
    [state.documents, state.links, state.contacts, state.visits, state.agreements].map((map) => [...map]),
    (name, value) => (name.endsWith('_at') ? typeof value : value),
  );
}

test('a seed gives the same company each time, and another seed another one', async () => {
  const [one, again, other] = await Promise.all([start({ seed: 7 }), start({ seed: 7 }), start({ seed: 8 })]);
  expect(stored(again)).toBe(stored(one));
  expect(stored(other)).not.toBe(stored(one));
  expect(one.snapshot().state.contacts.size).toBe(16);
});

test('an empty sandbox has nothing', async () => {
  const sandbox = await start({ data: 'empty' });
  expect(await send(sandbox, '/documents')).toEqual({ data: [], has_more: false, next_cursor: null });
});

test('a snapshot restores stored data, including uploads and the profile, any number of times', async () => {
  const sandbox = await start({ data: 'empty' });
  const { id } = await send(sandbox, '/documents', { name: 'Kept', content: 'aGVsbG8=' });
  const snapshot = sandbox.snapshot();
  for (const round of [1, 2]) {
    await send(sandbox, '/rooms', { name: `R${round}` });
    sandbox.use('numeric');
    sandbox.restore(snapshot);
    expect(await send(sandbox, '/rooms')).toMatchObject({ data: [] });
    const { download_url } = await send(sandbox, `/documents/${id}`);
    expect(await (await fetch(download_url)).text()).toBe('hello');
  }
});

test('a restored snapshot continues its pending deliveries', async () => {
  const arrived: string[] = [];
  const answers = [500, 500, 200];
  const receiver: Server = createServer((request, response) => {
    arrived.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(answers.shift() ?? 200).end();
  });
  const sandbox = await start({ clock: 'manual' });
  const url = await listenForTest(receiver);
  await send(sandbox, '/webhooks', { url, events: ['link.viewed'] });
  const link = [...sandbox.snapshot().state.links.keys()].at(-1);
  await sandbox.visit(link ?? '', { email: 'v@example.com' });
  await sandbox.deliveries.settled();
  const snapshot = sandbox.snapshot();
  sandbox.reset();
  await sandbox.clock.advance(5_000);
  expect(arrived).toHaveLength(1);
  sandbox.restore(snapshot);
  await sandbox.clock.advance(60_000);
  expect(arrived).toHaveLength(3);
  expect(new Set(arrived).size).toBe(1);
  expect(sandbox.deliveries.entries()).toEqual([expect.objectContaining({ status: 'delivered' })]);
  receiver.close();
});

test('reset restores the start: same IDs, first profile, no faults, empty log, the first key', async () => {
  const sandbox = await start({ profile: 'ledger' });
  const before = stored(sandbox);
  const key = sandbox.key();
  await send(sandbox, '/rooms', { name: 'R' });
  sandbox.use('raw');
  sandbox.faults.add({ status: 500 });
  sandbox.reset();
  expect([stored(sandbox), sandbox.profile.signature, sandbox.log.entries()]).toEqual([before, 't-v1', []]);
  const response = await fetch(`${sandbox.url}/links`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
});

test('the real clock runs and can be moved forward, and the manual clock only moves on request', async () => {
  const [real, manual] = await Promise.all([start(), start({ clock: 'manual' })]);
  const [realStart, manualStart] = [real.clock.now(), manual.clock.now()];
  await real.clock.advance(3_600_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(real.clock.now() - realStart).toBeGreaterThanOrEqual(3_600_015);
  await manual.clock.advance(500);
  expect(manual.clock.now() - manualStart).toBe(500);
  await expect(manual.clock.advance(-1)).rejects.toThrow('only moves forward');
});

test('a failed delivery is retried in real time too', async () => {
  let calls = 0;
  const receiver = createServer((request, response) => {
    request.resume();
    calls += 1;
    response.writeHead(calls === 1 ? 500 : 200).end();
  });
  const sandbox = await start({ profile: 'modern+retries=quick' });
  const url = await listenForTest(receiver);
  await send(sandbox, '/webhooks', { url, events: ['link.viewed'] });
  const link = [...sandbox.snapshot().state.links.keys()].at(-1);
  await sandbox.visit(link ?? '', { email: 'v@example.com' });
  await expect.poll(() => sandbox.deliveries.entries()[0]?.status, { timeout: 10_000 }).toBe('delivered');
  expect(calls).toBe(2);
  receiver.close();
});

test('a port in use is an error, and a closed sandbox does not respond', async () => {
  const sandbox = await start();
  const port = Number(new URL(sandbox.origin).port);
  await expect(createSandbox({ port })).rejects.toThrow('is in use');
  await sandbox.close();
  await expect(fetch(sandbox.url)).rejects.toThrow();
});

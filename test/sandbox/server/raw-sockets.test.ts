import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { findServer } from '../../../sandbox/server/listen.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { dial } from '../../support/dial.ts';

const sandbox = await closeAfterAll(createSandbox({ seed: 1 }));
const bearer = `Authorization: Bearer ${sandbox.key()}\r\n`;

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

async function ask(text: string, answers = 1): Promise<number[]> {
  const { socket, said } = dial(sandbox.origin);
  const closed = once(socket, 'close');
  socket.write(text);
  while (statuses(said()).length < answers && !socket.destroyed) await Promise.race([once(socket, 'data'), closed]);
  socket.destroy();
  return statuses(said());
}

const head = (line: string, ...headers: string[]) => `${[line, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`;

test.each([
  ['an absolute target', head('GET http://evil.example/api/v1/links HTTP/1.1'), [401]],
  ['broken percent signs in an id', head('GET /api/v1/documents/%ff% HTTP/1.1'), [401]],
  ['no host', 'GET /l/x HTTP/1.1\r\n\r\n', [400]],
  ['3,000 headers', head('GET / HTTP/1.1', ...Array.from({ length: 3000 }, (_, index) => `x${index}: y`)), [431]],
  ['length and chunked encoding', head('POST /l/x HTTP/1.1', 'Content-Length: 3', 'Transfer-Encoding: chunked'), [400]],
  ['the start of a TLS handshake', '\x16\x03\x01\x02\x00\x01', [400]],
])('%s gets a response', async (_, text, expected) => {
  expect(await ask(text)).toEqual(expected);
});

const PATHS = ['/l/LINK', '/s/a/b', '/p/x', '/v/x/time', '/api/v1/contacts', '/_sandbox/keys', '/storage/uploads/x'];
const BODIES = [
  ['of 600 MB', 'Content-Length: 629145600'],
  ['in chunks', 'Transfer-Encoding: chunked'],
] as const;

test.each(PATHS.flatMap((path) => BODIES.map(([size, header]) => [path, size, header] as const)))(
  'a body for %s %s gets a response before it ends',
  async (path, _, header) => {
    const link = [...sandbox.snapshot().state.links.keys()].at(-1) ?? '';
    const { socket, said } = dial(sandbox.origin);
    const closed = once(socket, 'close');
    socket.write(
      `POST ${path.replace('LINK', link)} HTTP/1.1\r\nHost: ${new URL(sandbox.origin).host}\r\n${bearer}Content-Type: application/json\r\n${header}\r\n\r\n`,
    );
    const piece = Buffer.alloc(1 << 20, 'a');
    let sent = 0;
    for (; said() === '' && !socket.destroyed; sent++) {
      if (header.startsWith('T')) socket.write('100000\r\n');
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'data'), closed]);
      if (header.startsWith('T')) socket.write('\r\n');
    }
    socket.destroy();
    expect(statuses(said())[0]).toBeOneOf([400, 403, 404, 405, 409, 413]);
    // Rejected after the data that is already in transit.
    expect(sent).toBeLessThan(100);
  },
);

test('a connection that is silent, or sends its headers or body too slowly, is closed', async () => {
  const server = findServer(sandbox.origin);
  if (!server) throw new Error('no server');
  expect(server.headersTimeout).toBe(15_000);
  // Node checks the header timeout with its own clock, every five seconds; the other two run thirty times faster.
  server.headersTimeout = 1000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const silent = dial(sandbox.origin);
  const head = dial(sandbox.origin);
  head.socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  const body = dial(sandbox.origin);
  body.socket.write(
    `POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\n${bearer}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  let seconds = 0;
  const drops = setInterval(() => {
    seconds += 1;
    vi.advanceTimersByTime(1000);
    head.socket.write('x: y\r\n');
    body.socket.write('1\r\n \r\n');
  }, 33);
  const after = async ({ socket }: { socket: Socket }) => once(socket, 'close').then(() => seconds);
  const [silence, slowness] = await Promise.all([after(silent), after(body), after(head)]);
  clearInterval(drops);
  vi.useRealTimers();
  server.headersTimeout = 15_000;
  // Neither too early nor too late.
  expect([silence >= 15, silence < 90]).toEqual([true, true]);
  expect([slowness >= 30, slowness < 90]).toEqual([true, true]);
  expect(statuses(body.said())).toEqual([408]);
});

const part = (name: string, body: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n\r\n${body}\r\n`;

test.each([
  ['cut off before its end', 'multipart/form-data; boundary=b', part('file', 'x'), 422],
  ['of 10,000 parts', 'multipart/form-data; boundary=b', `${part('x', 'y').repeat(10_000)}--b--\r\n`, 422],
  ['with its file twice', 'multipart/form-data; boundary=b', `${part('file', 'x')}${part('file', 'y')}--b--\r\n`, 201],
])('a multipart form %s gets a response and leaves no file behind', async (_, type, body, status) => {
  const files = sandbox.snapshot().state.files.size;
  const response = await fetch(`${sandbox.url}/documents`, {
    method: 'POST',
    headers: { 'content-type': type, authorization: bearer.trim().slice('Authorization: '.length) },
    body,
  });
  await response.text();
  expect(response.status).toBe(status);
  expect(sandbox.snapshot().state.files.size - files).toBe(status === 201 ? 1 : 0);
});

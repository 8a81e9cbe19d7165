/** Connections that the service closes while a body is being sent, or while the process is frozen. */
import { writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openClientOf } from '../../support/listen.ts';

/** Serves raw sockets on a free port. Returns a client of that server. */
async function createClientOf(onSocket: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  return (await openClientOf(server)).client;
}

const toResponse = (status: number, body: string, connection: string) =>
  `HTTP/1.1 ${status} Status\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: ${connection}\r\n\r\n${body}`;

test.each([401, 403, 413])('a %i that arrives while a file is being sent is reported as that error', async (status) => {
  const path = join(tmpdir(), `early-${process.pid}-${status}.pdf`);
  await writeFile(path, `%PDF-1.7\n${' '.repeat(2 * 1024 * 1024)}`);
  for (let run = 0; run < 6; run += 1) {
    const client = await createClientOf((socket) => {
      socket.once('data', () => socket.write(toResponse(status, '{}', 'close'), () => socket.destroy()));
    });
    await expect(client.upload(path, { via: 'multipart' })).rejects.toMatchObject({ status });
  }
});

test('a write after a freeze does not use a connection that the service has closed', async () => {
  const client = await createClientOf((socket) => {
    let lastAt = Date.now();
    socket.on('data', () => {
      if (Date.now() - lastAt > 1500) return socket.resetAndDestroy();
      lastAt = Date.now();
      socket.write(toResponse(201, '{"id":"c1"}', 'keep-alive'));
    });
  });
  await client.contacts.create({ email: 'a@example.org' });
  // The connection becomes idle.
  await sleep(50);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2200);
  expect(await client.contacts.create({ email: 'b@example.org' })).toMatchObject({ id: 'c1' });
});

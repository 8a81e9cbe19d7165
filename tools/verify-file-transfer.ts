import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../sandbox/index.ts';
import type { Replica, Replicas } from '../scripts/replicas.ts';
import { callAt } from '../test/support/hosted-calls.ts';
import { tokensAt } from '../test/support/hosted-visitor.ts';

const SIZE = 6_000_000;

/**
 * Kills a replica twice during an upload: in the middle of the file, which the other replica then accepts at the same URL, and
 * while the service registers it, which is then not repeated.
 */
export async function verifyFileTransfer(context: { replicas: Replicas; sandbox: Sandbox }): Promise<void> {
  const { replicas, sandbox } = context;
  const { tokens } = await tokensAt(replicas.origin, { key: sandbox.key() });
  const countRegistered = () =>
    sandbox.log.entries().filter(({ operation, status }) => operation === 'documents.finalizeUpload' && status < 300)
      .length;
  const upload = async (name: string) =>
    (await callAt(replicas.origin, tokens.access_token, 'upload_document', { name })).data;

  const first = await upload('In the middle');
  const [victim] = [replicas.all.at(-1)];
  if (!victim) throw new Error('no replica');
  const halfSent = send(first['upload_url'], victim, SIZE / 2);
  await sleep(2000);
  await victim.kill();
  console.log({ killed: 'in the middle of a file', sender: await halfSent, countRegistered: countRegistered() });
  const killedAt = Date.now();
  const statuses = new Set<number>();
  for (;;) {
    const { status } = await fetch(String(first['upload_url']), { method: 'PUT', body: createBytes(SIZE) });
    statuses.add(status);
    if (status === 201) break;
    await sleep(1000);
  }
  console.log({
    acceptedBy: `by the other after ${Math.round((Date.now() - killedAt) / 1000)} s; answers ${[...statuses].join(', ')}`,
    tool: (await upload('In the middle'))['done'],
    countRegistered: countRegistered(),
  });

  const second = await upload('At the end');
  const other = await replicas.add();
  sandbox.faults.add({ operation: 'documents.finalizeUpload', when: 'after', delayMs: 120_000 });
  const fullySent = send(second['upload_url'], other, SIZE);
  while (countRegistered() < 2) await sleep(20);
  await other.kill();
  console.log({ killed: 'while the service registers', sender: await fullySent, countRegistered: countRegistered() });
  sandbox.faults.clear();
  for (;;) {
    const { unknown_outcome, next } = await upload('At the end');
    if (unknown_outcome !== true) continue;
    console.log({ tool: next });
    break;
  }
  const { status } = await fetch(String(second['upload_url']), { method: 'PUT', body: createBytes(SIZE) });
  console.log({ sentAgain: status, countRegistered: countRegistered() });
  if (countRegistered() !== 2 || status !== 409) process.exitCode = 1;
}

const createBytes = (size: number) => new Uint8Array(size).fill(120);

/** Declares the whole length, sends part of the file to one replica, and waits for the outcome. */
function send(url: unknown, { port }: Replica, size: number): Promise<string> {
  return new Promise((resolve) => {
    const { pathname } = new URL(String(url));
    const headers = { 'content-length': SIZE, 'content-type': 'application/octet-stream' };
    const sent = request({ host: '127.0.0.1', port, path: pathname, method: 'PUT', headers }, (response) => {
      response.resume();
      resolve(`status ${response.statusCode}`);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(`lost (${error.code})`));
    sent.write(createBytes(size));
    if (size === SIZE) sent.end();
  });
}

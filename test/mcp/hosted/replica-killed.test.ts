import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../sandbox/index.ts';
import { type Replicas, startReplicas } from '../../../scripts/replicas.ts';
import { createClient } from '../../../src/index.ts';
import { mcpMain } from '../../support/entry.ts';
import { SECRET } from '../../support/hosted-server.ts';
import { callAt, postForm, rpcAt, tokensAt } from '../../support/hosted-visitor.ts';
import { hasRedis, NO_REDIS, type RedisServer, startRedis } from '../../support/redis-server.ts';

let sandbox: Sandbox;
let folder: string;
let redis: RedisServer;
let replicas: Replicas;

beforeAll(async () => {
  if (!hasRedis) return;
  sandbox = await createSandbox({ data: 'empty' });
  folder = mkdtempSync(join(tmpdir(), 'docshare-killed-'));
  redis = await startRedis();
  replicas = await startReplicas({
    count: 2,
    main: mcpMain,
    baseUrl: sandbox.url,
    env: { DOCSHARE_SECRETS: SECRET, DOCSHARE_REDIS_URL: redis.url },
    args: ['--confirm', 'off', '--audit', join(folder, '{replica}.audit')],
  });
});
afterEach(() => sandbox?.faults.clear());
afterAll(async () => {
  await replicas?.close();
  await redis?.close();
  await sandbox?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Somebody who is signed in and has an agreement that can be sent. */
async function personWithAgreement(): Promise<{ token: string; id: string }> {
  const key = sandbox.key();
  const client = createClient({ apiKey: key, baseUrl: sandbox.url });
  const { id: document_id } = await client.upload(new Blob(['%PDF-1.4 x']), { name: 'NDA.pdf' });
  const recipients = [{ name: 'Sam', email: 'sam@example.com' }];
  const { id } = await client.agreements.create({ name: 'NDA', document_id, recipients });
  await client.close();
  const { tokens } = await tokensAt(replicas.origin, { key, confirm: 'off' });
  return { token: tokens.access_token, id: String(id) };
}

/** How often the service was asked to send it. */
const sends = (id: string) =>
  sandbox.log.entries().filter(({ operation, path }) => operation === 'agreements.send' && path.includes(id)).length;

/** Where a replica itself listens, past the balancer. */
const at = (index: number) => `http://127.0.0.1:${replicas.all[index]?.port}`;

const title = 'two replicas that share a Redis';
describe.skipIf(!hasRedis)(hasRedis ? title : `${title} (skipped: ${NO_REDIS})`, () => {
  test('send once, however many ask at both at once, and all of them get the answer', async () => {
    const { token, id } = await personWithAgreement();
    sandbox.faults.add({ operation: 'agreements.send', when: 'after', delayMs: 400 });
    const answers = await Promise.all([0, 1, 0, 1].map((index) => callAt(at(index), token, 'send_agreement', { id })));
    for (const { data } of answers) expect(data).toMatchObject({ sent: true, id });
    expect(answers.filter(({ data }) => data['repeated'] === true)).toHaveLength(3);
    expect(sends(id)).toBe(1);
  });

  test('while Redis is away, reading goes on and what changes something is refused with a sentence', async () => {
    const { token, id } = await personWithAgreement();
    await redis.kill();
    for (const index of [0, 1]) expect((await callAt(at(index), token, 'get_usage')).isError).toBe(false);
    const { data } = await callAt(replicas.origin, token, 'send_agreement', { id });
    expect(data['error']).toMatchObject({
      code: 'state_unavailable',
      message: expect.stringContaining('Nothing was done'),
    });
    expect(sends(id)).toBe(0);
    await redis.start();
    for (const { metricsUrl } of replicas.all)
      while ((await (await fetch(`${metricsUrl}/readyz`)).text()).includes('degraded')) await sleep(50);
    expect((await callAt(at(1), token, 'send_agreement', { id })).data).toMatchObject({ sent: true });
    expect(sends(id)).toBe(1);
  });

  test('while Redis is silent, the end of a sign-in is kept here at once, and nobody is told that all know it', async () => {
    const { tokens } = await tokensAt(replicas.origin, { key: sandbox.key() });
    const revoke = () => postForm(at(0), '/revoke', { token: tokens.refresh_token });
    redis.freeze();
    const silent = await revoke();
    const here = await rpcAt(at(0), tokens.access_token, 'tools/list');
    redis.thaw();
    expect([silent.status, silent.body['error'], here.status]).toEqual([503, 'temporarily_unavailable', 401]);
    // Without another word from the host.
    while ((await rpcAt(at(1), tokens.access_token, 'tools/list')).status !== 401) await sleep(50);
    // Its own connection may be back a moment later.
    await expect.poll(async () => (await revoke()).status).toBe(200);
  });

  test('one is killed while it sends: the other does not send again, and says that nobody knows', async () => {
    const { token, id } = await personWithAgreement();
    // The service has done it, and its answer is still on its way.
    sandbox.faults.add({ operation: 'agreements.send', when: 'after', delayMs: 60_000 });
    const [other, victim] = replicas.all;
    let outcome: unknown;
    const asked = callAt(at(1), token, 'send_agreement', { id }).then(
      (answer) => {
        outcome = answer.data;
      },
      () => {
        outcome = 'lost';
      },
    );
    while (sends(id) === 0 && outcome === undefined) await sleep(20);
    await victim?.kill();
    await asked;
    expect(outcome).toBe('lost');
    const audit = join(folder, `${victim?.name}.audit`);
    expect(existsSync(audit) && readFileSync(audit, 'utf8')).toContain(id);
    const { isError, data } = await callAt(at(0), token, 'send_agreement', { id });
    expect({ isError, code: (data['error'] as { code?: string }).code }).toEqual({
      isError: true,
      code: 'unknown_outcome',
    });
    expect(String((data['error'] as { message?: string }).message)).toContain('list_agreements');
    expect(sends(id)).toBe(1);
    // The balancer goes on with the one that is left.
    expect((await callAt(replicas.origin, token, 'get_usage')).isError).toBe(false);
    expect(other?.lines.join('\n')).not.toContain(token);
  });
});

/** Replicas are lost, and so is their Redis. Real processes, a real Redis. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../sandbox/index.ts';
import { type Replica, type Replicas, startReplicas } from '../../../scripts/replicas.ts';
import { createFolderForFile } from '../../support/cleanup.ts';
import { createDraftAgreement } from '../../support/draft-agreement.ts';
import { mcpMain } from '../../support/entry.ts';
import { callAt, postForm, rpcAt } from '../../support/hosted-calls.ts';
import { openRemote } from '../../support/hosted-host.ts';
import { SECRET } from '../../support/hosted-server.ts';
import { createPerson, tokensAt } from '../../support/hosted-visitor.ts';
import { hasRedis, NO_REDIS, type RedisServer, startRedis } from '../../support/redis-server.ts';
import { texts } from '../texts.ts';

const folder = createFolderForFile('docshare-killed-');
let sandbox: Sandbox;
let redis: RedisServer;
let replicas: Replicas;

beforeAll(async () => {
  if (!hasRedis) return;
  sandbox = await createSandbox({ data: 'empty' });
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
});

/** A signed-in user with an agreement that can be sent. */
async function personWithAgreement(confirm: 'auto' | 'off') {
  const key = sandbox.key();
  const id = await createDraftAgreement(sandbox, { key });
  const person = createPerson(replicas.origin);
  const { tokens } = await tokensAt(replicas.origin, { key, person, confirm });
  return { token: tokens.access_token, id, person };
}

/** Counts the requests to the service to send it. */
const sends = (id: string) =>
  sandbox.log.entries().filter(({ operation, path }) => operation === 'agreements.send' && path.includes(id)).length;

/** The URL of a replica, without the balancer. */
const at = (index: number) => `http://127.0.0.1:${replicas.all[index]?.port}`;

/** Opens the page and answers there. */
async function say(person: ReturnType<typeof createPerson>, url: unknown, word: 'yes' | 'no') {
  const path = new URL(String(url)).pathname;
  const page = await person.load(path);
  await person.post(path, { form: page.field('form'), decision: word === 'yes' ? 'approve' : 'deny' });
}

/** The last one that was started: where it listens itself, past the balancer. */
function victim(): Replica & { origin: string } {
  const last = replicas.all.at(-1);
  if (!last) throw new Error('no replica');
  return { ...last, origin: `http://127.0.0.1:${last.port}` };
}

const title = 'two replicas that share a Redis';
describe.skipIf(!hasRedis)(hasRedis ? title : `${title} (skipped: ${NO_REDIS})`, () => {
  test('send once when several calls arrive at both, and each call gets the result', async () => {
    const { token, id } = await personWithAgreement('off');
    sandbox.faults.add({ operation: 'agreements.send', when: 'after', delayMs: 400 });
    const answers = await Promise.all([0, 1, 0, 1].map((index) => callAt(at(index), token, 'send_agreement', { id })));
    for (const { data } of answers) expect(data).toMatchObject({ sent: true, id });
    expect(answers.filter(({ data }) => data['repeated'] === true)).toHaveLength(3);
    expect(sends(id)).toBe(1);
  });

  test('keep reading while Redis is unavailable, and reject writes with a sentence', async () => {
    const { token, id } = await personWithAgreement('off');
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

  test('apply the end of a sign-in locally while Redis is silent, without claiming that all replicas know it', async () => {
    const { tokens } = await tokensAt(replicas.origin, { key: sandbox.key() });
    const revoke = () => postForm(at(0), '/revoke', { token: tokens.refresh_token });
    redis.freeze();
    const silent = await revoke();
    const here = await rpcAt(at(0), tokens.access_token, 'tools/list');
    redis.thaw();
    expect([silent.status, silent.body['error'], here.status]).toEqual([503, 'temporarily_unavailable', 401]);
    // Without another request from the host.
    while ((await rpcAt(at(1), tokens.access_token, 'tools/list')).status !== 401) await sleep(50);
    // Its own connection can recover a moment later.
    await expect.poll(async () => (await revoke()).status).toBe(200);
  });

  test('do not repeat a send after one is killed during it, and report the outcome as unknown', async () => {
    const { token, id } = await personWithAgreement('off');
    // The service has done it, and its response is still in transit.
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
    // The balancer continues with the remaining replica.
    expect((await callAt(replicas.origin, token, 'get_usage')).isError).toBe(false);
    expect(other?.lines.join('\n')).not.toContain(token);
  });
});

describe.skipIf(!hasRedis)('one that is killed while a person is asked', () => {
  // One for each that the test before has killed.
  beforeEach(async () => void (await replicas.add()));

  test('while a user fills in its form: the other replica takes the answer and sends once', async () => {
    const { token, id } = await personWithAgreement('auto');
    let asked = 0;
    const host = await openRemote({
      kind: 'sdk 2.x modern',
      url: new URL(`${replicas.origin}/mcp`),
      token,
      elicitation: {
        form: async () => {
          asked += 1;
          // A person needs a second to read.
          await sleep(1100);
          const isAsker = ({ lines }: Replica) => lines.some((line) => line.includes('"tool":"send_agreement"'));
          while (!replicas.all.some(isAsker)) await sleep(5);
          await replicas.all.find(isAsker)?.kill();
          return { action: 'accept', content: { confirm: true } };
        },
      },
    });
    const { data } = await host.call('send_agreement', { id });
    await host.close();
    expect([asked, data['sent'], sends(id)]).toEqual([1, true, 1]);
  });

  test('while a call waits for the page: the other replica runs the approved action once', async () => {
    const { token, id, person } = await personWithAgreement('auto');
    const { origin, kill } = victim();
    const first = await callAt(origin, token, 'send_agreement', { id });
    expect(first.data).toMatchObject({ done: false, confirm_url: expect.any(String) });
    const waiting = callAt(origin, token, 'send_agreement', { id }).catch(() => 'lost');
    await sleep(300);
    await kill();
    expect(await waiting).toBe('lost');
    await say(person, first.data['confirm_url'], 'yes');
    const answers = await Promise.all([1, 2, 3].map(() => callAt(replicas.origin, token, 'send_agreement', { id })));
    expect(answers.some(({ data }) => data['sent'] === true)).toBe(true);
    expect(sends(id)).toBe(1);
  });

  test('after an approval, during the send: the other replica does not send again, and asks whether it should', async () => {
    const { token, id, person } = await personWithAgreement('auto');
    const { origin, kill } = victim();
    const first = await callAt(origin, token, 'send_agreement', { id });
    await say(person, first.data['confirm_url'], 'yes');
    sandbox.faults.add({ operation: 'agreements.send', when: 'after', delayMs: 60_000 });
    const sending = callAt(origin, token, 'send_agreement', { id }).catch(() => 'lost');
    while (sends(id) === 0) await sleep(20);
    await kill();
    expect(await sending).toBe('lost');
    const { data } = await callAt(replicas.origin, token, 'send_agreement', { id });
    expect(data).toMatchObject({ done: false, confirm_url: expect.any(String) });
    expect(data['preview']).toContain(texts.itsOutcomeIsUnknown);
    expect(data['confirm_url']).not.toBe(first.data['confirm_url']);
    await say(person, data['confirm_url'], 'no');
    expect((await callAt(replicas.origin, token, 'send_agreement', { id })).data).toMatchObject({
      outcome: 'declined',
    });
    expect(sends(id)).toBe(1);
  });
});

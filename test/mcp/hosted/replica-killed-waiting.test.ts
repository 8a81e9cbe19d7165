/** A replica is lost while a person is asked. Real processes, a real Redis. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../sandbox/index.ts';
import { type Replica, type Replicas, startReplicas } from '../../../scripts/replicas.ts';
import { createClient } from '../../../src/index.ts';
import { mcpMain } from '../../support/entry.ts';
import { openRemote } from '../../support/hosted-host.ts';
import { SECRET } from '../../support/hosted-server.ts';
import { callAt, createPerson, tokensAt } from '../../support/hosted-visitor.ts';
import { hasRedis, NO_REDIS, type RedisServer, startRedis } from '../../support/redis-server.ts';
import { texts } from '../texts.ts';

let sandbox: Sandbox;
let redis: RedisServer;
let replicas: Replicas;

beforeAll(async () => {
  if (!hasRedis) return;
  sandbox = await createSandbox({ data: 'empty' });
  redis = await startRedis();
  replicas = await startReplicas({
    count: 1,
    main: mcpMain,
    baseUrl: sandbox.url,
    env: { DOCSHARE_SECRETS: SECRET, DOCSHARE_REDIS_URL: redis.url },
  });
});
beforeEach(async () => {
  // One for each that the test before has killed.
  if (hasRedis) await replicas.add();
});
afterEach(() => sandbox?.faults.clear());
afterAll(async () => {
  await replicas?.close();
  await redis?.close();
  await sandbox?.close();
});

async function personWithAgreement() {
  const key = sandbox.key();
  const client = createClient({ apiKey: key, baseUrl: sandbox.url });
  const { id: document_id } = await client.upload(new Blob(['%PDF-1.4 x']), { name: 'NDA.pdf' });
  const recipients = [{ name: 'Sam', email: 'sam@example.com' }];
  const { id } = await client.agreements.create({ name: 'NDA', document_id, recipients });
  await client.close();
  const person = createPerson(replicas.origin);
  const { tokens } = await tokensAt(replicas.origin, { key, person });
  return { token: tokens.access_token, id: String(id), person };
}

/** Opens the page and answers there. */
async function say(person: ReturnType<typeof createPerson>, url: unknown, word: 'yes' | 'no') {
  const path = new URL(String(url)).pathname;
  const page = await person.load(path);
  await person.post(path, [
    ['form', page.field('form')],
    ['decision', word === 'yes' ? 'approve' : 'deny'],
  ]);
}

const sends = (id: string) =>
  sandbox.log.entries().filter(({ operation, path }) => operation === 'agreements.send' && path.includes(id)).length;

/** The last one that was started: where it listens itself, past the balancer. */
function victim(): Replica & { origin: string } {
  const last = replicas.all.at(-1);
  if (!last) throw new Error('no replica');
  return { ...last, origin: `http://127.0.0.1:${last.port}` };
}

const title = 'a replica is killed';
describe.skipIf(!hasRedis)(hasRedis ? title : `${title} (skipped: ${NO_REDIS})`, () => {
  test('while a person fills in its form: the other takes the answer, and sends once', async () => {
    const { token, id } = await personWithAgreement();
    let asked = 0;
    const host = await openRemote({
      kind: 'sdk 2.x modern',
      url: new URL(`${replicas.origin}/mcp`),
      token,
      onForm: async () => {
        asked += 1;
        // A person needs a second to read.
        await sleep(1100);
        const isAsker = ({ lines }: Replica) => lines.some((line) => line.includes('"tool":"send_agreement"'));
        while (!replicas.all.some(isAsker)) await sleep(5);
        await replicas.all.find(isAsker)?.kill();
        return { action: 'accept', content: { confirm: true } };
      },
    });
    const { data } = await host.call('send_agreement', { id });
    await host.close();
    expect([asked, data['sent'], sends(id)]).toEqual([1, true, 1]);
  });

  test('while a call waits for the page: the yes is carried out by the other, once', async () => {
    const { token, id, person } = await personWithAgreement();
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

  test('after a yes, in the middle of the send: the other does not send again, and asks whether it should', async () => {
    const { token, id, person } = await personWithAgreement();
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

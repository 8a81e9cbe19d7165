import { beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { createHostRunner, openRemote } from '../../support/hosted-host.ts';
import { openReplica } from '../../support/hosted-replica.ts';
import { createPerson, signedInBrowser } from '../../support/hosted-visitor.ts';
import { type Elicitation, KINDS } from '../../support/mcp-host.ts';
import { createMemoryState } from '../../support/mcp-parts.ts';

const { cookie, browser } = signedInBrowser('b');
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const key = sandbox.key();
const state = createMemoryState();
const grants = {
  mine: { grant: 'mine', key, browser },
  other: { grant: 'other', key, browser: 'elsewhere' },
  yours: { grant: 'yours', key: sandbox.key(), browser: 'yours' },
};
const first = await closeAfterAll(openReplica({ baseUrl: sandbox.url, state, grants }));
const second = await closeAfterAll(openReplica({ baseUrl: sandbox.url, state, grants, publicUrl: () => first.url }));
beforeEach(() => sandbox.log.clear());

const calls = (method: string) => sandbox.log.entries().filter((entry) => entry.method === method).length;
const person = () => createPerson(undefined, cookie);
const withHost = createHostRunner([first, second]);

let count = 0;
const fresh = () => ({ id: `link ${++count}` });

describe.each(KINDS)('%s', (kind) => {
  test('a call waits for the page, and the next call at another replica runs the approved action once', async () => {
    const args = fresh();
    const { data } = await withHost({ kind }, (host) => host.call('delete_link', args));
    expect(data).toMatchObject({ done: false, confirm_url: expect.stringMatching(/\/confirm\/[\w-]{43}$/) });
    expect(JSON.stringify(data)).not.toContain('confirm_token');
    expect(calls('DELETE')).toBe(0);
    expect(await person().answer(String(data['confirm_url']), 'approve')).toBe('Approved');
    expect(calls('DELETE')).toBe(0);
    await withHost({ kind, replica: 1 }, (host) => host.call('delete_link', args));
    expect(calls('DELETE')).toBe(1);
    const again = await withHost({ kind }, (host) => host.call('delete_link', args));
    expect(again.data).toMatchObject({ done: false });
    expect(again.data['confirm_url']).not.toBe(data['confirm_url']);
    expect(calls('DELETE')).toBe(1);
  });

  test('a decline is final at every replica, under every grant of the key, for any tool with the same effect', async () => {
    const args = { document_id: `doc ${++count}` };
    const { data } = await withHost({ kind }, (host) => host.call('create_link', args));
    expect(await person().answer(String(data['confirm_url']), 'deny')).toBe('Denied');
    for (const [token, name] of [
      ['mine', 'create_link'],
      ['other', 'create_link'],
      ['other', 'share_document'],
    ] as const) {
      const input = name === 'share_document' ? { ...args, email_required: false } : args;
      const { data: refused } = await withHost({ kind, token, replica: 1 }, (host) => host.call(name, input));
      expect(refused).toMatchObject({ outcome: 'declined' });
    }
    expect(calls('POST')).toBe(0);
  });

  test('no menu lists a token, and a call with a token is rejected', async () => {
    await withHost({ kind }, async (host) => {
      const listed = await host.tools();
      expect(listed.filter(({ inputSchema }) => JSON.stringify(inputSchema).includes('confirm_token'))).toEqual([]);
      const { error } = await host.call('delete_link', { ...fresh(), confirm_token: 'x' });
      expect(error).toMatchObject({ code: 'invalid_arguments' });
    });
  });
});

test('repeating an unanswered call gives the same URL, and other arguments give another one', () =>
  withHost({}, async (host) => {
    const args = fresh();
    const first = await host.call('delete_link', args);
    const second = await host.call('delete_link', args);
    const other = await host.call('delete_link', fresh());
    expect(second.data).toMatchObject({ confirm_url: first.data['confirm_url'], outcome: 'pending' });
    expect(other.data['confirm_url']).not.toBe(first.data['confirm_url']);
  }));

test('two identical simultaneous calls ask one question', () =>
  withHost({}, async (host) => {
    const args = fresh();
    const both = await Promise.all([host.call('delete_link', args), host.call('delete_link', args)]);
    expect(new Set(both.map(({ data }) => data['confirm_url'])).size).toBe(1);
  }));

test('the page says in one sentence that an app wants to send a draft which is not ready', () =>
  withHost({}, async (host) => {
    const { data: draft } = await host.call('create_proposal', {
      name: 'Offer',
      recipients: [{ email: 'a@x.example' }],
    });
    const { data } = await host.call('send_proposal', { id: draft['id'] });
    const { html } = await person().load(String(data['confirm_url']));
    const sentence =
      'Not ready, see below: An app that uses your API key wants to send &quot;Offer&quot; to a@x.example';
    expect(html.replace(/<[^>]*>/g, '')).toContain(sentence);
  }));

test('a waiting call gets the answer', async () => {
  const grants = { mine: { grant: 'mine', key, browser } };
  const state = createMemoryState();
  const replica = await closeAfterTest(openReplica({ baseUrl: sandbox.url, state, grants, waitMs: 25_000 }));
  await withHost({ url: replica.mcp }, async (host) => {
    const args = fresh();
    const { data } = await host.call('delete_link', args);
    const waiting = host.call('delete_link', args);
    await person().answer(String(data['confirm_url']), 'approve');
    await waiting;
  });
  expect(calls('DELETE')).toBe(1);
});

describe('a host that opens URLs', () => {
  const remove = (answer: NonNullable<Elicitation['url']>, args = fresh()) =>
    withHost({ kind: 'sdk 2.x modern', elicitation: { url: answer } }, (host) => host.call('delete_link', args));

  test('gets the page, and the call continues once the user has approved there', async () => {
    const asked: string[] = [];
    const answer = async ({ url, message }: { url: string; message: string }) => {
      asked.push(message);
      await person().answer(url, 'approve');
      return { action: 'accept' };
    };
    await remove(answer);
    expect(asked).toHaveLength(1);
    expect(calls('DELETE')).toBe(1);
  });

  test.each([
    ['decline', undefined],
    ['decline', 'approve'],
    ['accept', 'deny'],
  ] as const)('and responds with %s, with %s on the page, does nothing', async (action, decision) => {
    const args = fresh();
    const answer = async ({ url }: { url: string }) => {
      if (decision) await person().answer(url, decision);
      return { action };
    };
    const { data } = await remove(answer, args);
    expect(data).toMatchObject({ outcome: 'declined' });
    expect((await withHost({}, (host) => host.call('delete_link', args))).data).toMatchObject({ outcome: 'declined' });
    expect(calls('DELETE')).toBe(0);
  });

  test('gets the URL in the result if nobody has answered yet', async () => {
    const { data } = await remove(async () => ({ action: 'accept' }));
    expect(data).toMatchObject({ done: false, confirm_url: expect.any(String) });
    expect(calls('DELETE')).toBe(0);
  });
});

test('after a form left open at one replica, another asks on the page, whose approval outlives an answer to the form', async () => {
  let time = Date.now();
  const now = () => time;
  const options = { baseUrl: sandbox.url, state: createMemoryState({ now }), grants, now };
  const open = async (form: () => unknown) => {
    const { mcp: url } = await closeAfterTest(openReplica(options));
    return closeAfterTest(openRemote({ kind: 'sdk 2.x modern', url, token: 'mine', elicitation: { form } }));
  };
  const [opened, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
  const slow = (await open(() => opened.resolve() ?? answered.promise)).call('delete_link', fresh());
  await opened.promise;
  time += 4000;
  const [next, args] = [await open(() => ({ action: 'decline' })), fresh()];
  const { data } = await next.call('delete_link', args);
  expect(await person().answer(String(data['confirm_url']), 'approve')).toBe('Approved');
  answered.resolve({ action: 'accept', content: { confirm: true } });
  await slow;
  await next.call('delete_link', args);
  expect(calls('DELETE')).toBe(2);
});

test('an approval expires if it is not used within ten minutes, and so does a URL', async () => {
  let time = Date.now();
  const state = createMemoryState({ now: () => time });
  const grants = { mine: { grant: 'mine', key, browser } };
  const replica = await closeAfterTest(openReplica({ baseUrl: sandbox.url, state, grants, now: () => time }));
  const host = await closeAfterTest(openRemote({ kind: 'sdk 1.x', url: replica.mcp, token: 'mine' }));
  const args = fresh();
  const first = await host.call('delete_link', args);
  time += 9 * 60_000;
  expect(await person().answer(String(first.data['confirm_url']), 'approve')).toBe('Approved');
  time += 9 * 60_000;
  expect((await person().load(String(first.data['confirm_url']))).title).toBe('Approved');
  time += 2 * 60_000;
  const late = await host.call('delete_link', args);
  expect(late.data).toMatchObject({ done: false, confirm_url: expect.any(String) });
  expect(late.data['confirm_url']).not.toBe(first.data['confirm_url']);
  time += 10 * 60_000 + 1;
  expect((await person().load(String(late.data['confirm_url']))).status).toBe(404);
  expect(calls('DELETE')).toBe(0);
});

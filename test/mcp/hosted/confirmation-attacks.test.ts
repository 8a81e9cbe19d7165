import { beforeEach, describe, expect, test } from 'vitest';
import { CARD_REQUEST_KEY } from '../../../mcp/confirm/card-request.ts';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { rpcAt } from '../../support/hosted-calls.ts';
import { openRemote } from '../../support/hosted-host.ts';
import { openReplica } from '../../support/hosted-replica.ts';
import { createPerson, signedInBrowser } from '../../support/hosted-visitor.ts';
import { createMemoryState, type SharedState } from '../../support/mcp-parts.ts';

const { cookie, browser } = signedInBrowser('b');
const person = () => createPerson(undefined, cookie);

/** All values that were ever written into the state. */
let written = '';
const ended = new Set<string>();
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
const [key, shared] = [sandbox.key(), sandbox.key()];
const grants = {
  mine: { grant: 'mine', key, browser },
  yours: { grant: 'yours', key: sandbox.key(), browser: signedInBrowser('y').browser },
  leaving: { grant: 'leaving', key, browser },
  first: { grant: 'first', key: shared, browser },
  second: { grant: 'second', key: shared, browser },
};
const replica = await closeAfterAll(
  openReplica({ baseUrl: sandbox.url, state: watched(createMemoryState()), grants, ended }),
);
const host = await closeAfterAll(openRemote({ kind: 'sdk 1.x', url: replica.mcp, token: 'mine' }));
beforeEach(() => sandbox.log.clear());

function watched(state: SharedState): SharedState {
  const note = (...entry: unknown[]) => {
    written += `${JSON.stringify(entry)}\n`;
  };
  return {
    ...state,
    put(key, entry, until) {
      note(key, entry);
      return state.put(key, entry, until);
    },
    putIfAbsent(key, entry, until) {
      note(key, entry);
      return state.putIfAbsent(key, entry, until);
    },
  };
}

const deletes = () => sandbox.log.entries().filter(({ method }) => method === 'DELETE').length;
let count = 0;
async function asked(args: Record<string, unknown> = { id: `link ${++count}` }, name = 'delete_link') {
  const { data, error } = await host.call(name, args);
  return { args, url: String(data['confirm_url']), error };
}

describe('a visitor with only the URL', () => {
  test('cannot see the action, change it by opening the page, or answer', async () => {
    const { args, url } = await asked();
    const model = createPerson();
    for (let look = 0; look < 3; look++) {
      const { title, html } = await model.load(url);
      expect(title).toBe('Confirm it’s you');
      expect(html).not.toContain(String(args['id']));
    }
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    for (const fields of [
      { decision: 'approve' },
      { decision: 'approve', form: '' },
      { decision: 'approve', form: 'x'.repeat(43) },
    ])
      expect((await model.post(url, fields)).status).toBe(403);
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expect((await fetch(url, { method })).status, method).toBeGreaterThan(400);
    await host.call('delete_link', args);
    expect(deletes()).toBe(0);
  });

  test('cannot guess a key: after thirty attempts its network has to wait, and the link works for others', async () => {
    const { url } = await asked();
    const stranger = createPerson();
    const guess = async (text: string) =>
      (await stranger.post(url, { api_key: text }, { 'x-forwarded-for': '8.8.8.8' })).html;
    for (let n = 0; n < 30; n++) expect(await guess(`key ${n}`)).toContain('not the key');
    expect(await guess(key)).toContain('Too many attempts');
    const phone = createPerson();
    expect((await phone.post(url, { api_key: key })).title).toBe('Approve this action?');
    expect(await phone.answer(url, 'deny')).toBe('Denied');
  });

  test('who has the key can answer, but only in that browser', async () => {
    const { args, url } = await asked();
    const phone = createPerson();
    expect((await phone.post(url, { api_key: key })).title).toBe('Approve this action?');
    expect((await createPerson().load(url)).title).toBe('Confirm it’s you');
    expect((await phone.load((await asked()).url)).title).toBe('Approve this action?');
    expect(await phone.answer(url, 'approve')).toBe('Approved');
    await host.call('delete_link', args);
    expect(deletes()).toBe(1);
  });
});

test('a browser that signed in with another key gets no access', async () => {
  const { url } = await asked();
  const other = createPerson(undefined, signedInBrowser('y').cookie);
  expect((await other.load(url)).title).toBe('Confirm it’s you');
  const mine = (await person().load(url)).field('form');
  expect((await other.post(url, { decision: 'approve', form: mine })).status).toBe(403);
  expect((await person().load(url)).title).toBe('Approve this action?');
});

test('a form is valid only for its own page', async () => {
  const [one, other] = [await asked(), await asked()];
  const form = (await person().load(one.url)).field('form');
  expect((await person().post(other.url, { decision: 'approve', form })).status).toBe(403);
  expect((await person().post(one.url, { decision: 'perhaps', form })).status).toBe(403);
  for (const { args } of [one, other]) await host.call('delete_link', args);
  expect(deletes()).toBe(0);
});

test.each([
  [{ origin: 'https://evil.example' }],
  [{ origin: 'null' }],
  [{ origin: '' }],
  [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-site' }],
  [{ 'sec-fetch-site': 'none' }],
])('a post from another site (%j) is rejected, whatever it contains', async (headers) => {
  const { args, url } = await asked();
  const form = (await person().load(url)).field('form');
  expect((await person().post(url, { decision: 'approve', form }, headers)).status).toBe(403);
  await host.call('delete_link', args);
  expect(deletes()).toBe(0);
});

test('the first of two clicks counts, and one of two simultaneous calls acts', async () => {
  const { args, url } = await asked();
  const form = (await person().load(url)).field('form');
  const clicks = await Promise.all(
    ['approve', 'approve', 'deny', 'approve'].map((decision) => person().post(url, { decision, form })),
  );
  const titles = new Set(clicks.map(({ title }) => title));
  expect(titles.size).toBe(1);
  const answers = await Promise.all(Array.from({ length: 5 }, () => host.call('delete_link', args)));
  if (titles.has('Denied')) for (const { data } of answers) expect(data).toMatchObject({ outcome: 'declined' });
  expect(deletes()).toBe(titles.has('Approved') ? 1 : 0);
});

test('arguments that change after an approval need another approval', async () => {
  const fields = { name: 'Board', public: true };
  const { url } = await asked({ fields }, 'create_room');
  await person().answer(url, 'approve');
  const changed = await host.call('create_room', { fields: { ...fields, visitors: 'all' } });
  expect(changed.data).toMatchObject({ done: false });
  const reordered = await host.call('create_room', { fields: { public: true, name: 'Board' } });
  expect(reordered.data).toMatchObject({ done: true });
});

test('an approval counts once, and the same question from elsewhere is then outdated', async () => {
  const { args, url } = await asked();
  const other = await closeAfterTest(openRemote({ kind: 'sdk 1.x', url: replica.mcp, token: 'leaving' }));
  const second = await other.call('delete_link', args);
  await person().answer(url, 'approve');
  await person().answer(String(second.data['confirm_url']), 'approve');
  // The link does not exist; only the number of requests to the service matters.
  expect((await host.call('delete_link', args)).error).toMatchObject({ code: 'not_found' });
  expect((await other.call('delete_link', args)).error).toMatchObject({ code: 'not_confirmed', fault: 'overtaken' });
  expect(deletes()).toBe(1);
  // Asked again, it is another action.
  const again = await other.call('delete_link', args);
  expect(again.data).toMatchObject({ done: false, confirm_url: expect.any(String) });
  await person().answer(String(again.data['confirm_url']), 'approve');
  await other.call('delete_link', args);
  expect(deletes()).toBe(2);
});

test('a page that is denied after the action ran elsewhere does not say that nothing was changed', async () => {
  const { args, url } = await asked();
  const other = await closeAfterTest(openRemote({ kind: 'sdk 1.x', url: replica.mcp, token: 'leaving' }));
  const second = await other.call('delete_link', args);
  await person().answer(url, 'approve');
  await host.call('delete_link', args);
  expect(deletes()).toBe(1);
  await person().answer(String(second.data['confirm_url']), 'deny');
  const page = await person().load(String(second.data['confirm_url']));
  expect(page.html).toContain('<p>This request changed nothing.');
});

test('a plan continues under the grant that asked, and every grant of the key learns first names', async () => {
  const open = async (token: 'first' | 'second') =>
    closeAfterTest(openRemote({ kind: 'sdk 1.x', url: replica.mcp, token }));
  const [first, second] = [await open('first'), await open('second')];
  const { data } = await first.call('upload_document', { name: 'Deck.pdf', content: btoa('%PDF-1.7 deck') });
  const create = async (name: string) =>
    (await first.call('create_link', { document_id: data['id'], name, email_required: true })).data['id'];
  const ids = [await create('Board'), await create('Staff'), await create('Press')];
  await first.call('update_link', { id: ids[0], fields: { name: 'Test' } });
  const renamed = await second.call('delete_link', { id: ids[0] });
  expect(renamed.data['preview']).toContain('Delete link "Test" (renamed from "Board"');
  const plan = { changes: ids.map((id) => ({ id, email_required: false })) };
  const [mine, theirs] = [await first.call('update_links', plan), await second.call('update_links', plan)];
  await person().answer(String(mine.data['confirm_url']), 'approve');
  sandbox.faults.add({ operation: 'links.update', nth: 2, status: 429, headers: { 'retry-after': '60' } });
  const started = await first.call('update_links', plan);
  expect(started.data).toMatchObject({ items: [{ id: ids[0] }], left: 2, retry_after_s: expect.any(Number) });
  expect(started.data).not.toHaveProperty('failed');
  expect((await second.call('update_links', plan)).data['confirm_url']).toBe(theirs.data['confirm_url']);
  expect((await first.call('update_links', plan)).data).toMatchObject({ left: 2, approved_by: 'page' });
});

test('a question of a revoked grant is no longer available', async () => {
  const leaving = await closeAfterTest(openRemote({ kind: 'sdk 1.x', url: replica.mcp, token: 'leaving' }));
  const { data } = await leaving.call('delete_link', { id: 'last' });
  ended.add('leaving');
  expect((await person().load(String(data['confirm_url']))).status).toBe(404);
});

test('all unknown URLs get the same response', async () => {
  for (const token of ['x', 'x'.repeat(43), '%2e%2e', '..%2f..', 'a'.repeat(5000)])
    expect((await person().load(`${replica.url}/confirm/${token}`)).status).toBe(404);
});

test('a declined file from the chat stays declined at its next URL', async () => {
  const at = (path: string) => ({ files: [{ file_id: 'file_1', download_url: `https://files.example/${path}` }] });
  await person().answer((await asked(at('1'), 'share_document')).url, 'deny');
  expect((await host.call('share_document', at('2'))).data).toMatchObject({ outcome: 'declined' });
});

test('an approved file from the chat stays approved at its next signed URL, but not at another URL', async () => {
  const file = { file_id: 'file_2', file_name: 'a.pdf' };
  const at = (path: string) => ({ email_required: false, file: { ...file, download_url: `https://f.test/${path}` } });
  const first = at('get?id=2&se=2026-11-29T09%3A00Z&sig=a');
  const { url } = await asked(first, 'share_document');
  const shown = await rpcAt(replica.url, 'mine', 'tools/call', { name: 'share_document', arguments: first });
  // The card repeats the call, and the file's host needs the signature.
  expect(shown.body).toHaveProperty(['result', '_meta', CARD_REQUEST_KEY, 'arguments'], first);
  expect(await person().answer(url, 'approve')).toBe('Approved');
  for (const other of ['get?id=3&se=2026-11-29T09%3A05Z&sig=b', 'other?id=2&sig=b', 'get?id=2&sku=3&sig=b'])
    expect((await asked(at(other), 'share_document')).url).toContain('/confirm/');
  const { error } = await asked(at('get?id=2&se=2026-11-29T09%3A05Z&sig=b'), 'share_document');
  // Approved: there is no such host.
  expect(error).toHaveProperty('code');
});

test('text of strangers is shown as text: no markup, bidirectional control or line break', async () => {
  const id = '<img src=x onerror=alert(1)>\u202egnp\u202c"\n\u2028Nothing is deleted.\u0007</li><h1>Safe';
  const { url } = await asked({ id });
  const { html: text } = await person().load(url);
  expect(text).not.toMatch(/<img src=x|<\/li><h1>|[\u202a-\u202e\u2028]/);
  expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;\\u202egnp\\u202c');
  expect(text.match(/<h1>/g)).toHaveLength(1);
});

test('a page shows everything that is sent, or the call is rejected', async () => {
  const long = `${'a'.repeat(3000)} the end`;
  const { url } = await asked({ fields: { name: 'R', public: true, note: long } }, 'create_room');
  expect((await person().load(url)).html).toContain('the end');
  const { error } = await asked({ fields: { public: true, note: 'b'.repeat(70_000) } }, 'create_room');
  // A part of a file would be a wrong new version.
  expect(error).toMatchObject({ code: 'invalid_arguments', message: expect.stringContaining('way than content') });
});

test('the state contains no URL, no key and no text of the action', async () => {
  const { url } = await asked({ id: 'a very secret link' });
  await person().answer(url, 'deny');
  expect(written).not.toBe('');
  for (const secret of [url.slice(-43), key, 'a very secret link']) expect(written).not.toContain(secret);
});

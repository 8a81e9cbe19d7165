import { beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { sendJson } from '../../support/ask-service.ts';
import { closeAfterAll, closeAfterTest, createFolderForTest } from '../../support/cleanup.ts';

type Item = Record<string, unknown>;
let key: string;
const sandbox = await closeAfterAll(createSandbox({ clock: 'manual', data: 'empty', seed: 1 }));
beforeEach(() => {
  sandbox.reset();
  key = sandbox.key();
});

async function send(method: string, path: string, body?: object): Promise<Item & { status: number }> {
  const { status, body: item } = await sendJson(sandbox, { key, method, path, body });
  return { ...item, status };
}
const make = async (path: string, body: object) => {
  const made = await send('POST', path, body);
  expect(made.status).toBe(201);
  return made;
};
const upload = (name: string, content = 'words', more: object = {}) =>
  make('/documents', { name, file: Buffer.from(content).toString('base64'), ...more });
const idOf = ({ id }: Item) => String(id);

test.each<[string | undefined, number, string | null, string]>([
  [undefined, 200, null, '0123456789'],
  ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
  ['bytes=5-5', 206, 'bytes 5-5/10', '5'],
  ['bytes=9-', 206, 'bytes 9-9/10', '9'],
  ['bytes=-3', 206, 'bytes 7-9/10', '789'],
  ['bytes=10-', 416, 'bytes */10', ''],
  ['bytes=0-1,3-4', 200, null, '0123456789'],
])('a shared file of ten bytes returns for %s the status %i and %s', async (range, status, part, text) => {
  const document_id = idOf(await upload('Page', '0123456789', { content_type: 'text/html' }));
  const link = idOf(await make('/links', { document_id }));
  const opened = await fetch(`${sandbox.origin}/l/${link}`, { redirect: 'manual' });
  const [path = ''] = opened.headers.get('location')?.split('?') ?? [];
  const address = `${sandbox.origin}${path}/files/${document_id}?version=1`;
  const init = range === undefined ? {} : { headers: { range } };
  const answer = await fetch(address, init);
  expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([status, part, text]);
  const head = await fetch(address, { method: 'HEAD', ...init });
  expect([head.status, await head.text()]).toEqual([status, '']);
  // Scripts of an uploaded page do not run here.
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
});

test('a body is read in both spellings, the documented one first, and its ID is not stored', async () => {
  const document_id = idOf(await upload('Deck'));
  const link = await make('/links', { documentId: document_id, maxVisitors: 1, id: 'own', note: 'x' });
  expect(link).toMatchObject({ document_id, max_visitors: 1, note: 'x', id: expect.not.stringMatching('own') });
  expect(await make('/links', { document_id, max_visitors: 2, maxVisitors: 1 })).toMatchObject({ max_visitors: 2 });
});

test.each([
  ...[1_798_711_200, 1_798_711_200_000, '2026-12-31T10:00:00Z'].map((given) => [given, '2026-12-31T10:00:00.000Z']),
  ['9999-01-01', '9999-01-01T00:00:00.000Z'],
  ...['9999-01-02', -1].map((given) => [given, undefined]),
])('the time %s is read as %s', async (expires_at, read) => {
  const link = await send('POST', '/links', { document_id: idOf(await upload('Deck')), expires_at });
  expect([link.status, link['expires_at']]).toEqual([read ? 201 : 422, read]);
});

test('prices of a proposal are summed exactly to the cent', async () => {
  const items = [{ unit_price: 0.1 }, { price: 0.2 }, { amount: 1.005, quantity: 2 }];
  expect(await make('/proposals', { name: 'Offer', items })).toMatchObject({ total_amount: 2.31 });
});

test('a workspace accepts a hundred webhooks, each with its own secret', async () => {
  const registration = { url: 'http://127.0.0.1:9/', events: ['link.viewed'] };
  await make('/webhooks', { ...registration, secret: 'whsec_b3du' });
  for (let at = 1; at < 100; at++) await make('/webhooks', registration);
  expect((await send('POST', '/webhooks', registration)).status).toBe(409);
  const [first] = sandbox.snapshot().state.webhooks.values();
  expect(first?.secret).toBe('whsec_b3du');
});

test('a start from a folder uses the given time instead of the saved one', async () => {
  const keepIn = createFolderForTest('docshare-small-print-');
  const first = await createSandbox({ dataFolder: keepIn, data: 'empty', at: '2026-01-01' });
  await first.clock.advance(1_000);
  await first.close();
  const same = await createSandbox({ dataFolder: keepIn, clock: 'manual' });
  expect(same.clock.now()).toBe(Date.UTC(2026, 0, 1, 0, 0, 1));
  await same.close();
  const other = await closeAfterTest(createSandbox({ dataFolder: keepIn, at: '2027-01-01' }));
  expect(other.clock.now()).toBe(Date.UTC(2027, 0, 1));
});

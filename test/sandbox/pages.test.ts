/** Pages as the server sends them, without a browser. */
import { expect, test, vi } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { createCaller, storeDocument } from '../support/call-sandbox.ts';
import { closeAfterAll } from '../support/cleanup.ts';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty', seed: 1, at: '2026-11-21T09:00Z' }));
const call = createCaller(sandbox);
const document_id = await storeDocument(call, { name: 'Contract', titles: ['Terms', 'More terms'] });
const email = 'ada@example.com';
const make = async (path: string, body: object = {}) => (await call(`POST /${path}`, body)).body;

/** Follows redirects. The port differs in each run, and headers of requests in each version of Node. */
async function read(url: string, fields?: Record<string, string>): Promise<string> {
  const answer = await fetch(
    new URL(url, sandbox.origin),
    fields && { method: 'POST', body: new URLSearchParams(fields) },
  );
  const text = `${fields ? 'POST' : 'GET'} ${answer.url} ${answer.status}\n${await answer.text()}`;
  return text.replaceAll(sandbox.origin, '').replace(/<pre tabindex="0">accept.*?<\/pre>/gs, '<pre>Headers</pre>');
}

test('pages show what is stored, asked for and decided', async () => {
  const hook = { url: 'http://127.0.0.1:9/hook', events: ['link.viewed'] };
  const removed = await make('webhooks', hook);
  await make('webhooks', hook);
  await make('documents/uploads', { filename: 'later.pdf' });
  const { id: room_id } = await make('rooms', { name: 'Deal room' });
  const { id: folder_id } = await make(`rooms/${room_id}/folders`, { name: 'Finance' });
  await make(`rooms/${room_id}/files`, { document_id, folder_id });
  const words = await make('documents', { name: 'Words', file_name: 'words.txt', content: 'aGk=' });
  await make(`rooms/${room_id}/files`, { document_id: words.id });
  const gates = { email_required: true, password: 'open sesame', nda_required: true, expires_at: '2026-12-01' };
  const gated = (await make('links', { document_id, ...gates, name: 'For Ada', max_visitors: 2 })).url;
  const closed = (await make('links', { document_id, download_allowed: false })).url;
  const shared = (await make('links', { room_id })).url;
  const expired = (await make('links', { document_id, expires_at: '2020-01-01' })).url;
  const deleted = await make('links', { document_id });
  await call(`DELETE /links/${deleted.id}`);
  const right = { email, password: gates.password, nda: 'on' };
  const shown = [
    await read(gated),
    await read(gated, { ...right, name: 'Ada', password: 'guess' }),
    await read(gated, { ...right, nda: '' }),
    await read(gated, right),
    await read(closed),
    await read(shared),
  ];
  for (const url of [expired, deleted.url, '/l/nope', '/v/nope', '/s/nope/nobody']) shown.push(await read(url));

  const recipients = [
    { email, name: 'Ada' },
    { email: 'ben@example.com', name: 'Ben' },
  ];
  const contract = { name: 'Contract', message: 'Please', document_id, recipients };
  const { id, recipients: signers } = await make('agreements', contract);
  const [ada, ben] = signers.map(({ signing_url }: { signing_url: string }) => signing_url);
  const getStatus = (of = id, group: 'agreements' | 'proposals' = 'agreements') =>
    `Status: ${sandbox.snapshot().state[group].get(of)?.status}`;
  shown.push(await read(ada), await read(`/s/${id}/nobody`));
  await make(`agreements/${id}/send`);
  const signature = { name: 'Ada L.', consent: 'on', seen: '1' };
  const refused = [
    { ...signature, name: ' ' },
    { name: 'Ada L.', consent: 'on' },
    { name: 'Ada L.', seen: '1' },
  ];
  for (const fields of refused) shown.push(await read(ada, fields), getStatus());
  shown.push(await read(ada), getStatus(), await read(ada, signature), await read(ada, { ...signature, name: 'Eve' }));
  shown.push(await read(ben), await read(ben, { ...signature, name: 'Ben', seen: '', unseen: 'on' }), getStatus());
  for (const status of ['declined', 'voided', 'expired'] as const) {
    const { id: other } = await make('agreements', contract);
    const { recipients: asked } = await make(`agreements/${other}/send`);
    await sandbox.endAgreement(other, status);
    shown.push(await read(asked[0].signing_url));
  }

  const items = [{ description: 'Seats', quantity: 3, unit_price: 20 }, { amount: 5 }];
  const offers = [
    { items, recipients },
    { items: [], message: 'Soon' },
    { items, currency: 'QQ€' },
    { items, currency: 'JPY' },
  ];
  for (const [index, offer] of offers.entries()) {
    const { id: proposal } = await make('proposals', { name: 'Offer', email, ...offer });
    shown.push(await read(`/p/${proposal}`));
    const { url } = await make(`proposals/${proposal}/send`);
    shown.push(await read(url), getStatus(proposal, 'proposals'));
    shown.push(await read(url, { decision: index === 0 ? 'decline' : 'accept' }), getStatus(proposal, 'proposals'));
  }
  shown.push(await read(`/thumbnails/${document_id}/2.svg`));
  const empty = await make('links', { room_id: (await make('rooms', { name: 'Empty room' })).id });
  shown.push(await read(empty.url));
  for (const seconds of [125, 3_840]) await sandbox.visit(empty.id, { pages: [seconds] });
  await sandbox.deliveries.settled();
  sandbox.faults.add({ path: '/rooms', status: 503, body: '{}', times: 1 });
  await call('GET /rooms?limit=2');
  await call(`DELETE /webhooks/${removed.id}`);
  await sandbox.clock.advance(5_000);
  await sandbox.deliveries.settled();
  const { headers } = await fetch(sandbox.origin);
  for (const name of ['referrer-policy', 'cache-control', 'x-content-type-options']) shown.push(`${headers.get(name)}`);
  await expect([...shown, await read('/')].join('\n')).toMatchFileSnapshot('__snapshots__/pages.html');
});

test('only an open visit gets the bytes, and a download only if the link allows it', async () => {
  const other = await storeDocument(call, { name: 'Other', titles: ['Other'] });
  const [visit] = (await fetch((await make('links', { document_id, download_allowed: false })).url)).url.split('?');
  const ask = async (path: string) => (await fetch(path)).status;
  const files = ['version=1', 'version=1&download=1', 'version=2'].map(
    (query) => `${visit}/files/${document_id}?${query}`,
  );
  expect(await Promise.all(files.map(ask))).toEqual([200, 403, 404]);
  expect(await ask(`${visit}/files/${other}?version=1`)).toBe(404);
  const time = async (fields: Record<string, string>) =>
    (await fetch(`${visit}/time`, { method: 'POST', body: new URLSearchParams(fields) })).status;
  const pages = ['0', '1', '2', '3', 'x'].map((page) => ({ page }));
  expect(await Promise.all([...pages, { away: '1' }].map(time))).toEqual([422, 204, 204, 422, 422, 204]);
  expect(await ask(`${sandbox.origin}/v/nope/files/${document_id}?version=1`)).toBe(404);
});

test('a reader who stops reporting counts as gone, and only reported time counts', async () => {
  const { id, url } = await make('links', { document_id });
  const visit = new URL((await fetch(url)).url).pathname;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (const ms of [0, 4_000]) {
    await sandbox.clock.advance(ms);
    await read(`${visit}/time`, { page: '2' });
  }
  vi.advanceTimersByTime(20_000);
  await sandbox.clock.advance(3_600_000);
  expect((await call(`GET /analytics/links/${id}`)).body.pages).toMatchObject([
    { total_seconds: 0 },
    { total_seconds: 4 },
  ]);
});

test('the server delivers the files of pdf.js and no others', async () => {
  const status = async (path: string) => (await fetch(`${sandbox.origin}/assets/pdfjs/${path}`)).status;
  expect(await status('legacy/build/pdf.worker.min.mjs')).toBe(200);
  expect(await status('cmaps/90ms-RKSJ-H.bcmap')).toBe(200);
  for (const path of ['package.json', '../../package.json', 'cmaps/..%2fpackage.json', 'cmaps/', 'wasm/none.wasm'])
    expect(await status(path), path).toBe(404);
});

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
async function read(url: string, fields?: Record<string, string>) {
  const post = fields && { method: 'POST', body: new URLSearchParams(fields) };
  const answer = await fetch(new URL(url, sandbox.origin), post);
  const html = (await answer.text()).replace(/<pre tabindex="0">accept.*?<\/pre>/gs, '<pre>Headers</pre>');
  const request = `${post ? 'POST' : 'GET'} ${answer.url} ${answer.status}`;
  return { request, status: answer.status, html: html.replaceAll(sandbox.origin, '') };
}

type Page = Awaited<ReturnType<typeof read>>;
const SHOWN =
  /\b(?:(?:href|src|action|name|value|type|role|title|aria-[a-z]+)="[^"]*"|class="badge[^"]*"|(?:required|checked|selected|disabled|hidden|autofocus|download)(?=\s|$))/g;

/** What a person can read and do on the pages: texts, links, and fields with their state, but no markup. */
function describePages(pages: readonly Page[]): string {
  const texts = pages.map(({ request, html }) =>
    html
      .replace(/<(?:meta|link|!doctype)[^>]*>|<(script|style)>.*?<\/\1>|<option(?![^>]*selected).*?<\/option>/gs, '')
      .replace(/<(\/?)(\w+)((?:"[^"]*"|[^>"])*)>/g, (_, end, tag, attributes) => {
        const shown = end ? [] : attributes.match(SHOWN);
        if (shown?.length) return `\n[${tag} ${shown.join(' ')}] `;
        return /^(?:bdi|b|strong|em|small|time|a|label)$/.test(tag) ? '' : '\n';
      })
      .replace(/\s*\n\s*/g, '\n')
      .replace(/^/, `\n${request.replace(sandbox.origin, '')}`),
  );
  return texts.join('\n').replace(/\b([a-z]{2,4})([-_])[\da-z]{12,}(?:\.[\da-f]+)?/g, '$1$2ID');
}

test('a link shows its gates, which fields are wrong, and then the document or why there is none', async () => {
  const { id: room_id } = await make('rooms', { name: 'Deal room' });
  const { id: folder_id } = await make(`rooms/${room_id}/folders`, { name: 'Finance' });
  await make(`rooms/${room_id}/files`, { document_id, folder_id });
  const words = await make('documents', { name: 'Words', file_name: 'words.txt', content: 'aGk=' });
  await make(`rooms/${room_id}/files`, { document_id: words.id });
  const gates = { email_required: true, password: 'open sesame', nda_required: true, expires_at: '2026-12-01' };
  const gated = (await make('links', { document_id, ...gates })).url;
  const right = { email, password: gates.password, nda: 'on' };
  const asked = [await read(gated)];
  for (const wrong of [{ name: 'Ada', password: 'guess' }, { nda: '' }])
    asked.push(await read(gated, { ...right, ...wrong }));
  expect(asked.map(({ status }) => status)).toEqual([200, 422, 422]);
  // Valid fields keep their values.
  expect(asked[1]?.html).toMatch(/value="ada@example\.com".*value="Ada"/s);
  const opened = [await read(gated, right)];
  const empty = (await make('rooms', { name: 'Empty room' })).id;
  for (const body of [{ document_id, download_allowed: false }, { room_id }, { room_id: empty }])
    opened.push(await read((await make('links', body)).url));
  expect(opened.map(({ html }) => /id="download"/.test(html))).toEqual([true, false, true, false]);
  const expired = (await make('links', { document_id, expires_at: '2020-01-01' })).url;
  const deleted = await make('links', { document_id });
  await call(`DELETE /links/${deleted.id}`);
  const missing = await Promise.all([expired, deleted.url, '/l/nope', '/v/nope'].map((url) => read(url)));
  expect(missing.map(({ status }) => status)).toEqual([410, 404, 404, 404]);
  expect(describePages([...asked, ...opened, ...missing])).toMatchSnapshot();
});

const recipients = ['Ada', 'Ben'].map((name) => ({ name, email: `${name.toLowerCase()}@example.com` }));
const contract = { name: 'Contract', message: 'Please', document_id, recipients };

test('signing requires a name, a view of the document and consent, and works only once', async () => {
  const { id, recipients: signers } = await make('agreements', contract);
  const [ada, ben] = signers.map(({ signing_url }: { signing_url: string }) => signing_url);
  const getStatus = () => sandbox.snapshot().state.agreements.get(id)?.status;
  const missing = [await read(ada)];
  await make(`agreements/${id}/send`);
  missing.push(await read(`/s/${id}/nobody`), await read('/s/nope/nobody'));
  expect(missing.map(({ status }) => status)).toEqual([409, 404, 404]);
  const signature = { name: 'Ada L.', consent: 'on', seen: '1' };
  const refused: Page[] = [];
  for (const wrong of [{ name: ' ' }, { seen: '' }, { consent: '' }])
    refused.push(await read(ada, { ...signature, ...wrong }));
  expect([getStatus(), ...refused.map(({ status }) => status)]).toEqual(['sent', 422, 422, 422]);
  const signed = [await read(ada)];
  expect(getStatus()).toBe('viewed');
  signed.push(await read(ada, signature), await read(ada, { ...signature, name: 'Eve' }));
  expect(signed.at(-1)?.html).toMatch(/Signed by <bdi>Ada L\.<\/bdi>/);
  signed.push(await read(ben), await read(ben, { ...signature, name: 'Ben', seen: '', unseen: 'on' }));
  expect([getStatus(), ...signed.map(({ status }) => status)]).toEqual(['signed', 200, 200, 200, 200, 200]);
  expect(describePages([...missing, ...refused, ...signed])).toMatchSnapshot();
});

test.each(['declined', 'voided', 'expired'] as const)(
  'an agreement that is %s shows this and no form',
  async (status) => {
    const { id } = await make('agreements', contract);
    const { recipients: asked } = await make(`agreements/${id}/send`);
    await sandbox.endAgreement(id, status);
    const page = await read(asked[0].signing_url);
    expect(page.html).toMatch(new RegExp(`<h2>${status}`, 'i'));
    expect(page.html).not.toMatch(/<(?:form|button)/);
    expect(describePages([page])).toMatchSnapshot();
  },
);

const items = [{ description: 'Seats', quantity: 3, unit_price: 20 }, { amount: 5 }];

test.each<[string, object, string, string]>([
  ['in the default currency', { items, recipients }, 'decline', 'declined'],
  ['in whole yen', { items, currency: 'JPY' }, 'accept', 'accepted'],
  ['in an unknown currency', { items, currency: 'QQ€' }, 'accept', 'accepted'],
  ['without items, which nobody can accept,', { items: [], message: 'Soon' }, 'accept', 'viewed'],
])('a proposal %s is shown after it was sent', async (_, offer, decision, expected) => {
  const { id } = await make('proposals', { name: 'Offer', email, ...offer });
  const getStatus = () => sandbox.snapshot().state.proposals.get(id)?.status;
  const unsent = await read(`/p/${id}`);
  expect([unsent.status, getStatus()]).toEqual([404, 'draft']);
  const { url } = await make(`proposals/${id}/send`);
  const shown = [await read(url)];
  expect(getStatus()).toBe('viewed');
  shown.push(await read(url, { decision }));
  expect(getStatus()).toBe(expected);
  expect(describePages([unsent, ...shown])).toMatchSnapshot();
});

test('pages are not cached, not sniffed and send no referrer; a thumbnail is a picture', async () => {
  const { headers } = await fetch(sandbox.origin);
  const names = ['referrer-policy', 'cache-control', 'x-content-type-options'];
  expect(names.map((name) => headers.get(name))).toEqual(['same-origin', 'no-store', 'nosniff']);
  expect((await read(`/thumbnails/${document_id}/2.svg`)).html).toMatchSnapshot();
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

test('the console shows what is stored, asked for and delivered', async () => {
  const hook = { url: 'http://127.0.0.1:9/hook', events: ['link.viewed'] };
  sandbox.reset();
  const removed = await make('webhooks', hook);
  await make('webhooks', hook);
  await make('documents/uploads', { filename: 'later.pdf' });
  const { id: room_id } = await make('rooms', { name: 'Deal room' });
  const link = await make('links', { room_id, name: 'For Ada', max_visitors: 3 });
  await make('agreements', { name: 'Contract', recipients });
  await read(link.url);
  for (const seconds of [125, 3_840]) await sandbox.visit(link.id, { pages: [seconds] });
  await sandbox.deliveries.settled();
  sandbox.faults.add({ path: '/rooms', status: 503, body: '{}', times: 1 });
  await call('GET /rooms?limit=2');
  await call(`DELETE /webhooks/${removed.id}`);
  await sandbox.clock.advance(5_000);
  await sandbox.deliveries.settled();
  expect(describePages([await read('/')])).toMatchSnapshot();
});

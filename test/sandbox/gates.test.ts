import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { sendJson } from '../support/ask-service.ts';
import { closeAfterAll } from '../support/cleanup.ts';

const sandbox = await closeAfterAll(createSandbox({ data: 'empty', clock: 'manual' }));
const documentId = (await call('POST', '/documents', { name: 'Deck', content: 'aGVsbG8=' })).id;

async function call(method: string, path: string, body?: object) {
  return (await sendJson(sandbox, { key: sandbox.key(), method, path, body })).body;
}

const newLink = (fields: object = {}) => call('POST', '/links', { document_id: documentId, ...fields });
const visitsOf = async (id: string) => (await call('GET', `/analytics/links/${id}`)).views;

async function open(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const location = response.headers.get('location');
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  return {
    status: response.status,
    html: await response.text(),
    cookie,
    location: location && new URL(location, sandbox.origin).href,
  };
}

const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  open(url, { method: 'POST', body: new URLSearchParams(fields), headers });

async function waysOf(linkUrl: string) {
  const { location } = await open(linkUrl);
  const page = await open(location ?? '');
  const file = /href="(\/v\/[^"]+\/files\/[^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
  const visit = new URL(location ?? '').pathname;
  return { page: location ?? '', file: new URL(file ?? '', sandbox.origin).href, visit: sandbox.origin + visit };
}

test.each([
  ['deleted', async (id: string) => void (await call('DELETE', `/links/${id}`)), 404],
  [
    'expired',
    async (id: string) => {
      await call('PATCH', `/links/${id}`, { expires_at: sandbox.clock.now() + 1000 });
      await sandbox.clock.advance(1000);
    },
    410,
  ],
])('a %s link ends its open visits, their pages and their downloads', async (_, end, status) => {
  const link = await newLink();
  const ways = await waysOf(link.url);
  expect((await fetch(ways.file)).status).toBe(200);
  await end(link.id);
  expect((await fetch(ways.file)).status).toBe(status);
  expect((await fetch(ways.file, { headers: { range: 'bytes=0-1' } })).status).toBe(status);
  expect((await open(ways.page)).status).toBe(status);
  expect((await post(`${ways.visit}/time`, { page: '1' })).status).toBe(status);
  expect((await post(`${ways.visit}/leave`, {})).status).toBe(status);
});

const PREVIEWERS = [
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'WhatsApp/2.23.20.0 A',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
];

test('a person in the draft and in the send is asked once', async () => {
  const { id } = await call('POST', '/agreements', { document_id: documentId, email: 'ada@example.com' });
  const { recipients } = await call('POST', `/agreements/${id}/send`, {
    signers: ['Ada@example.com', 'bob@x.example'],
  });
  expect(recipients.map(({ email }: { email: string }) => email)).toEqual(['ada@example.com', 'bob@x.example']);
});

test('previews, prefetches and HEAD requests open no visit, show no content and send no event', async () => {
  const link = await newLink();
  const agreement = await call('POST', '/agreements', { document_id: documentId, email: 'ada@example.com' });
  const sent = await call('POST', `/agreements/${agreement.id}/send`);
  const proposal = await call('POST', '/proposals', { name: 'P', email: 'ada@example.com' });
  await call('POST', `/proposals/${proposal.id}/send`);
  for (const url of [link.url, sent.recipients[0].signing_url, proposal.url]) {
    for (const agent of PREVIEWERS) expect((await open(url, { headers: { 'user-agent': agent } })).status).toBe(200);
    expect((await open(url, { method: 'HEAD' })).status).toBe(200);
    for (const header of ['purpose', 'sec-purpose', 'x-moz'])
      await open(url, { headers: { [header]: 'prefetch;prerender' } });
  }
  expect(await visitsOf(link.id)).toBe(0);
  expect((await call('GET', '/agreements')).data[0].status).toBe('sent');
  expect((await call('GET', '/proposals')).data[0].status).toBe('sent');
  // A prefetched page is not used: the browser requests it again when the link is opened.
  expect((await open(link.url, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(425);
  await open(link.url);
  expect(await visitsOf(link.id)).toBe(1);
});

test('the same browser continues its visit, and another browser starts a new one', async () => {
  const link = await newLink({ email_required: true });
  const first = await post(link.url, { email: 'ada@example.com' });
  const again = await open(link.url, { headers: { cookie: first.cookie } });
  expect([again.status, again.location]).toEqual([303, first.location]);
  expect((await post(link.url, { email: 'ada@example.com' }, { cookie: first.cookie })).location).toBe(first.location);
  expect(await visitsOf(link.id)).toBe(1);
  const [, visit = ''] = /^visit=(.+)\./.exec(first.cookie) ?? [];
  for (const cookie of [`visit=${visit}`, `visit=${visit}.0000`, 'visit=', 'visit=.'])
    expect((await open(link.url, { headers: { cookie } })).status).toBe(200);
  expect((await post(link.url, { email: 'bob@example.com' }, { cookie: first.cookie })).location).not.toBe(
    first.location,
  );
  expect(await visitsOf(link.id)).toBe(2);
  // Once the link requires more, the same browser has to provide it too.
  for (const [demand, field] of [
    [{ password: 'new' }, 'type="password"'],
    [{ password: null, nda_required: true }, 'type="checkbox"'],
  ] as const) {
    await call('PATCH', `/links/${link.id}`, demand);
    expect((await open(link.url, { headers: { cookie: first.cookie } })).html).toContain(field);
  }
});

test('only its own browser can reach a visit, even with a profile of sequential IDs', async () => {
  sandbox.use('modern+ids=digits');
  const opened = await post((await newLink({ password: 'right' })).url, { password: 'right' });
  sandbox.use('modern');
  const [id = ''] = new URL(opened.location ?? '').pathname.slice('/v/'.length).split('.');
  expect(id).toMatch(/^\d+$/);
  expect((await open(opened.location ?? '')).status).toBe(200);
  for (const guess of [id, `${id}.`, `${id}.undefined`, `${id}.${'0'.repeat(24)}`])
    for (const path of [guess, `${guess}/files/${documentId}?version=1`])
      expect([path, (await open(`${sandbox.origin}/v/${path}`)).status]).toEqual([path, 404]);
});

test.each([
  ['another origin', { origin: 'https://attacker.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['a request that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }],
])('%s cannot sign, accept or open anything', async (_, headers) => {
  const agreement = await call('POST', '/agreements', { document_id: documentId, email: 'ada@example.com' });
  const { recipients } = await call('POST', `/agreements/${agreement.id}/send`);
  const { signing_url: url } = recipients[0];
  const proposal = await call('POST', '/proposals', { name: 'P', email: 'ada@example.com' });
  await call('POST', `/proposals/${proposal.id}/send`);
  const link = await newLink({ email_required: true });
  const { visit } = await waysOf((await newLink()).url);
  const refused = [
    await post(url, { name: 'Ada', consent: 'on', seen: '1' }, headers),
    await post(proposal.url, {}, headers),
    await post(link.url, { email: 'ada@example.com' }, headers),
    await post(`${visit}/time`, { page: '1' }, headers),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect((await call('GET', '/agreements')).data[0].status).toBe('sent');
  expect((await call('GET', '/proposals')).data[0].status).toBe('sent');
  expect(await visitsOf(link.id)).toBe(0);
  const own = { origin: sandbox.origin, 'sec-fetch-site': 'same-origin' };
  expect((await post(url, { name: 'Ada', consent: 'on', seen: '1' }, own)).status).toBe(303);
});

test('each person in a room sees what the permission matrix allows', async () => {
  const files = ['Plan', 'Model', 'Contract', 'Secret'];
  const documents = await Promise.all(files.map((name) => call('POST', '/documents', { name, content: 'aGVsbG8=' })));
  const room = await call('POST', '/rooms', { name: 'Deal room' });
  const add = (part: string, body: object) => call('POST', `/rooms/${room.id}/${part}`, body);
  const open1 = await add('folders', { name: 'Outer' });
  const inner = await add('folders', { name: 'Inner', parent_id: open1.id });
  const shut = await add('folders', { name: 'Shut' });
  const folders = [open1.id, inner.id, shut.id, null];
  const parts = [];
  for (const [index, document] of documents.entries())
    parts.push(await add('files', { document_id: document.id, folder_id: folders[index] }));
  const group = await add('groups', { name: 'Investors', emails: ['Ada@example.com'] });
  const lawyers = await add('groups', { name: 'Lawyers', emails: ['law@example.com'] });
  const link = await call('POST', '/links', { room_id: room.id, email_required: true });
  const seen = async (email: string, url = link.url) => {
    const { location } = await post(url, { email });
    const { html } = await open(location ?? '');
    return [...files, '>Outer / Inner<'].filter((name) => html.includes(name));
  };
  expect(await seen('anyone@example.com')).toEqual([...files, '>Outer / Inner<']);
  await call('PUT', `/rooms/${room.id}/permissions`, {
    notes: [null],
    permissions: [
      { group_id: group.id, access: 'view' },
      { group_id: group.id, folder_id: open1.id, access: 'none' },
      { group_id: group.id, folder_id: shut.id, access: 'none' },
      { group_id: group.id, document_id: documents[2].id, access: 'view' },
      { group_id: lawyers.id, access: 'view' },
      { group_id: lawyers.id, file_id: parts[3].id, access: 'none' },
    ],
  });
  expect(await seen('ada@example.com')).toEqual(['Contract', 'Secret']);
  expect(await seen('law@example.com')).toEqual(['Plan', 'Model', 'Contract', '>Outer / Inner<']);
  expect(await seen('stranger@example.com')).toEqual([]);
  const forLawyers = await call('POST', '/links', { room_id: room.id, group_id: lawyers.id, email_required: true });
  expect(await seen('stranger@example.com', forLawyers.url)).toEqual(await seen('law@example.com'));
  // Access is removed during a visit: the next page is no longer available.
  const { location } = await post(link.url, { email: 'ada@example.com' });
  await call('PUT', `/rooms/${room.id}/permissions`, { permissions: [] });
  expect((await open(location ?? '')).html).toContain('No access');
});

test('names are shown without bidirectional and control characters', async () => {
  const evil = 'Deck \u202efdp.exe\u2066\u0007\u200f';
  const document = await call('POST', '/documents', { name: evil, file_name: `${evil}.pdf`, content: 'aGk=' });
  expect(document.name).toBe(evil);
  const link = await call('POST', '/links', { document_id: document.id, name: evil, email_required: true });
  const gate = await open(link.url);
  const { location } = await post(link.url, { email: 'ada@example.com', name: evil });
  const reading = await open(location ?? '');
  const made = await call('POST', '/agreements', {
    name: evil,
    document_id: document.id,
    recipients: [{ email: 'ada@example.com', name: evil }],
  });
  const { recipients } = await call('POST', `/agreements/${made.id}/send`);
  const signing = await open(recipients[0].signing_url);
  const board = await open(`${sandbox.origin}/`);
  for (const { html } of [gate, reading, signing, board]) {
    expect(html).toContain('fdp.exe');
    expect(html).not.toMatch(/\p{Bidi_C}/u);
    expect(html).not.toContain('\u0007');
  }
  // In a sentence, a name in another text direction keeps its position.
  expect(signing.html).toMatch(/<strong><bdi>Deck fdp\.exe/);
  const { download_url } = await call('GET', `/documents/${document.id}`);
  const disposition = (await fetch(download_url)).headers.get('content-disposition') ?? '';
  expect(decodeURIComponent(disposition)).toMatch(/^attachment; filename="Deck fdp\.exe.*pdf"/);
  expect(decodeURIComponent(disposition)).not.toMatch(/[\u202a-\u202e]/);
});

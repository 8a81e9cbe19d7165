import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { parseEvent, type ServiceProfile } from '../../src/index.ts';
import { sendJson } from '../support/ask-service.ts';
import { closeAfterAll, createFolderForFile } from '../support/cleanup.ts';
import { learnHarbor } from '../support/harbor.ts';
import { listenForTest } from '../support/listen.ts';
import { texts } from './texts.ts';

let key = '';

const text = { type: 'string' } as const;
const EVENT: NonNullable<ServiceProfile['facts']['event']> = {
  body: {
    type: 'object',
    properties: {
      envelope: {
        type: 'object',
        properties: {
          ref: text,
          happened: { type: 'string', format: 'date-time' },
          what: text,
          attempt: { type: 'integer' },
        },
      },
      cargo: { type: 'object', properties: { link_id: text, berth: text } },
    },
  },
  headers: { 'x-harbour-topic': text, 'x-harbour-delivery': text, 'x-harbour-seal': text },
  kind: ['envelope', 'what'],
  id: ['envelope', 'ref'],
  time: ['envelope', 'happened'],
  data: ['cargo'],
  signature: 'hex',
  signatureHeader: 'X-Harbour-Signature',
  kinds: ['link.viewed'],
};

const profile = await learnHarbor();
const harbor: ServiceProfile = { ...profile, facts: { ...profile.facts, event: EVENT } };
const folder = createFolderForFile('docshare-played-');
const sandbox = await closeAfterAll(
  createSandbox({ profile: harbor, clock: 'manual', seed: 1, at: '2026-11-21T09:00Z' }),
);
beforeEach(() => {
  sandbox.reset();
  key = sandbox.key();
});

const call = (method: string, path: string, body?: object, of: Sandbox = sandbox) =>
  sendJson(of, { key: of === sandbox ? key : of.key(), method, path, body });

test('an object keeps its generated values and the values written under learned names', async () => {
  const { rows } = (await call('GET', '/documents')).body;
  const [first] = rows;
  expect((await call('GET', `/documents/${first.id}`)).body.entry).toMatchObject(first);
  expect(first).toMatchObject({ workspace_id: expect.stringMatching(/^ws_/), etag: expect.any(String) });
  expect(rows[1].etag).not.toEqual(first.etag);
  const made = await call('POST', '/links', { document_id: first.id, title: 'For the pilot', email_required: true });
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`/api/v1/links/${made.body.id}`);
  expect(made.body).toMatchObject({ document_id: first.id, title: 'For the pilot', email_required: true });
  expect(made.body.id).toMatch(/^lnk-/);
  const [listed] = (await call('GET', '/links')).body.rows;
  expect(listed).toEqual(made.body);
});

test('lists continue at the learned URL, in pages of the learned size', async () => {
  const ids: string[] = [];
  for (let path = '/documents'; path !== ''; ) {
    const { rows, pager } = (await call('GET', path)).body;
    expect(rows.length).toBeLessThanOrEqual(3);
    expect(pager.matches).toBe(sandbox.snapshot().state.documents.size);
    ids.push(...rows.map(({ id }: { id: string }) => id));
    path = pager.nextHref === null ? '' : pager.nextHref.slice(sandbox.url.length);
  }
  expect(new Set(ids).size).toBe(sandbox.snapshot().state.documents.size);
});

test('uploads and registrations require the learned names and reject others in the learned format', async () => {
  const refused = await call('POST', '/documents/uploads', {
    filename: 'a.pdf',
    content_type: 'application/pdf',
    size: 3,
  });
  expect([refused.status, refused.body.problem.hints]).toEqual([
    422,
    ['fileName', 'fileType', 'fileSize'].map((where) => ({ where, text: 'is required' })),
  ]);
  const session = await call('POST', '/documents/uploads', {
    fileName: 'a.pdf',
    fileType: 'application/pdf',
    fileSize: 3,
  });
  expect(session.body.headers).toEqual({ 'Content-Type': 'application/pdf', 'x-harbour-seal': 'sandbox' });
  const unnamed = await call('POST', '/webhooks', { url: 'https://example.com', events: ['link.viewed'] });
  expect(unnamed.body.problem.hints).toEqual([{ where: 'endpoint', text: 'is required' }]);
  const hook = await call('POST', '/webhooks', { endpoint: 'https://example.com', events: ['link.viewed'] });
  expect(hook.body.entry).toMatchObject({
    endpoint: 'https://example.com',
    events: ['link.viewed'],
    signingKey: expect.any(String),
  });
});

test('the rate limit applies, and its rejection has the learned format and the learned retry header', async () => {
  expect(Number((await call('GET', '/rooms')).headers.get('x-quota-left'))).toBe(119);
  for (let count = 1; count < 120; count++) await call('GET', '/billing/usage');
  const refused = await call('GET', '/rooms');
  expect([refused.status, refused.body.problem.text]).toEqual([429, expect.stringContaining('120 requests')]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await sandbox.clock.advance(60_000);
  expect((await call('GET', '/rooms')).status).toBe(200);
});

test('events have the learned format and are signed in the learned header', async () => {
  const came = Promise.withResolvers<{ body: string; headers: Record<string, string> }>();
  const server = createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    came.resolve({ body, headers: incoming.headers as Record<string, string> });
    outgoing.end();
  });
  const endpoint = await listenForTest(server);
  const { signingKey } = (await call('POST', '/webhooks', { endpoint, events: ['link.viewed'] })).body.entry;
  const [document] = (await call('GET', '/documents')).body.rows;
  const link = (await call('POST', '/links', { document_id: document.id })).body;
  await sandbox.visit(link.id, { pages: [1] });
  const { body, headers } = await came.promise;
  const said = JSON.parse(body);
  expect(said).toEqual({
    envelope: {
      ref: expect.any(String),
      happened: expect.stringMatching(/^2026-11-21T/),
      what: 'link.viewed',
      attempt: expect.any(Number),
    },
    cargo: { link_id: link.id, berth: expect.any(String) },
  });
  expect(headers).toMatchObject({ 'x-harbour-topic': 'link.viewed', 'x-harbour-delivery': said.envelope.ref });
  expect(headers['x-harbour-signature']).toMatch(/^[0-9a-f]{64}$/);
  expect(
    await parseEvent(body, { ...headers, 'x-signature': headers['x-harbour-signature'] ?? '' }, signingKey),
  ).toMatchObject({ signature: 'valid' });
});

test('a learned service is saved with the data, named, replaced by another profile, and restored by a reset', async () => {
  const path = join(folder, 'docshare.profile.json');
  await writeFile(path, JSON.stringify(harbor));
  const keepIn = join(folder, 'world');
  const first = await createSandbox({ profile: path, dataFolder: keepIn, clock: 'manual' });
  const { id } = (await call('POST', '/templates', { title: 'Lease' }, first)).body.entry;
  await first.close();
  const again = await createSandbox({ dataFolder: keepIn, clock: 'manual' });
  expect(again.serviceProfile?.service).toBe(harbor.service);
  expect((await call('GET', `/templates/${id}`, undefined, again)).body.entry.title).toBe('Lease');
  const snapshot = again.snapshot();
  expect(() => again.use(path)).toThrow(`${path} is a file`);
  again.use('modern');
  expect(again.serviceProfile).toBeNull();
  expect((await call('GET', `/templates/${id}`, undefined, again)).body.name).toBe('Lease');
  again.restore(snapshot);
  expect((await call('GET', `/templates/${id}`, undefined, again)).body.entry.title).toBe('Lease');
  await again.close();
  sandbox.use('legacy');
  sandbox.reset();
  expect(sandbox.serviceProfile?.service).toBe(harbor.service);
  const state = await (await fetch(`${sandbox.origin}/_sandbox/state`)).json();
  expect(state.profile).toMatch(/^learned from http:\/\/127\.0\.0\.1:\d+ on \d{4}-\d\d-\d\d, otherwise preset:/);
  // Differences from the service: operations without observed calls.
  expect(state.profile).toContain(texts.operationsThatWereNotLearned);
  expect(state.profile).toContain('agreements.send');
  const page = await (await fetch(`${sandbox.origin}/`)).text();
  expect(page).toContain(`learned from <b>${new URL(harbor.service).origin}</b>`);
});

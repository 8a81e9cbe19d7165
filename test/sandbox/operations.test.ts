/** Runs every operation on every preset: each responds as its profile defines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, PROFILE_NAMES, type Sandbox, type SandboxProfile } from '../../sandbox/index.ts';
import { SCOPES } from '../../src/index.ts';
import { askService } from '../support/ask-service.ts';

type Expected = 'read' | 'created' | 'updated' | 'deleted' | 'file';

interface Row {
  readonly call: string;
  readonly scope: string;
  readonly expected: Expected;
  readonly body?: (ids: Ids, profile: SandboxProfile) => unknown;
  readonly bad?: unknown;
}

type Ids = Record<string, string>;

// Typed by hand, in the order of the document; `:x` is the ID of an x.
const ROWS: readonly Row[] = [
  { call: 'GET /documents', scope: 'documents:read', expected: 'read' },
  {
    call: 'POST /documents',
    scope: 'documents:write',
    expected: 'created',
    body: () => ({ name: 'Note', content: Buffer.from('hello').toString('base64') }),
    bad: { name: 'no file' },
  },
  { call: 'GET /documents/:documents', scope: 'documents:read', expected: 'read' },
  { call: 'GET /documents/:documents/pages', scope: 'documents:read', expected: 'read' },
  {
    call: 'POST /documents/uploads',
    scope: 'documents:write',
    expected: 'created',
    body: (_, { uploadBody }) => uploadFields(uploadBody),
    bad: [],
  },
  {
    call: 'POST /documents/uploads/finalize',
    scope: 'documents:write',
    expected: 'created',
    body: ({ storageKey, token }) => ({ storageKey, token }),
    bad: { storageKey: 'x' },
  },
  { call: 'GET /links', scope: 'links:read', expected: 'read' },
  {
    call: 'POST /links',
    scope: 'links:write',
    expected: 'created',
    body: ({ documents }) => ({ document_id: documents, email_required: true }),
    bad: { email_required: true },
  },
  {
    call: 'PATCH /links/:links',
    scope: 'links:write',
    expected: 'updated',
    body: () => ({ email_required: false }),
    bad: { email_required: 'perhaps' },
  },
  { call: 'GET /rooms', scope: 'datarooms:read', expected: 'read' },
  { call: 'POST /rooms', scope: 'datarooms:write', expected: 'created', body: () => ({ name: 'R' }), bad: {} },
  {
    call: 'POST /rooms/:rooms/folders',
    scope: 'datarooms:write',
    expected: 'created',
    body: () => ({ name: 'F' }),
    bad: {},
  },
  {
    call: 'POST /rooms/:rooms/files',
    scope: 'datarooms:write',
    expected: 'created',
    body: ({ documents }) => ({ document_id: documents }),
    bad: {},
  },
  {
    call: 'POST /rooms/:rooms/groups',
    scope: 'datarooms:permissions',
    expected: 'created',
    body: () => ({ name: 'G', emails: ['g@example.com'] }),
    bad: { emails: [] },
  },
  {
    call: 'PUT /rooms/:rooms/permissions',
    scope: 'datarooms:permissions',
    expected: 'updated',
    body: ({ groups }) => ({ permissions: [{ group_id: groups, access: 'view' }] }),
    bad: { permissions: [{ group_id: 'stranger' }] },
  },
  { call: 'GET /agreements', scope: 'envelopes:read', expected: 'read' },
  {
    call: 'POST /agreements',
    scope: 'envelopes:write',
    expected: 'created',
    body: ({ documents }) => ({ name: 'A', document_id: documents, recipients: [{ email: 'a@example.com' }] }),
    bad: { recipients: [{ name: 'nobody' }] },
  },
  {
    call: 'POST /agreements/:drafts/send',
    scope: 'envelopes:write',
    expected: 'updated',
    body: () => ({}),
    bad: { recipients: 'everyone' },
  },
  { call: 'GET /agreements/:agreements/document', scope: 'envelopes:read', expected: 'file' },
  { call: 'GET /proposals', scope: 'proposals:read', expected: 'read' },
  {
    call: 'POST /proposals',
    scope: 'proposals:write',
    expected: 'created',
    body: () => ({ name: 'P', email: 'p@example.com' }),
    bad: { email: 'nowhere' },
  },
  {
    call: 'POST /proposals/:proposals/send',
    scope: 'proposals:write',
    expected: 'updated',
    body: () => ({}),
    bad: { email: 7 },
  },
  { call: 'GET /templates', scope: 'templates:read', expected: 'read' },
  { call: 'GET /templates/:templates', scope: 'templates:read', expected: 'read' },
  { call: 'POST /templates', scope: 'templates:write', expected: 'created', body: () => ({ name: 'T' }), bad: {} },
  {
    call: 'PATCH /templates/:templates',
    scope: 'templates:write',
    expected: 'updated',
    body: () => ({ name: 'T2' }),
    bad: { name: 2 },
  },
  { call: 'DELETE /templates/:templates', scope: 'templates:write', expected: 'deleted' },
  { call: 'GET /contacts', scope: 'contacts:read', expected: 'read' },
  {
    call: 'POST /contacts',
    scope: 'contacts:write',
    expected: 'created',
    body: () => ({ email: 'c@example.com' }),
    bad: { name: 'no address' },
  },
  {
    call: 'PATCH /contacts/:contacts',
    scope: 'contacts:write',
    expected: 'updated',
    body: () => ({ name: 'C' }),
    bad: { tags: 'vip' },
  },
  {
    call: 'POST /contacts/:contacts/tags',
    scope: 'contacts:write',
    expected: 'updated',
    body: () => ({ tags: ['vip'] }),
    bad: { tags: [] },
  },
  { call: 'GET /analytics/links/:links', scope: 'analytics:read', expected: 'read' },
  { call: 'GET /analytics/links/:links/visitors', scope: 'analytics:read', expected: 'read' },
  { call: 'GET /analytics/visits/:visits', scope: 'analytics:read', expected: 'read' },
  { call: 'GET /analytics/rooms/:rooms', scope: 'analytics:read', expected: 'read' },
  {
    call: 'POST /webhooks',
    scope: 'webhooks:write',
    expected: 'created',
    body: (_, { webhookBody }) => webhookFields(webhookBody),
    bad: { url: 'not an address', target_url: 'ftp://x', endpoint_url: '', events: ['link.viewed'] },
  },
  { call: 'GET /webhooks', scope: 'webhooks:write', expected: 'read' },
  { call: 'DELETE /webhooks/:webhooks', scope: 'webhooks:write', expected: 'deleted' },
  { call: 'GET /billing/subscription', scope: 'billing:read', expected: 'read' },
  { call: 'GET /billing/invoices', scope: 'billing:read', expected: 'read' },
  { call: 'GET /billing/usage', scope: 'billing:read', expected: 'read' },
  { call: 'DELETE /links/:links', scope: 'links:write', expected: 'deleted' },
];

function uploadFields(names: string): object {
  return Object.fromEntries(names.split('+').map((name) => [name, /size$/i.test(name) ? 5 : 'text/plain']));
}

function webhookFields(names: string): object {
  const [url = '', events = ''] = names.split('+');
  return { [url]: 'http://127.0.0.1:9/hook', [events]: events === 'event' ? 'link.viewed' : ['link.viewed'] };
}

function statusFor(expected: Expected, profile: SandboxProfile): number {
  if (expected === 'created') return Number(profile.createStatus);
  if (expected === 'deleted') return Number(profile.deleteResponse.slice(-3));
  if (expected === 'updated')
    return profile.updateResponse.startsWith('empty') ? Number(profile.updateResponse.slice(-3)) : 200;
  if (expected === 'file') return profile.download.startsWith('redirect') ? Number(profile.download.slice(-3)) : 200;
  return 200;
}

describe.each([...PROFILE_NAMES, 'random:1', 'random:2', 'random:3'])('as %s', (choice) => {
  let sandbox: Sandbox;
  let ids: Ids;
  let key: string;

  beforeAll(async () => {
    sandbox = await createSandbox({ profile: choice, clock: 'manual' });
    key = sandbox.key();
    const webhook = webhookFields(sandbox.profile.webhookBody);
    await send('POST', '/webhooks', { key, body: webhook });
    await send('POST', '/documents/uploads', { key, body: uploadFields(sandbox.profile.uploadBody) });
    const { state } = sandbox.snapshot();
    const upload = [...state.uploads.values()][0];
    if (!upload) throw new Error('no upload was started');
    const query = new URLSearchParams({ 'X-Amz-Signature': upload.signature });
    await fetch(`${sandbox.origin}/storage/uploads/${upload.storage_key}?${query}`, {
      method: 'PUT',
      headers: upload.headers,
      body: 'hello',
    });
    const draft = (entries: Iterable<{ id: string; status: string }>) =>
      [...entries].find(({ status }) => status === 'draft')?.id ?? '';
    const first = (entries: ReadonlyMap<string, unknown>) => [...entries.keys()][0] ?? '';
    ids = {
      documents: first(state.documents),
      links: first(state.links),
      rooms: first(state.rooms),
      groups: [...state.rooms.values()][0]?.groups[0]?.id ?? '',
      agreements: first(state.agreements),
      drafts: draft(state.agreements.values()),
      proposals: draft(state.proposals.values()),
      templates: first(state.templates),
      contacts: first(state.contacts),
      visits: first(state.visits),
      webhooks: first(state.webhooks),
      storageKey: upload.storage_key,
      token: upload.token,
    };
  });

  afterAll(() => sandbox.close());

  /** Advances the clock between calls, so that even a profile with small bursts accepts each one. */
  async function send(method: string, path: string, input: { key: string; body?: unknown }) {
    await sandbox.clock.advance(1_000);
    return askService(sandbox.url + path, {
      method,
      headers: { authorization: `Bearer ${input.key}`, 'content-type': 'application/json' },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    });
  }

  test.each(ROWS)('$call', async ({ call, scope, expected, body, bad }) => {
    const { profile } = sandbox;
    const [method = '', pattern = ''] = call.split(' ');
    const path = pattern.replace(/:(\w+)/, (_, name: string) => encodeURIComponent(ids[name] ?? ''));
    const good = body?.(ids, profile);

    const wrongKey = await send(method, path, { key: 'wrong', body: good });
    expect(wrongKey.status).toBe(Number(profile.wrongKey));
    expect(wrongKey.text).not.toBe('');

    const narrow = sandbox.key(SCOPES.filter((other) => other !== scope));
    const missingScope = await send(method, path, { key: narrow, body: good });
    expect(missingScope.status).toBe(Number(profile.missingScope));
    expect(missingScope.text).toContain(scope);

    if (pattern.includes(':')) {
      const unknown = await send(method, pattern.replace(/:\w+/, 'nobody'), { key, body: good });
      expect(unknown.status).toBe(Number(profile.unknownId));
    }
    if (bad !== undefined) {
      const refused = await send(method, path, { key, body: bad });
      expect([refused.status, refused.text]).toEqual([Number(profile.badBody), expect.stringMatching(/\w/)]);
    }
    const done = await send(method, path, { key, body: good });
    expect(done.status, done.text).toBe(statusFor(expected, profile));
    const entry = sandbox.log.entries().at(-1);
    expect([entry?.status, entry?.effect ?? false]).toEqual([done.status, !['read', 'file'].includes(expected)]);
  });
});

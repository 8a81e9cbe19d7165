import { beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, PROFILE_NAMES, type Sandbox, type SandboxProfile } from '../../sandbox/index.ts';
import { operations, SCOPES } from '../../src/index.ts';
import { askService } from '../support/ask-service.ts';
import { FIELDS, findIds, type Ids } from '../support/operation-inputs.ts';

/** `:x` is the ID of an x. The body is one that the service rejects, if there is one. */
type Row = readonly [call: string, scope: string, bad?: object];

// Typed by hand, in the order of the document.
const ROWS: readonly Row[] = [
  ['GET /documents', 'documents:read'],
  ['POST /documents', 'documents:write', { name: 'no file' }],
  ['GET /documents/:documents', 'documents:read'],
  ['GET /documents/:documents/pages', 'documents:read'],
  ['POST /documents/uploads', 'documents:write', []],
  ['POST /documents/uploads/finalize', 'documents:write', { storageKey: 'x' }],
  ['GET /links', 'links:read'],
  ['POST /links', 'links:write', { email_required: true }],
  ['PATCH /links/:links', 'links:write', { email_required: 'perhaps' }],
  ['GET /rooms', 'datarooms:read'],
  ['POST /rooms', 'datarooms:write', {}],
  ['POST /rooms/:rooms/folders', 'datarooms:write', {}],
  ['POST /rooms/:rooms/files', 'datarooms:write', {}],
  ['POST /rooms/:rooms/groups', 'datarooms:permissions', { emails: [] }],
  ['PUT /rooms/:rooms/permissions', 'datarooms:permissions', { permissions: [{ group_id: 'stranger' }] }],
  ['GET /agreements', 'envelopes:read'],
  ['POST /agreements', 'envelopes:write', { recipients: [{ name: 'nobody' }] }],
  ['POST /agreements/:drafts/send', 'envelopes:write', { recipients: 'everyone' }],
  ['GET /agreements/:agreements/document', 'envelopes:read'],
  ['GET /proposals', 'proposals:read'],
  ['POST /proposals', 'proposals:write', { email: 'nowhere' }],
  ['POST /proposals/:proposals/send', 'proposals:write', { email: 7 }],
  ['GET /templates', 'templates:read'],
  ['GET /templates/:templates', 'templates:read'],
  ['POST /templates', 'templates:write', {}],
  ['PATCH /templates/:templates', 'templates:write', { name: 2 }],
  ['DELETE /templates/:templates', 'templates:write'],
  ['GET /contacts', 'contacts:read'],
  ['POST /contacts', 'contacts:write', { name: 'no address' }],
  ['PATCH /contacts/:contacts', 'contacts:write', { tags: 'vip' }],
  ['POST /contacts/:contacts/tags', 'contacts:write', { tags: [] }],
  ['GET /analytics/links/:links', 'analytics:read'],
  ['GET /analytics/links/:links/visitors', 'analytics:read'],
  ['GET /analytics/visits/:visits', 'analytics:read'],
  ['GET /analytics/rooms/:rooms', 'analytics:read'],
  [
    'POST /webhooks',
    'webhooks:write',
    { url: 'not an address', target_url: 'ftp://x', endpoint_url: '', events: ['link.viewed'] },
  ],
  ['GET /webhooks', 'webhooks:write'],
  ['DELETE /webhooks/:webhooks', 'webhooks:write'],
  ['GET /billing/subscription', 'billing:read'],
  ['GET /billing/invoices', 'billing:read'],
  ['GET /billing/usage', 'billing:read'],
  ['DELETE /links/:links', 'links:write'],
];

function uploadFields(names: string): object {
  return Object.fromEntries(names.split('+').map((name) => [name, /size$/i.test(name) ? 5 : 'text/plain']));
}

function webhookFields(names: string): object {
  const [url = '', events = ''] = names.split('+');
  return { [url]: 'http://127.0.0.1:9/hook', [events]: events === 'event' ? 'link.viewed' : ['link.viewed'] };
}

function getExpectedStatus(call: string, { createStatus, deleteResponse, updateResponse, download }: SandboxProfile) {
  if (call.endsWith('/document')) return download.startsWith('redirect') ? Number(download.slice(-3)) : 200;
  if (call.startsWith('GET')) return 200;
  if (call.startsWith('DELETE')) return Number(deleteResponse.slice(-3));
  if (!/^P(?:ATCH|UT)|\/(?:send|tags)$/.test(call)) return Number(createStatus);
  return updateResponse.startsWith('empty') ? Number(updateResponse.slice(-3)) : 200;
}

describe.each([...PROFILE_NAMES, 'random:1', 'random:2', 'random:3'])('as %s', (choice) => {
  let sandbox: Sandbox;
  let ids: Ids;
  /** Fields that the profile or an earlier upload decides. */
  let uploads: Readonly<Record<string, object>>;
  let key: string;

  beforeAll(async () => {
    sandbox = await createSandbox({ profile: choice, clock: 'manual' });
    key = sandbox.key();
    const webhook = webhookFields(sandbox.profile.webhookBody);
    await send('POST', '/webhooks', { key, body: webhook });
    await send('POST', '/documents/uploads', { key, body: uploadFields(sandbox.profile.uploadBody) });
    const snapshot = sandbox.snapshot();
    const upload = [...snapshot.state.uploads.values()][0];
    if (!upload) throw new Error('no upload was started');
    const query = new URLSearchParams({ 'X-Amz-Signature': upload.signature });
    await fetch(`${sandbox.origin}/storage/uploads/${upload.storage_key}?${query}`, {
      method: 'PUT',
      headers: upload.headers,
      body: 'hello',
    });
    ids = findIds(snapshot);
    uploads = {
      'documents.create': { name: 'Note', content: Buffer.from('hello').toString('base64') },
      'documents.startUpload': uploadFields(sandbox.profile.uploadBody),
      'documents.finalizeUpload': { storageKey: upload.storage_key, token: upload.token },
      'webhooks.create': webhook,
    };
    return sandbox.close;
  });

  /** Advances the clock between calls, so that even a profile with small bursts accepts each one. */
  async function send(method: string, path: string, input: { key: string; body?: unknown }) {
    await sandbox.clock.advance(1_000);
    return askService(sandbox.url + path, {
      method,
      headers: { authorization: `Bearer ${input.key}`, 'content-type': 'application/json' },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    });
  }

  test.each(ROWS.map((row) => ({ row })))('$row.0', async ({ row: [call, scope, bad] }) => {
    const { profile } = sandbox;
    const [method = '', pattern = ''] = call.split(' ');
    const path = pattern.replace(/:(\w+)/, (_, name: string) => encodeURIComponent(ids[name as keyof Ids]));
    const name = operations.find(({ operation }) => operation.route === call.replace(/:\w+/, '{id}'))?.name ?? '';
    const good = /^(?:GET|DELETE)$/.test(method) ? undefined : (uploads[name] ?? FIELDS[name]?.(ids) ?? {});

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
    expect(done.status, done.text).toBe(getExpectedStatus(call, profile));
    const entry = sandbox.log.entries().at(-1);
    expect([entry?.status, entry?.effect ?? false]).toEqual([done.status, method !== 'GET']);
  });
});

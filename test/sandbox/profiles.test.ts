/** Profiles: written in one line, generated from a seed, and always within the promises of the document. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createRandomProfile,
  createSandbox,
  DEFAULT_PROFILE,
  formatProfile,
  PROFILE_NAMES,
  resolveProfile,
  type Sandbox,
  SWITCHES,
} from '../../sandbox/index.ts';
import { createClient, createUndiciTransport } from '../../src/index.ts';
import { toOpenClient } from '../../src/open-client.ts';
import { texts } from './texts.ts';

const SEEDS = Array.from({ length: 25 }, (_, index) => index + 1);

test.each(PROFILE_NAMES)('the preset %s can be written in one line and parsed again', (name) => {
  const profile = resolveProfile(name);
  expect(resolveProfile(formatProfile(profile))).toEqual(profile);
  expect(formatProfile(profile)).toBe(`preset:${name}`);
});

test('a generated profile can be restored from its seed and from its line', () => {
  for (const seed of SEEDS) {
    expect(createRandomProfile(seed)).toEqual(resolveProfile(`random:${seed}`));
    expect(resolveProfile(formatProfile(createRandomProfile(seed)))).toEqual(createRandomProfile(seed));
  }
  expect(new Set(SEEDS.map((seed) => formatProfile(createRandomProfile(seed)))).size).toBe(SEEDS.length);
});

test('a line can change single settings of a preset or of a seed', () => {
  expect(resolveProfile('preset:legacy+errors=json')).toEqual({ ...resolveProfile('legacy'), errors: 'json' });
  expect(resolveProfile('random:7+webhookBody=url+events+ids=uuid')).toEqual({
    ...createRandomProfile(7),
    webhookBody: 'url+events',
    ids: 'uuid',
  });
  expect(resolveProfile({ errors: 'html' })).toEqual({ ...DEFAULT_PROFILE, errors: 'html' });
});

test.each([
  ['nosuch', 'No profile "nosuch"'],
  [7, texts.profileMustNameSuch],
  [null, 'a learned profile, not null'],
  [['legacy'], 'a learned profile, not legacy'],
  ['modern+colour=red', 'No switch "colour"'],
  ['modern+errors=loud', 'No setting "loud" of errors'],
])('%s is rejected with the valid values', (line, message) => {
  expect(() => resolveProfile(line as string)).toThrow(message);
});

test('every switch names its section and has distinct settings', () => {
  for (const { section, decides, settings } of Object.values(SWITCHES)) {
    expect(section).toMatch(/^§[2-8]$/);
    expect(decides).not.toBe('');
    expect(new Set(settings).size).toBe(settings.length);
  }
});

describe('every profile keeps the promises of the document', () => {
  let sandbox: Sandbox;
  let key: string;
  beforeAll(async () => {
    sandbox = await createSandbox({ clock: 'manual' });
  });
  afterAll(() => sandbox.close());

  async function send(method: string, path: string, body?: object) {
    await sandbox.clock.advance(1_000);
    return fetch(sandbox.url + path, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  test.each([...PROFILE_NAMES, ...SEEDS.map((seed) => `random:${seed}`)])('%s', async (line) => {
    sandbox.use(line);
    key = sandbox.key();
    const form = new FormData();
    form.set('file', new Blob(['hello'], { type: 'text/plain' }), 'hello.txt');
    form.set('name', 'Hello');
    const uploaded = await fetch(`${sandbox.url}/documents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    const { id } = await uploaded.json();
    expect(id).toEqual(expect.any(String));

    const link = await (await send('POST', '/links', { document_id: id, email_required: true })).json();
    expect(new URL(link.url).origin).toBe(sandbox.origin);

    const fields = sandbox.profile.uploadBody.split('+').map((name) => [name, /size$/.test(name) ? 5 : 'a/b']);
    const session = await (await send('POST', '/documents/uploads', Object.fromEntries(fields))).json();
    expect(session).toMatchObject({
      uploadUrl: expect.stringMatching(/^http:/),
      headers: { 'Content-Type': expect.any(String) },
      storageKey: expect.any(String),
      token: expect.any(String),
    });
    const missing = await fetch(session.uploadUrl, { method: 'PUT', body: 'hello', headers: { 'content-type': '' } });
    expect(missing.status).toBe(403);
    const stored = await fetch(session.uploadUrl, { method: 'PUT', body: 'hello', headers: session.headers });
    expect(stored.ok).toBe(true);
    const { storageKey, token } = session;
    const version = await send('POST', '/documents/uploads/finalize', { storageKey, token, documentId: id });
    expect(version.ok).toBe(true);

    const unknown = await send('GET', '/documents/none');
    expect([unknown.ok, await unknown.text()]).toEqual([false, expect.stringMatching(/\w/)]);
    const emails = [...sandbox.snapshot().state.contacts.values()].map(({ email }) => email).reverse();
    expect(await everyEntryByClient()).toEqual(emails);
  });

  async function everyEntryByClient(): Promise<unknown[]> {
    const transport = createUndiciTransport();
    const client = createClient({
      apiKey: key,
      baseUrl: sandbox.url,
      transport: async (request) => {
        await sandbox.clock.advance(1_000);
        return transport(request);
      },
    });
    const contacts = await toOpenClient(client).contacts.list({ limit: 5 }).collect();
    await transport.close();
    return contacts.map((contact) => contact['email'] ?? contact['Email']);
  }
});

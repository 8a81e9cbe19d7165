import { writeFileSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { FORM_BODIES, getWebhookBodies } from '../../../src/assumptions/index.ts';
import {
  type Contradiction,
  createClient,
  orderBodies,
  parseProfile,
  readProfile,
  type Schema,
  type ServiceProfile,
} from '../../../src/index.ts';
import { createActiveProfile } from '../../../src/profile/active-profile.ts';
import { fillTemplate } from '../../../src/profile/body-template.ts';
import { tryProfileBodyFirst } from '../../../src/request/try-request-bodies.ts';
import { createFolderForFile, createFolderForTest, endWithTest } from '../../support/cleanup.ts';
import { NOTHING_LEARNED } from '../../support/create-profile.ts';
import { json, openScripted } from '../../support/scripted-service.ts';
import { texts } from '../texts.ts';

const hook = { url: 'https://hooks.example.com/1', event: ['link.viewed', 'envelope.signed'] };

test("a template is filled by its placeholders, each with the value's own type", () => {
  const file = { name: 'deck.pdf', type: 'application/pdf', size: 7 };
  expect(fillTemplate({ file: { called: '{name}', length: '{size}' } }, file, [])).toEqual({
    file: { called: 'deck.pdf', length: 7 },
  });
  expect(fillTemplate({ callback: '{url}', kinds: ['{event}'] }, hook, ['url', 'event'])).toEqual({
    callback: hook.url,
    kinds: hook.event,
  });
  expect(fillTemplate({ to: '{url}', on: '{event}' }, { ...hook, event: ['link.viewed'] }, [])).toEqual({
    to: hook.url,
    on: 'link.viewed',
  });
});

test.each([
  ['a literal value', { url: '{url}', events: ['{event}'], secret: 'known to the writer' }],
  ['a placeholder inside a text', { url: 'https://evil.example/?to={url}', events: ['{event}'] }],
  ['an unknown placeholder', { url: '{url}', events: ['{event}'], key: '{apiKey}' }],
  ['a second item in a list', { url: '{url}', events: ['{event}', 'link.viewed'] }],
  ['several events in a placeholder for one', { url: '{url}', event: '{event}' }],
  ['no event', { url: '{url}' }],
  ['a prototype', JSON.parse('{"url":"{url}","events":["{event}"],"__proto__":{"x":"{url}"}}')],
  ['too many fields', Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`a${at}`, '{url}']))],
  ['too many levels', { a: { b: { c: { d: { e: { url: '{url}', events: ['{event}'] } } } } } }],
])('a template with %s is not used', (_, template) => {
  expect(fillTemplate(template, hook, ['url', 'event'])).toBeUndefined();
});

function learnedOf(profile: Partial<ServiceProfile>, said: Contradiction[] = []) {
  return createActiveProfile(parseProfile({ ...NOTHING_LEARNED, ...profile }), (seen) => said.push(seen));
}

test('the form of a learned body precedes those with other field names', () => {
  const properties = { title: {}, document_id: {}, recipients: {}, message: {} };
  const learned = learnedOf({ operations: { 'agreements.create': { requestBody: { type: 'object', properties } } } });
  const bodies = FORM_BODIES.agreement({ name: 'NDA', documentId: 'd1', recipients: [{ email: 'a@example.com' }] });
  expect(orderBodies(learned, 'agreements.create', { bodies }).bodies).toEqual([2, 0, 1, 3].map((at) => bodies[at]));
  expect(orderBodies(undefined, 'agreements.create', { bodies }).bodies).toBe(bodies);
  expect(orderBodies(learned, 'proposals.create', { bodies }).bodies).toBe(bodies);
});

test('a learned body that is rejected is reported once and not sent again', async () => {
  const said: Contradiction[] = [];
  const learned = learnedOf({ facts: { webhook: { callback: '{url}', kinds: ['{event}'] } } }, said);
  const service = await openScripted([json({ error: 'no such field' }, 422), json({ id: 'w1' }, 201)]);
  const create = () =>
    tryProfileBodyFirst(
      learned,
      { operation: 'webhooks.create', bodies: getWebhookBodies(hook.url, hook.event), placeholderValues: hook },
      (body) => service.client.webhooks.create(body),
    );
  await create();
  await create();
  expect(service.requests.map(({ body }) => Object.keys(JSON.parse(body)))).toEqual([
    ['callback', 'kinds'],
    ['url', 'events'],
    ['url', 'events'],
  ]);
  expect(said).toEqual([
    {
      operation: 'webhooks.create',
      fact: 'facts.webhook',
      expected: 'a body of callback, kinds',
      actual: 'rejected with status 422, and another body accepted',
    },
  ]);
});

test('an upload starts with the learned body, whatever its field names', async () => {
  const session = json({ uploadUrl: '', headers: {}, storageKey: 'k', token: 't' }, 201);
  const service = await openScripted([session, json({}), json({ id: 'd1' }, 201)]);
  const { origin } = service;
  const baseUrl = `${origin}/api/v1`;
  const profile = {
    ...NOTHING_LEARNED,
    service: baseUrl,
    facts: { uploadStart: { blob: '{name}', octets: '{size}' } },
  };
  const client = endWithTest(createClient({ apiKey: 'k', baseUrl, profile, retry: { retries: 0 } }));
  await client.upload(new Blob(['abc']), { name: 'a.txt', via: 'direct' }).catch(() => undefined);
  expect(service.requests[0]?.body).toBe('{"blob":"a.txt","octets":3}');
});

test('an upload method that the profile marks as rejected is tried last; if it works, the client keeps using it', async () => {
  const refused = json({ error: 'not here' }, 404);
  const service = await openScripted([refused, json({ id: 'd1' }, 201), json({ id: 'd2' }, 201)]);
  const baseUrl = `${service.origin}/api/v1`;
  const profile = { ...NOTHING_LEARNED, service: baseUrl, facts: { multipart: false } };
  const said: Contradiction[] = [];
  const hooks = { onContradiction: (seen: Contradiction) => said.push(seen) };
  const client = endWithTest(createClient({ apiKey: 'k', baseUrl, profile, hooks, retry: { retries: 0 } }));
  await client.upload(new Blob(['abc']), { name: 'a.txt' });
  await client.upload(new Blob(['abc']), { name: 'b.txt' });
  expect(service.requests.map(({ line }) => line)).toEqual([
    'POST /api/v1/documents/uploads',
    'POST /api/v1/documents',
    'POST /api/v1/documents',
  ]);
  expect(said.map(({ fact }) => fact)).toEqual(['facts.multipart']);
});

test('DOCSHARE_PROFILE belongs to DOCSHARE_BASE_URL: a client with its own baseUrl, or with profile: null, has no profile', () => {
  const folder = createFolderForTest('docshare-env-profile-');
  const path = join(folder, 'docshare.profile.json');
  writeFileSync(path, JSON.stringify(NOTHING_LEARNED));
  vi.stubEnv('DOCSHARE_BASE_URL', NOTHING_LEARNED.service);
  vi.stubEnv('DOCSHARE_PROFILE', path);
  expect(createClient({ apiKey: 'k' }).activeProfile?.profile).toEqual(NOTHING_LEARNED);
  expect(createClient({ apiKey: 'k', profile: null }).activeProfile).toBeUndefined();
  expect(createClient({ apiKey: 'k', baseUrl: 'https://api.example.org/api/v1' }).activeProfile).toBeUndefined();
  vi.stubEnv('DOCSHARE_BASE_URL', 'https://api.example.org/api/v1');
  expect(() => createClient({ apiKey: 'k' })).toThrow('The profile is for https://api.example.com');
  vi.stubEnv('DOCSHARE_PROFILE', join(folder, 'none.json'));
  expect(() => createClient({ apiKey: 'k' })).toThrow(/^DOCSHARE_PROFILE: The profile .*none\.json can't be read/);
});

test('a profile of another service, or an invalid one, is rejected before anything is sent', () => {
  const make = (profile: unknown) => () =>
    createClient({ apiKey: 'k', baseUrl: 'https://api.example.org/api/v1', profile: profile as ServiceProfile });
  expect(make(NOTHING_LEARNED)).toThrow(texts.butBaseUrlHttps);
  for (const invalid of ['docshare.profile.json', {}]) expect(make(invalid)).toThrow('Invalid profile');
});

const least: ServiceProfile = {
  docshareProfile: 1,
  service: 'https://api.example.com/api/v1',
  learned: { at: '2026-11-21T12:00:00Z', by: '0.1.0', calls: 12, mode: 'read' },
  scopes: { granted: ['links:read'], missing: [] },
  facts: { naming: 'snake' },
  operations: { 'links.list': { list: { at: ['data'], size: { default: 25 }, query: { q: 'ignored' } } } },
  resources: { link: { type: 'object', properties: { id: { type: ['string', 'null'] } }, required: ['id'] } },
  rejections: { unknownId: { status: 404, media: 'application/json', headers: {}, body: { type: 'object' }, seen: 2 } },
};

const folder = createFolderForFile('docshare-profile-');

test('a written profile is read again, for its own service only', () => {
  expect(parseProfile(JSON.parse(JSON.stringify(least)), 'https://api.example.com/api/v1')).toEqual(least);
  expect(() => parseProfile(least, 'https://api.example.org/api/v1')).toThrow(texts.butBaseUrlHttps);
});

test.each([
  [null, 'Invalid profile'],
  [{ ...least, docshareProfile: 2 }, texts.profileFormatVersion2],
  [{ ...least, service: 'https://ada:secret@api.example.com/api/v1' }, texts.serviceMustBaseUrl],
  [{ ...least, facts: { naming: 'shouting' } }, '`facts.naming`'],
  [{ ...least, operations: { 'links.twist': {} } }, '`operations'],
])('%j is rejected by name', (value, said) => {
  expect(() => parseProfile(value)).toThrow(said);
});

test.each([250, 100_000])('a profile nested %i levels deep is rejected, so readers may recurse', (levels) => {
  let deep: Schema = { type: 'string' };
  for (let level = 0; level < levels; level++) deep = { type: 'array', items: deep };
  expect(() => parseProfile({ ...least, resources: { link: deep } })).toThrow('nested too deep');
});

test('the error of a missing or invalid file names it', async () => {
  const path = join(folder, 'docshare.profile.json');
  await expect(readProfile(path)).rejects.toThrow(`${path} can't be read (ENOENT)`);
  await writeFile(path, '{"docshareProfile": 1');
  await expect(readProfile(path)).rejects.toThrow(
    `The profile ${path} is not JSON. Create one with \`docshare learn\`.`,
  );
  await writeFile(path, JSON.stringify({ ...least, scopes: { granted: ['everything'], missing: [] } }));
  await expect(readProfile(path)).rejects.toThrow(
    `${path}: Invalid profile: \`scopes.granted.0\` Invalid option: expected one of`,
  );
  await writeFile(path, JSON.stringify(least));
  expect(await readProfile(path)).toEqual(least);
});

test('a file larger than the maximum is not read, and neither is a folder', async () => {
  const path = join(folder, 'large.json');
  await writeFile(path, JSON.stringify(least));
  await truncate(path, 8 * 1024 * 1024 + 1);
  for (const [place, said] of [
    [path, texts.largerThan8Mib],
    [folder, texts.itIsNotAFile],
  ] as const)
    await expect(readProfile(place)).rejects.toThrow(said);
});

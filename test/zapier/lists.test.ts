import { createServer } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox, SandboxProfileInput } from '../../sandbox/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { listenForTest } from '../support/listen.ts';
import { openLoopback } from '../support/mcp-loopback.ts';
import { type Fields, openZapierContext, outputKeys, type Platform, startPlatform } from '../support/zapier-lambda.ts';

let sandbox: Sandbox;
let zap: Platform;
async function open(profile: SandboxProfileInput = 'modern', data: 'empty' | 'company' = 'empty') {
  ({ sandbox, zap } = await closeAfterTest(openZapierContext(profile, { data })));
}

const RESOURCES = ['document', 'link', 'room', 'agreement', 'proposal', 'template', 'contact'];
const choose = (resource: string, page: number) =>
  zap.trigger(`${resource}_list`, { meta: { page, isFillingDynamicDropdown: true } });

describe.each(['modern', 'minimal', 'legacy', 'gateway', 'enterprise'] as const)('a service like "%s"', (profile) => {
  test('polls show labelled records with the keys of their sample, newest first', async () => {
    await open(profile, 'company');
    for (const resource of RESOURCES) {
      const { sample = {}, outputFields = [] } = zap.definition.triggers[`new_${resource}`]?.operation ?? {};
      const records = await zap.trigger(`new_${resource}`);
      expect(records.length, resource).toBeGreaterThan(0);
      const keys = Object.keys(sample).sort();
      for (const record of records) expect(Object.keys(record).sort()).toEqual(keys);
      expect(outputKeys(outputFields)).toEqual(keys);
      const times = records.map((record) => String(record['created_at']));
      expect(times).toEqual(times.toSorted().reverse());
    }
  });

  test('a change of an example is not older than its sending or signature', async () => {
    await open(profile, 'company');
    const changes = await zap.trigger('agreement_status_changed', { meta: { isLoadingSample: true } });
    expect(changes.some((change) => change['signed_at'] !== null)).toBe(true);
    for (const { changed_at: changedAt, sent_at: sentAt, signed_at: signedAt } of changes)
      expect([sentAt, signedAt].filter((time) => time !== null && String(time) > String(changedAt))).toEqual([]);
  });

  test('a drop-down can be read to its end, with each record once, under its name', async () => {
    await open(profile, 'company');
    for (const resource of RESOURCES) {
      const chosen: Fields[] = [];
      for (let page = 0; page < 30; page++) {
        const choices = await choose(resource, page);
        if (choices.length === 0) break;
        chosen.push(...choices);
      }
      const polled = await zap.trigger(`new_${resource}`);
      expect(new Set(chosen.map(({ id }) => id)).size).toBe(chosen.length);
      expect(chosen.map(({ id }) => id).sort()).toEqual(polled.map(({ id }) => id).sort());
      expect(chosen.every(({ name }) => typeof name === 'string' && name !== '')).toBe(true);
    }
  });
});

test('forms offer the fields of existing records, and send them unchanged', async () => {
  await open();
  const document = await zap.act('upload_document', { file: 'data:,x', name: 'x.txt' });
  await zap.act('create_link', { document: document['id'], gate_visitors: '7', name: 'First' });
  const fieldsOf = async (key: string) =>
    (await zap.run<Fields[]>(`creates.${key}.operation.inputFields`, {})).filter(({ key }) =>
      String(key).startsWith('learned__'),
    );
  await zap.act('create_contact', { email: 'a@x.example', fields: { phone: '0170' } });
  const helpText = 'Your existing contacts have this field. Leave empty if this step should not set it.';
  for (const key of ['create_contact', 'update_contact'])
    expect(await fieldsOf(key)).toContainEqual(
      expect.objectContaining({ key: 'learned__phone', label: 'Phone', type: 'string', group: 'more', helpText }),
    );
  await zap.act('create_proposal', { name: 'Offer' });
  expect((await fieldsOf('create_proposal')).map(({ key }) => key)).toEqual(['learned__currency']);
  // Existing fields of the form are not offered twice.
  const learned = (await fieldsOf('create_link')).map(({ key }) => key);
  for (const name of ['id', 'name', 'max_visitors', 'password_required', 'nda_required', 'email_required'])
    expect(learned).not.toContain(`learned__${name}`);
  const link = await zap.act('create_link', {
    document: document['id'],
    learned__max_visitors: 3,
    learned__name: 'Second',
    fields: { name: 'Wins' },
  });
  expect(link).toMatchObject({ name: 'Wins', raw: { max_visitors: 3 } });
});

test('a form has no learned fields if the key may not read', async () => {
  await open();
  const authData = { apiKey: sandbox.key(['links:write']), baseUrl: sandbox.url };
  const fields = await zap.run<Fields[]>('creates.create_link.operation.inputFields', { authData });
  expect(fields.filter(({ key }) => String(key).startsWith('learned__'))).toEqual([]);
  expect(fields.map(({ key }) => key)).toContain('gate_password');
});

test('a file from an earlier step keeps its name, type and bytes', async () => {
  await open();
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.alloc(6 * 1024 * 1024)]);
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/pdf');
    response.setHeader('content-disposition', `attachment; filename="fallback.pdf"; filename*=UTF-8''Zahlen%20Q3.pdf`);
    response.end(bytes);
  });
  const file = `${await listenForTest(server)}/download/123`;
  const document = await zap.act('upload_document', { file });
  expect(document).toMatchObject({
    name: expect.stringMatching(/^Zahlen Q3/),
    content_type: 'application/pdf',
    size_bytes: bytes.length,
  });
});

test('text that looks like a variable of the platform is sent unchanged', async () => {
  await open();
  const name = 'Hi {{bundle.inputData.name}} & {{process.env.HOME}}';
  expect(await zap.act('create_room', { name })).toMatchObject({ name });
});

describe('a list that changes while it is read', () => {
  let pages: Fields[][];
  beforeEach(async () => {
    const service = await closeAfterTest(
      openLoopback(({ query, method }) => {
        if (method !== 'GET') return { json: pages.flat()[0] };
        const at = Number(query.get('cursor') ?? 0);
        return { json: { data: pages[at] ?? [], next_cursor: at + 1 < pages.length ? String(at + 1) : null } };
      }),
    );
    zap = await closeAfterTest(startPlatform({ apiKey: 'key', baseUrl: service.url }));
  });

  const entry = (id: string, day: string): Fields => ({
    id,
    name: `Acme ${id}`,
    email: `${id}@x.example`,
    status: 'signed',
    created_at: `2026-11-${day}T10:00:00Z`,
  });
  const [B, A] = [entry('b', '20'), entry('a', '19')];
  const MOVED = [
    [B, A],
    [A, entry('0', '18')],
  ];

  test.each(['new_room', 'new_contact', 'updated_contact', 'agreement_status_changed', 'new_invoice', 'room_list'])(
    'a record that moved to the next page is reported once by %s',
    async (trigger) => {
      pages = MOVED;
      const records = await zap.trigger(trigger);
      expect(records.length).toBeGreaterThan(1);
      expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
      pages = [[B, B]];
      await zap.trigger(trigger, { meta: { isLoadingSample: true } });
    },
  );

  test('a record on two pages is found once by its name or address', async () => {
    pages = MOVED;
    const found = await zap.find('find_room', { name: 'Acme a' });
    expect(found.map(({ id }) => id)).toEqual(['a']);
    const contact = { email: 'a@x.example', name: 'Acme b' };
    expect(await zap.act('create_or_update_contact', contact)).toMatchObject({ is_new: false });
  });

  test('an empty first page is not the end if there is a next page', async () => {
    pages = [[], [], [A]];
    expect(await zap.find('find_room', { name: 'Acme a' })).toMatchObject([{ id: 'a' }]);
    pages = Array.from({ length: 60 }, () => []);
    const error = await zap.runError('searches.find_room.operation.perform', { inputData: { name: 'Acme a' } });
    expect(error).toMatchObject({ name: 'ThrottledError' });
    expect(await zap.find('find_room', { name: 'Acme a' })).toEqual([]);
  });
});

/** Two steps in one: a contact by its address, a file into a room, a link found or created. A search before a write matches exactly; nothing is done twice. */
import { beforeEach, describe, expect, test } from 'vitest';
import { closeAfterTest } from '../support/cleanup.ts';
import { openLoopback } from '../support/mcp-loopback.ts';
import { DIFFERENT_PRESETS } from '../support/presets-without-waits.ts';
import { type Fields, openZapierContext, type ZapierContext } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

let context: ZapierContext;
beforeEach(async () => {
  context = await closeAfterTest(openZapierContext());
});
const calls = (operation: string) => context.sandbox.log.entries().filter((entry) => entry.operation === operation);
const find = (key: string, inputData: Fields) => context.zap.find(`find_${key}`, inputData);
const namesOf = (records: Fields[]) => records.map(({ name }) => name);

test.each(DIFFERENT_PRESETS)('on a service like "%s" a contact is created once, then updated', async (_, profile) => {
  const { sandbox, zap } = await closeAfterTest(openZapierContext(profile));
  const upsert = (inputData: Fields) => zap.act('create_or_update_contact', inputData);
  const made = await upsert({ email: 'Zoe@x.example', name: 'Zoe', tags: ['lead'] });
  expect(made).toMatchObject({ email: 'Zoe@x.example', name: 'Zoe', is_new: true });
  const again = await upsert({ email: ' zoe@X.example', company: 'Acme', tags: ['vip\nvip'] });
  expect(again).toMatchObject({ is_new: false, company: 'Acme', name: 'Zoe', tags: ['lead', 'vip'] });
  const { outputFields = [] } = zap.definition.creates['create_or_update_contact']?.operation ?? {};
  for (const shown of [made, again])
    expect(Object.keys(shown).sort()).toEqual(outputFields.map(({ key }) => key).sort());
  // Without changes, nothing is written.
  const writes = () => sandbox.log.entries().filter(({ method }) => method !== 'GET').length;
  const before = writes();
  expect(await upsert({ email: 'zoe@x.example' })).toMatchObject({ id: again['id'], is_new: false });
  expect(writes()).toBe(before);
  const listed = await zap.find('find_contact', { query: 'zoe@x.example', several: 'all' });
  expect(listed).toHaveLength(1);
  expect(JSON.stringify(listed)).toMatch(/"lead","vip"/);
});

describe('a file for a room', () => {
  const input = async () => {
    const room = (await context.act('create_room', { name: 'Deal' }))['id'];
    const folder = (await context.act('add_room_folder', { room, name: 'Numbers' }))['id'];
    return { file: 'data:,Numbers.', name: 'Numbers.txt', room, folder };
  };
  const filesOf = async (room: unknown) =>
    (await context.zap.find('find_room', { name: 'Deal' }))
      .filter(({ id }) => id === room)
      .flatMap(({ raw }) => (raw as { files: Fields[] }).files);

  test('is uploaded into its folder', async () => {
    const given = await input();
    const added = await context.act('upload_room_file', given);
    expect(added).toMatchObject({ name: 'Numbers.txt', room_id: given.room, document_id: expect.any(String) });
    expect(await filesOf(given.room)).toMatchObject([{ document_id: added['document_id'], folder_id: given.folder }]);
  });

  test('whose response was lost is found in the room and not added twice', async () => {
    const given = await input();
    context.sandbox.faults.add({ operation: 'rooms.addFile', when: 'after', cut: 'drop' });
    expect((await context.zap.actError('upload_room_file', given)).message).toContain(texts.andMayBeInThe);
    context.sandbox.faults.clear();
    await context.act('upload_room_file', given);
    expect(await filesOf(given.room)).toHaveLength(1);
    expect(calls('documents.create')).toHaveLength(1);
  });
});

test('find or create link finds the link that it created, and a parallel run gets the same link', async () => {
  const document = (await context.act('upload_document', { file: 'data:,x', name: 'x.txt' }))['id'];
  for (let run = 0; run < 2; run++) expect(await find('link', { query: 'For Ann' })).toEqual([]);
  const input = { document, name: 'For Ann', gate_password: 's3cret' };
  const [first, second] = [await context.act('create_link', input), await context.act('create_link', input)];
  expect(second).toEqual(first);
  expect(await find('link', { query: 'for ann' })).toMatchObject([{ id: first['id'] }]);
  // A link to another document or with other gates is another link, even with the same name.
  expect((await context.act('create_link', { document, name: 'For Ann' }))['id']).not.toBe(first['id']);
  await expect(find('link', { query: 'For Ann' })).rejects.toThrow('2 links match this text exactly');
  expect(context.zap.definition.creates['create_link']?.operation).toMatchObject({
    lock: { key: expect.stringContaining('{{bundle.inputData.name}}'), scope: ['account'] },
  });
});

test('the connection is named after its workspace if all lists name the same one', async () => {
  const label = async (list: (path: string) => unknown) => {
    const service = await openLoopback(({ path }) => ({ json: list(path) }));
    const authData = { apiKey: 'sk_live_1', baseUrl: service.url };
    const inputData = await context.zap.run('authentication.test', { authData });
    expect(service.requests.length).toBeLessThanOrEqual(6);
    await service.close();
    const text = await context.zap.run<string>('authentication.connectionLabel', { authData, inputData });
    return text.split(new URL(service.url).host)[0];
  };
  expect(await label(() => ({ workspace: { id: 'w', name: 'Acme\n\u202eInc' }, data: [] }))).toBe('Acme Inc at ');
  expect(await label(() => ({ data: [{ id: 1, workspace_id: 'ws_1' }] }))).toBe('ws_1 at ');
  expect(await label((path) => ({ data: [{ id: 1, workspace_name: path }] }))).toBe('');
  expect(await label(() => ({ data: [], workspace_name: 'sk_live_1' }))).toBe('');
  expect(await label(() => ({ data: [], meta: { workspace_name: 'W'.repeat(300) } }))).toBe(`${'W'.repeat(60)} at `);
});

describe('JSON', () => {
  test.each<[unknown, string]>([
    ['{"a": 1,}', 'it has "}" at line 1, column 9'],
    ['{"a": 1', 'it ends too early at line 1, column 8'],
    ['{\n  "a": tru }', 'it has " }" at line 2, column 11'],
    ['[1]', texts.needsJsonObjectBraces],
    [[1], texts.isNotAJsonObject],
    [`{"a": [${'1,'.repeat(5000)}x]}`, 'it has "x]}" at line 1, column 10008'],
  ])('%j in Additional Fields is rejected with the position of the error', async (text, what) => {
    for (const [key, label] of [
      ['fields_json', texts.additionalFieldsAsJson],
      ...(typeof text === 'string' ? [['fields', 'Additional Fields']] : []),
    ]) {
      const { message } = await context.zap.actError('create_room', { name: 'R', [key ?? '']: text });
      expect(message).toContain(what);
      expect(message).toContain(`The field "${label}"`);
    }
    expect(calls('rooms.create')).toEqual([]);
  });

  test('is accepted as text or as values, overrides lines, and keeps its types', async () => {
    for (const fields_json of ['{"name": "J", "__proto__": {"x": 1}, "n": "1", "deep": [1, {"a": null}]}', ''])
      await context.act('create_room', { name: 'R', fields: { name: 'L', n: '2' }, fields_json });
    await context.act('create_room', { name: 'R', fields: '{"n": 3}' });
    expect(calls('rooms.create').map(({ body }) => body)).toMatchObject([
      { name: 'J', n: '1', deep: [1, { a: null }] },
      { name: 'L', n: '2' },
      { name: 'R', n: 3 },
    ]);
  });
});

test("another client's room whose name begins with the text is not found, unless the step asks for it", async () => {
  for (const name of ['Acme Holdings Ltd', 'The Acme Deal']) await context.act('create_room', { name });
  expect(await find('room', { name: 'Acme' })).toEqual([]);
  expect(namesOf(await find('room', { name: 'acme', match: 'begins' }))).toEqual(['Acme Holdings Ltd']);
  await context.act('create_room', { name: 'ACME' });
  expect(namesOf(await find('room', { name: 'Acme' }))).toEqual(['ACME']);
  expect(namesOf(await find('room', { name: 'acme', match: 'contains' }))).toEqual([
    'ACME',
    'Acme Holdings Ltd',
    'The Acme Deal',
  ]);
  const inputData = { name: 'Acme', match: 'sounds like' };
  const error = await context.zap.runError('searches.find_room.operation.perform', { inputData });
  expect(error.message).toBe(texts.soundsLikeListField);
});

test.each([
  ['Café Zürich', ' cafe  zurich '],
  ['Ａｃｍｅ', 'acme'],
  ['Acme\u00a0Ltd\u200b', 'Acme Ltd'],
  ['\u200fחדר עסקה', '\u202bחדר עסקה\u202c'],
])('%j is found as %j: case, accents, width, spaces and invisible marks do not matter', async (name, text) => {
  await context.act('create_room', { name });
  expect(namesOf(await find('room', { name: text }))).toEqual([name]);
});

test.each([['が', 'か']])('%j is not found as %j, because the mark makes it another word', async (name, text) => {
  await context.act('create_room', { name });
  expect(await find('room', { name: text })).toEqual([]);
});

test('a room whose name is a number is not confused with the room that has this ID', async () => {
  context = await closeAfterTest(openZapierContext({ ids: 'numbers' }));
  const { id } = await context.act('create_room', { name: 'Alpha' });
  expect(String(id)).toMatch(/^\d+$/);
  await context.act('create_room', { name: String(id) });
  expect(namesOf(await find('room', { name: String(id) }))).toEqual([String(id)]);
});

test('a contact with a similar address is not found, one with the address in another case is', async () => {
  await context.act('create_contact', { email: 'jose@x.example', name: 'Jose' });
  expect(await find('contact', { query: 'josé@x.example' })).toEqual([]);
  for (const query of [
    'JOSE@x.example\u200b ',
    'Jose Li <jose@x.example>',
    'mailto:jose@x.example',
    '\u200ejose@x.example.',
  ])
    expect(await find('contact', { query }), query).toMatchObject([{ name: 'Jose' }]);
  expect(await find('contact', { query: 'josé', match: 'begins' })).toMatchObject([{ name: 'Jose' }]);
});

test('a contact is found by its address, not by a name that looks like it', async () => {
  await context.act('create_contact', { email: 'a@x.example', name: 'ann@x.example' });
  await context.act('create_contact', { email: 'ann@x.example', name: 'Ann' });
  expect(await find('contact', { query: 'ANN@x.example' })).toMatchObject([{ name: 'Ann' }]);
});

test('runs that create a record of one name take turns', () => {
  for (const kind of ['room', 'contact', 'template'])
    expect(context.zap.definition.creates[`create_${kind}`]?.operation).toMatchObject({
      lock: { key: expect.stringMatching(/^make-\w+-\{\{bundle\.inputData\.\w+\}\}$/), scope: ['account'] },
    });
});

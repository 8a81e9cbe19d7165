/** Searches before a write never return another record: names match exactly, and an ambiguous name is an error. */
import { beforeEach, expect, test } from 'vitest';
import { closeAfterTest } from '../support/cleanup.ts';
import { type Fields, openZapierContext, type ZapierContext } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

let context: ZapierContext;
beforeEach(async () => {
  context = await closeAfterTest(openZapierContext());
});

const find = (key: string, inputData: Fields) => context.zap.find(`find_${key}`, inputData);
const namesOf = (records: Fields[]) => records.map(({ name }) => name);

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

import { expect, test } from 'vitest';
import { type Item, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

/** The request body of Update Template for this form. */
async function send(input: Item): Promise<unknown> {
  const step = zapStep(() => ({ json: { id: 't' } }));
  await step.act('update_template', { template: 't', ...input });
  return step.bodyOf('PATCH /templates/t');
}

const list = (text: string) => text.split('|');

test.each<[string, unknown, unknown]>([
  ['max_visitors', ' 5 ', 5],
  ['price', '-0.25', -0.25],
  ...list('5 or so|x5|1a|5%|007|01').map((text): [string, string, string] => ['max_visitors', text, text]),
  ['password', '0042', '0042'],
  ['pin_count', '7', '7'],
  ['version', '2', 2],
  ...list('1.10|2.0').map((text): [string, string, string] => ['contractVersion', text, text]),
  ['conversion_rate', '0.50', 0.5],
  ['company', '2024', '2024'],
  ['company', 'true', 'true'],
  ['watermark', 'true', true],
  ['active', ' true ', true],
  ['active', 'true story', 'true story'],
  ['parent', ' null ', null],
  ['list', ' ["a", 1] ', ['a', 1]],
  ...list('see ["a"]|["a"] and more|["a"]!|["a", ]|[1,').map((text): [string, string, string] => ['list', text, text]),
  ['quoted', '"true story"', 'true story'],
  ['plan', 7, 7],
  ['expires_at', '22.11.2126', '2126-11-22'],
  // A rounded ID would be that of another object.
  ['map', '{"id":9007199254740993}', { id: '9007199254740993' }],
])('%s: %j is sent as %j', async (name, input, sent) => {
  expect(await send({ fields: { [name]: input } })).toEqual({ [name]: sent });
});
test.each<[string, unknown, unknown]>([
  ['plan', '22.11.2026', '22.11.2026'],
  ['max', '5', '5'],
  ['dueDate', '1/13/2026', '2026-01-13'],
  ['dueDate', 7, 7],
])('a learned field %s of unknown form: %j is sent as %j', async (name, input, sent) => {
  expect(await send({ [`learned__${name}`]: input })).toEqual({ [name]: sent });
});
test('JSON overrides lines, and both override learned fields', async () => {
  const input = { learned__a: 'l', learned__b: 'l', learned__c: 'l', fields: { a: 'f', b: 'f' } };
  expect(await send({ ...input, fields_json: '{"a":["j"]}' })).toEqual({ a: ['j'], b: 'f', c: 'l' });
  expect(await send({ fields: '{"count":9007199254740993}' })).toEqual({ count: '9007199254740993' });
  for (const none of [undefined, null]) expect(await send({ name: 'N', fields: none })).toEqual({ name: 'N' });
});
test.each(
  [
    ['create_room', 'create_template', 'create_agreement', 'create_contact'],
    ['create_or_update_contact', 'update_contact', 'update_template'],
    ['add_room_folder', 'add_room_group', 'send_for_signature'],
  ].flat(),
)('%s shows the field that overrides its own, and sends no other', async (key) => {
  const step = zapStep(({ method }) => ({
    json: method === 'GET' ? [] : { id: 'x1', recipients: [{ email: 'a@a.test' }] },
  }));
  const records = {
    template: 't',
    contact: 'c',
    room: 'r',
    email: 'a@a.test',
    signers: [{ signer_email: 'a@a.test' }],
  };
  const form = { ...records, name: 'Form', message: 'Form', fields: { name: 'Own', message: 'Own' } };
  expect(await step.act(key, form)).toMatchObject({ name: 'Own' });
  expect(JSON.stringify(step.calls)).not.toContain('Form');
  if (key === 'send_for_signature') expect(step.bodyOf('POST /agreements/x1/send')).toEqual({ message: 'Own' });
});

test.each<[string, unknown, string]>([
  ['fields', 7, texts.fieldAdditionalFieldsNeeds],
  ['fields', ['a'], texts.fieldAdditionalFieldsNeeds],
  ['fields', '{"a":', 'Additional Fields"'],
  ['fields_json', '{"a":', 'Additional Fields as JSON"'],
  ['fields', { expires_at: '22.11.2020' }, '"Expires At" is in the past'],
  ['fields_json', { expiresOn: '2020-01-01T10:00:00+02:00' }, '"Expires On" is in the past'],
])('%s of %j is rejected by its label', async (key, value, words) => {
  await expect(send({ [key]: value })).rejects.toThrow(words);
});

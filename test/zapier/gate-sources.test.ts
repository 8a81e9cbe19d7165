/** A gate is checked wherever it was filled in: in its own field, among the Additional Fields, as JSON, in three steps. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Loopback, openLoopback } from '../support/mcp-loopback.ts';
import { openZapierContext, type ZapierContext } from '../support/zapier-context.ts';
import type { Fields } from '../support/zapier-lambda.ts';
import { texts } from './texts.ts';

/** What the service takes: names it knows, by what it shows them as; all else it overlooks. */
let knows: Record<string, string>;
let answers: 'record' | 'empty';
let stored: Fields;
let listed: boolean;
let service: Loopback;
let context: ZapierContext;
beforeAll(async () => {
  context = await openZapierContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  knows = { email_required: 'email_required', passcode: 'has_password', expires_at: 'expires_at' };
  answers = 'record';
  listed = true;
  stored = { id: 'l1', url: 'https://docs.test/l1', document_id: 'd', has_password: false, expires_at: null };
  service = await openLoopback(({ method, path }) => {
    if (path === '/documents') return { status: 201, json: { id: 'doc_1', name: 'x' } };
    if (method === 'DELETE') return { status: 204 };
    if (method === 'GET') return listed ? { json: { data: [stored] } } : { status: 403 };
    const body: Fields = JSON.parse(service.requests.at(-1)?.body ?? '{}');
    for (const [name, value] of Object.entries(body)) {
      const shown = knows[name];
      if (shown) stored[shown] = shown.startsWith('has_') ? value !== null : value;
    }
    return method === 'PATCH' && answers === 'empty' ? { status: 204 } : { json: { ...stored } };
  });
});
afterEach(() => service.close());

const METHOD = (key: string) => `creates.${key}.operation.perform`;
const bundle = (inputData: Fields) => ({ inputData, authData: { apiKey: 'key', baseUrl: service.url } });
const act = (key: string, inputData: Fields) => context.zap.run(METHOD(key), bundle(inputData));
const getErrorMessage = async (key: string, inputData: Fields) =>
  (await context.zap.runError(METHOD(key), bundle(inputData))).message;
const sent = (method: string) => service.requests.filter((request) => request.method === method);

describe.each([
  ['its own field', { gate_password: 's3cret' }, 'Password'],
  ['the Additional Fields', { fields: { password: 's3cret' } }, 'password'],
  ['JSON', { fields_json: '{"password": "s3cret"}' }, 'password'],
  ['extra', { fields: { extra: '{"password": "s3cret"}' } }, 'password'],
  ['a learned field', { learned__password: 's3cret' }, 'password'],
])('a password of %s that did not take', (_, gate, label) => {
  test('deletes a new link again, and the document of a shared file stays', async () => {
    expect(await getErrorMessage('create_link', { document: 'd', ...gate })).toBe(
      `Docshare did not apply "${label}", so the new link was deleted. Set it in Additional Fields, under the name that your existing links use.`,
    );
    expect(await getErrorMessage('share_document', { file: 'data:,Look.', ...gate })).toBe(
      `Docshare did not apply "${label}", so the new link was deleted (the document doc_1 remains). Set it in Additional Fields, under the name that your existing links use.`,
    );
    expect(sent('DELETE').map(({ path }) => path)).toEqual(['/links/l1', '/links/l1']);
    // Run again, the file is not uploaded twice.
    await getErrorMessage('share_document', { file: 'data:,Look.', ...gate });
    expect(sent('POST').filter(({ path }) => path === '/documents')).toHaveLength(1);
    context.zap.cache.clear();
  });

  test('is said of an older link, with what stands now', async () => {
    for (const answer of ['record', 'empty'] as const) {
      answers = answer;
      expect(await getErrorMessage('update_link', { link: 'l1', ...gate })).toBe(
        `The link was updated, but Docshare did not apply "${label}". It shows ${label}: none. Change it in Docshare, or use its API name in Additional Fields.`,
      );
    }
    listed = false;
    expect(await getErrorMessage('update_link', { link: 'l1', ...gate })).toMatch(
      answers === 'empty' ? /The link was updated/ : /./,
    );
    expect(sent('DELETE')).toEqual([]);
  });
});

test('an update takes the gates, under the names that links have, whatever the answer', async () => {
  stored['passcode'] = null;
  for (const answer of ['record', 'empty'] as const) {
    answers = answer;
    await act('update_link', { link: 'l1', gate_password: 's3cret', gate_expiry: '12/31/2099' });
    expect(JSON.parse(sent('PATCH').at(-1)?.body ?? '{}')).toEqual({
      passcode: 's3cret',
      expires_at: '2099-12-31T23:59:59.000Z',
    });
  }
  await act('update_link', { link: 'l1', name: 'For Ann', email_required: 'no' });
  expect(JSON.parse(sent('PATCH').at(-1)?.body ?? '{}')).toEqual({ name: 'For Ann', email_required: false });
  expect(await getErrorMessage('update_link', { link: 'l1' })).toMatch(texts.thereIsNothingToChange);
});

test.each<[unknown, boolean]>([
  ['', true],
  [' ', true],
  [null, true],
  [undefined, true],
  ['no', false],
])('a file that is shared with %j for "Ask for an Email" asks for one: %s', async (email_required, asks) => {
  await act('share_document', { file: 'data:,Look.', email_required });
  const made = sent('POST').find(({ path }) => path === '/links');
  expect(JSON.parse(made?.body ?? '{}')).toEqual({ document_id: 'doc_1', email_required: asks });
});

test('a gate that is taken away is believed where the link does not show it any more', async () => {
  stored['has_password'] = true;
  await act('update_link', { link: 'l1', fields_json: { passcode: null } });
  expect(stored['has_password']).toBe(false);
  stored['has_password'] = true;
  expect(await getErrorMessage('update_link', { link: 'l1', fields_json: { password: null } })).toContain(
    'It shows password: set.',
  );
});

test('of two values for one gate the Additional Fields win, and words are read as the form reads them', async () => {
  stored['passcode'] = null;
  await act('update_link', {
    link: 'l1',
    gate_password: 'form',
    email_required: 'no',
    fields: { passcode: 'fields' },
    fields_json: { email_required: 'yes' },
  });
  expect(JSON.parse(sent('PATCH').at(-1)?.body ?? '{}')).toEqual({ passcode: 'fields', email_required: true });
  for (const name of ['nda_required', 'email_required', 'download_allowed'])
    expect(await getErrorMessage('create_link', { document: 'd', fields: { [name]: 'maybe' } })).toBe(
      `"maybe" is not Yes or No. Correct the field "${name}" in this step.`,
    );
});

test.each([
  ['a date without a clock', { expires_at: '2099-12-31' }, '2099-12-31', true],
  ['seconds since 1970', { expires_at: 4_102_444_799 }, '12/31/2099', true],
  ['another day', { expires_at: '2099-11-30T00:00:00Z' }, '12/31/2099', false],
  ['nothing', { expires_at: null }, '12/31/2099', false],
])('an expiry that is shown as %s is taken or not', async (_, shown, asked, takes) => {
  knows = {};
  Object.assign(stored, shown);
  const updating = act('update_link', { link: 'l1', gate_expiry: asked }).then(() => true);
  expect(await updating.catch(() => false)).toBe(takes);
});

test('a gate counts where the link holds it one level down, and an echo among custom values does not', async () => {
  knows = {};
  stored['settings'] = { nda: 'required', max_visitors: '5', allow_download: 'disabled' };
  await act('update_link', { link: 'l1', gate_nda: 'yes', gate_visitors: 5, gate_download: 'no' });
  stored = { id: 'l1', url: 'https://docs.test/l1', custom: { nda_required: true } };
  expect(await getErrorMessage('update_link', { link: 'l1', gate_nda: 'yes' })).toContain('It shows Require NDA');
});

test('a password that the service shows stays out of the Zap', async () => {
  knows['password'] = 'password';
  const link = await act('create_link', { document: 'd', gate_password: 's3cret' });
  expect(JSON.stringify(link)).not.toContain('s3cret');
});

/** Gates of a link: from whichever field, the step sends and checks them, and never leaves the link open. */
import { describe, expect, test, vi } from 'vitest';
import { type Item, outcomeOf, type ZapAnswer, type ZapCall, zapStep } from '../../support/zap-step.ts';
import { texts } from '../texts.ts';

/** Runs Update Link on a service that returns this link. */
async function update(input: Item, link: Item, list: Item[] = []) {
  const own = { id: 'l1', url: 'u', ...link };
  const step = zapStep(({ method }) => ({ json: method === 'GET' ? [...list, own] : own }));
  const outcome = await outcomeOf(step.act('update_link', { link: 'l1', ...input }));
  return { outcome, sent: step.bodyOf('PATCH /links/l1') };
}

const json = (fields: Item) => ({ fields_json: fields });
const UNTIL = { gate_expiry: '2099-12-31 10:00' };

test.each<[Item, Item, string | undefined]>([
  [{ gate_password: 'word' }, { has_password: true }, undefined],
  [{ gate_password: 'word' }, { settings: { isPasswordProtected: true } }, undefined],
  [{ gate_password: 'word' }, { password: null }, 'none'],
  [{ gate_password: 'word' }, {}, 'not shown'],
  [{ gate_password: 'word' }, { settings: { password: { enabled: false, hint: 'x' } } }, 'none'],
  [{ gate_password: 'word' }, { password: { enabled: true, hint: null } }, undefined],
  [json({ password: null }), { has_password: false }, undefined],
  [json({ password: '' }), { password: 'old' }, 'set'],
  [UNTIL, { expires_at: '2099-12-31T10:00:30Z' }, undefined],
  [UNTIL, { expires_at: '2099-12-31T10:02:00Z' }, '2099-12-31T10:02:00Z'],
  [UNTIL, { expires_at: '2099-12-31' }, undefined],
  [UNTIL, { expires_at: '2099-11-30' }, '2099-11-30'],
  [UNTIL, { expires_at: null }, 'none'],
  [json({ expires_at: 'never' }), { expires_at: null }, undefined],
  [json({ expires_at: 'never' }), { expires_at: '2099-12-31' }, '2099-12-31'],
  [{ gate_visitors: '5' }, { max_visitors: 6 }, '6'],
  [json({ max_visitors: 0 }), { max_visitors: null }, 'none'],
  [{ gate_nda: 'yes' }, { settings: { nda_required: 'required' } }, undefined],
  [{ gate_nda: 'yes' }, { nda: { id: 'nda_1' } }, undefined],
  [{ gate_nda: 'yes' }, { nda_required: 'optional' }, 'optional'],
  [{ gate_nda: 'yes' }, { nda_required: true, nda: { isRequired: 'no' } }, 'none'],
  [{ gate_nda: 'yes' }, { custom: { nda_required: true } }, 'not shown'],
  [{ gate_nda: 'no' }, { nda: null }, undefined],
  [{ gate_nda: 'no' }, { nda: { id: 'nda_1' } }, 'set'],
  [{ gate_nda: 'no' }, {}, undefined],
  [{ gate_download: 'no' }, {}, 'not shown'],
  [{ gate_download: 'no' }, { allow_download: 'perhaps' }, 'perhaps'],
  [{ gate_download: 'no' }, { allow_download: true }, 'yes'],
  [{ email_required: 'yes' }, {}, undefined],
  [{ email_required: 'yes' }, { email_required: false }, 'no'],
  [json({ watermark: true }), { watermark: 'x'.repeat(40) }, 'x'.repeat(30)],
  [json({ watermark: true }), {}, undefined],
  [json({ allowed_emails: 'ann@a.test, Bob@a.test' }), { viewers: [{ email: 'Ann@a.test' }, 'bob@a.test'] }, undefined],
  [json({ allowed_domains: ['a.test'] }), { domains: [] }, 'not shown'],
  [json({ expiresInDays: 7 }), { expires_at: '2099-12-31' }, undefined],
  [json({ expires_in_days: 7 }), { expires_at: null }, 'not shown'],
  [json({ max_views: 5 }), { view_count: 5 }, 'not shown'],
  [json({ status: 'disabled' }), { status: 'active' }, 'active'],
  [json({ status: 'disabled' }), { status: 'inactive' }, undefined],
  [json({ state: 'Archived' }), { state: 'archived' }, undefined],
  [json({ allow_printing: 'yes' }), { allow_printing: true }, undefined],
  [json({ 'Require NDA': 'yes' }), { 'Require NDA': true, nda_required: false }, 'no'],
  [json({ passcode: 'word' }), { passcode: 'word', password_required: false }, 'none'],
  [json({ expiry: '2099-12-31' }), { expiry: '2099-12-31', expires_at: null }, 'none'],
  [json({ allow_download: false }), { allow_download: false, download_allowed: true }, 'yes'],
  [json({ password: 'word' }), { password: null, has_password: true }, undefined],
])('%j is checked against a link with %j', async (input, link, shown) => {
  const { outcome } = await update(input, link);
  if (shown === undefined) expect(outcome).toMatchObject({ id: 'l1' });
  else expect(outcome).toMatch(new RegExp(`^Error: The link was updated, .*It shows [\\w ]+: ${shown}\\. `));
  expect(JSON.stringify(outcome)).not.toMatch(/"word"|"old"/);
});

test.each<[Item, Item, string]>([
  [json({ status: 'disabled' }), { status: 'active' }, 'Docshare did not apply "status". It shows status: active.'],
  [{ email_required: 'yes' }, { email_required: false }, 'Docshare did not apply "Require Email".'],
  [json({ status: 'disabled' }), { id: 'l2' }, 'this step could not check "status".'],
])('%j is checked against the list of links if the response is empty', async (input, listed, message) => {
  const step = zapStep(({ method }) =>
    method === 'GET' ? { json: [{ id: 'l1', url: 'u', ...listed }] } : { json: { ok: true } },
  );
  expect(await outcomeOf(step.act('update_link', { link: 'l1', ...input }))).toContain(message);
});

test.each<[string, Item, Item[], Item]>([
  [
    'the field names of this link, before those of other links',
    { gate_nda: true, gate_expiry: '12/31/2099' },
    [{ requireNda: false }],
    { nda_required: true, expires_at: '2099-12-31T23:59:59.000Z' },
  ],
  ['the name that other links have', { gate_password: 12345 }, [{ passcode: null }], { passcode: '12345' }],
  [
    'Additional Fields before the form',
    { gate_password: 'form', email_required: 'no', fields: { passcode: 'fields' }, ...json({ email_required: 'yes' }) },
    [],
    { passcode: 'fields', email_required: true },
  ],
  ['a field named extra unchanged', { fields: { extra: 'x' } }, [], { extra: 'x' }],
  ['any name below extra', { fields: { extra: '{"emailRequired": true}' } }, [], { emailRequired: true }],
])('the step sends %s', async (_, input, others, body) => {
  const { sent } = await update(input, { nda_required: true, has_password: true, expires_at: '2099-12-31' }, others);
  expect(sent).toEqual(body);
});

test.each<[Item, string]>([
  [{ gate_nda: 'maybe' }, '"Require NDA"'],
  [{ gate_download: 'perhaps' }, '"Allow Download"'],
  [{ gate_visitors: '0' }, '"Maximum Visitors"'],
  [{ gate_password: ' ' }, '"Password"'],
  [{ gate_password: 'None' }, '"Password"'],
  [{ gate_expiry: '05/06/2099' }, '"Expires At"'],
  [{ gate_expiry: '2020-01-01' }, '"Expires At"'],
  [{ fields: { nda_required: 'maybe' } }, '"nda_required"'],
  [{ fields: { emailRequired: 'true' } }, 'did you mean email_required'],
  [{}, texts.thereIsNothingToChange],
])('%j is rejected by name before anything is sent', async (input, words) => {
  const { outcome, sent } = await update(input, {});
  expect(outcome).toContain(words);
  expect(sent).toBeUndefined();
});

describe('a new link', () => {
  const made = { id: 'lnk_1', url: 'https://a.test/l/1' };
  const create = async (input: Item, link: Item, deleteStatus = 204, key = 'create_link') => {
    const step = zapStep(({ method, path }: ZapCall): ZapAnswer => {
      if (path === '/documents') return { status: 201, json: { id: 'doc_1', name: 'x' } };
      if (method === 'DELETE') return { status: deleteStatus, json: {} };
      return { json: method === 'POST' ? made : [{ ...made, ...link }] };
    });
    return { ...step, outcome: await outcomeOf(step.act(key, input)) };
  };

  test('with its gate is returned and kept, without its password', async () => {
    const input = { document: 'doc_1', gate_nda: true, gate_password: 's3cret' };
    const { outcome, count, bodyOf } = await create(input, { nda_required: true, password: 's3cret' });
    expect(outcome).toMatchObject({ id: 'lnk_1', url: made.url, document_id: 'doc_1' });
    expect(JSON.stringify(outcome)).not.toContain('s3cret');
    expect(count('DELETE /links/lnk_1')).toBe(0);
    expect(bodyOf('POST /links')).toEqual({ document_id: 'doc_1', nda_required: true, password: 's3cret' });
  });

  test.each<[string, Item, string]>([
    ['its own field', { gate_password: 's3cret' }, 'Password'],
    ['the Additional Fields', { fields: { password: 's3cret' } }, 'password'],
    ['JSON', { fields_json: '{"password": "s3cret"}' }, 'password'],
    ['extra', { fields: { extra: '{"password": "s3cret"}' } }, 'password'],
    ['a learned field', { learned__password: 's3cret' }, 'password'],
    ['nested JSON', { fields_json: '{"settings": {"password": "s3cret"}}' }, 'settings.password'],
    ['a dotted name', { fields: { 'access.passcode': 's3cret' } }, 'access.passcode'],
  ])('that lacks the password from %s is deleted; the document of a shared file stays', async (_, gate, label) => {
    const { outcome, count } = await create({ document: 'd', ...gate }, { has_password: false });
    expect(outcome).toContain(`Docshare did not apply "${label}", so the new link was deleted.`);
    expect(count('DELETE /links/lnk_1')).toBe(1);
    const shared = await create({ file: 'data:,Look.', ...gate }, { has_password: false }, 204, 'share_document');
    expect(shared.outcome).toContain(`"${label}", so the new link was deleted (the document doc_1 remains).`);
    await shared.act('share_document', { file: 'data:,Look.', ...gate }).catch(() => undefined);
    expect([shared.count('POST /documents'), shared.count('POST /links')]).toEqual([1, 2]);
  });

  test.each([429, 403, 503])('whose list answers %i is not said to lack its gate', async (status) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    const step = zapStep(({ method }) => (method === 'GET' ? { status, json: {} } : { json: made }));
    const ended = outcomeOf(step.act('create_link', { document: 'd', gate_nda: true }));
    await vi.advanceTimersByTimeAsync(60_000);
    const outcome = await ended;
    expect(outcome).toMatch(/^(Halted)?Error: This step could not check whether Docshare applied "Require NDA"/);
  });

  test('that lacks its gate and cannot be deleted is named, so that the user can delete it', async () => {
    const { outcome } = await create({ document: 'd', gate_nda: true }, {}, 403);
    expect(outcome).toMatch(
      /^HaltedError: .*"Require NDA", and the new link could not be deleted\..* https:\/\/a\.test\/l\/1$/,
    );
  });

  test.each([
    ['', true],
    [null, true],
    [[''], true],
    [['no'], false],
  ])('of a shared file with %j for "Require Email" has the gate: %s', async (email_required, asks) => {
    const { bodyOf } = await create({ file: 'data:,Look.', email_required }, {}, 204, 'share_document');
    expect(bodyOf('POST /links')).toEqual({ document_id: 'doc_1', email_required: asks });
  });

  test.each<[Item, string]>([
    [{}, texts.chooseDocumentOrRoom],
    [{ document: 'doc_1', room: 'room_1' }, texts.chooseEitherDocumentRoom],
  ])('for %j is rejected: a step needs either a document or a room', async (input, words) => {
    const { outcome, calls } = await create(input, {});
    expect(outcome).toContain(words);
    expect(calls).toEqual([]);
  });
});

test('a link to a room is sent with the ID of the room, and without a URL the step must not be replayed', async () => {
  const step = zapStep(({ method }) => ({ json: method === 'POST' ? { link: { id: 'l1', url: 'u' } } : [] }));
  expect(await step.act('create_link', { room: 'room_1', fields_json: '{"extra":{"a":1}}' })).toMatchObject({
    id: 'l1',
    url: 'u',
  });
  expect(step.bodyOf('POST /links')).toEqual({ room_id: 'room_1', a: 1 });
  const silent = zapStep(() => ({ json: { done: true } }));
  await expect(silent.act('create_link', { room: 'room_1' })).rejects.toThrow(texts.doNotReplayThisStep);
});

test.each([
  [{ room: { id: 'l2', url: 'r' }, link: { id: 'l1', url: 'u' } }],
  [{ data: { link: { id: 'l1', url: 'u' } } }],
  [{ data: { id: 'l1', attributes: { url: 'u' } } }],
])('a link to a room that lacks its gate is deleted, and nothing else, after the answer %j', async (json) => {
  const step = zapStep(({ method }) => ({ json: method === 'POST' ? json : [{ id: 'l1' }, { id: 'l2' }] }));
  const run = step.act('create_link', { room: 'room_1', gate_visitors: 5 });
  await expect(run).rejects.toThrow('the new link was deleted');
  expect(step.routes().filter((route) => route.startsWith('DELETE'))).toEqual(['DELETE /links/l1']);
});

test.each<[Item]>([
  [{ document: 'doc_1', fields: { document_id: 'own' } }],
  [{ room: 'room_1', fields: { room_id: 'own' } }],
])('a link for %j opens what Additional Fields choose instead', async (input) => {
  const step = zapStep(({ method }) => ({ json: method === 'POST' ? { id: 'l1', url: 'u' } : [] }));
  const target = input['fields'] as Item;
  expect(await step.act('create_link', input)).toMatchObject(target);
  expect(step.bodyOf('POST /links')).toEqual(target);
});

test('a key without access to links creates a link that has no ID and cannot be deleted', async () => {
  const { act } = zapStep(
    ({ method }): ZapAnswer =>
      method === 'GET' ? { status: 403, json: {} } : { status: 201, json: { url: 'https://a.test/l/1' } },
  );
  await expect(act('create_link', { document: 'd1', gate_visitors: '5' })).rejects.toThrow(texts.couldNotBeDeleted);
  expect(await act('create_link', { document: 'd1' })).toMatchObject({ id: null, url: 'https://a.test/l/1' });
});

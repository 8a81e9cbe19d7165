/** What actions do with a service's answers: gates that did not take, records that are gone, contacts that are there. */
import { describe, expect, test } from 'vitest';
import { apiRequest } from '../../../../zapier/creates/api-request.ts';
import { createLink } from '../../../../zapier/creates/create-link.ts';
import { deleteLink } from '../../../../zapier/creates/delete-link.ts';
import { upsertContact } from '../../../../zapier/creates/upsert-contact.ts';
import { describeSettings, findUnmetSettings } from '../../../../zapier/fields/check-gates.ts';
import type { RequestedSetting } from '../../../../zapier/fields/gates.ts';
import { type ZapAnswer, type ZapCall, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

type Item = Record<string, unknown>;
const perform = ({ operation }: { operation: unknown }) => (operation as { perform: unknown }).perform;
const run = (action: { operation: unknown }, inputData: Item, answer: (call: ZapCall) => ZapAnswer) => {
  const step = zapStep(answer);
  return { step, done: step.run(perform(action), { inputData }) };
};
const asked = ({ calls }: ReturnType<typeof zapStep>) => calls.map(({ method, path }) => `${method} ${path}`);

describe('a gate', () => {
  const wish = (gate: RequestedSetting['gate'], value: unknown, name = gate ?? 'watermark'): RequestedSetting => ({
    gate,
    value,
    label: 'G',
    name,
  });
  test.each<[RequestedSetting['gate'], unknown, Item, boolean]>([
    ['password', 'word', { has_password: true }, true],
    ['password', 'word', { password: '***' }, true],
    ['password', 'word', { password: null }, false],
    ['password', 'word', { has_password: 'no' }, false],
    ['password', 'word', {}, false],
    ['password', null, { has_password: false }, true],
    ['password', '', { password: 'old' }, false],
    ['expiry', '2026-12-31T10:00:00Z', { expires_at: '2026-12-31T10:00:30Z' }, true],
    ['expiry', '2026-12-31T10:00:00Z', { expires_at: '2026-12-31T10:02:00Z' }, false],
    ['expiry', '2026-12-31T10:00:00Z', { expires_at: '2026-12-31' }, true],
    ['expiry', '2026-12-31T10:00:00Z', { expires_at: 'never' }, false],
    ['expiry', '2026-12-31T10:00:00Z', { expires_at: 1798711200 }, true],
    ['expiry', 'never', { expires_at: null }, true],
    ['expiry', 'never', { expires_at: 'never' }, true],
    ['expiry', 'never', { expires_at: '2026-12-31' }, false],
    ['expiry', null, { expires_at: 0 }, true],
    ['visitors', 5, { max_visitors: '5' }, true],
    ['visitors', 5, { max_visitors: 6 }, false],
    ['visitors', 0, { max_visitors: null }, false],
    ['nda', true, { settings: { nda_required: 'required' } }, true],
    ['nda', true, { nda: { id: 'nda_1' } }, true],
    ['nda', true, { nda_required: 'optional' }, false],
    ['nda', false, { nda: null }, true],
    ['nda', false, {}, true],
    ['nda', true, {}, false],
    ['download', false, {}, false],
    ['download', false, { allow_download: 'off' }, true],
    ['download', false, { allow_download: 'perhaps' }, false],
    ['download', false, { allow_download: null }, false],
    ['email', true, {}, true],
    ['email', true, { email_required: false }, false],
    [undefined, true, { watermark: false }, false],
    [undefined, true, {}, true],
    [undefined, 'left', { watermark: 'left' }, true],
    [undefined, 7, { watermark: '7' }, true],
  ])('%s set to %j is met by %j: %s', (gate, value, link, met) => {
    expect(findUnmetSettings([wish(gate, value)], link)).toHaveLength(met ? 0 : 1);
  });
  test.each<[RequestedSetting['gate'], Item, string]>([
    ['password', { password: 'word' }, 'G: set'],
    ['password', { has_password: false }, 'G: none'],
    ['expiry', {}, 'G: not shown'],
    ['expiry', { expires_at: null }, 'G: none'],
    ['download', { allow_download: true }, 'G: yes'],
    ['download', { allow_download: false }, 'G: no'],
    ['nda', { nda: { id: 'x' } }, 'G: set'],
    ['visitors', { max_visitors: 5 }, 'G: 5'],
    [undefined, { watermark: 'x'.repeat(40) }, `G: ${'x'.repeat(30)}`],
  ])('%s of %j is told as "%s"', (gate, link, words) => {
    expect(describeSettings([wish(gate, true)], link)).toBe(words);
    if (gate === 'password') expect(words).not.toContain('word');
  });
});

describe('a link', () => {
  const made = { id: 'lnk_1', url: 'https://a.test/l/1' };
  const serve =
    (link: Item, deletes: ZapAnswer = { status: 204 }) =>
    ({ method }: ZapCall): ZapAnswer =>
      method === 'POST'
        ? { status: 201, json: made }
        : method === 'DELETE'
          ? deletes
          : { json: [{ ...made, ...link }] };
  test('whose gate took is shown, and stays', async () => {
    const { step, done } = run(createLink, { document: 'doc_1', gate_nda: true }, serve({ nda_required: true }));
    expect(await done).toMatchObject({ id: 'lnk_1', url: made.url, document_id: 'doc_1' });
    expect(asked(step)).not.toContain('DELETE /links/lnk_1');
    expect(step.calls.find(({ method }) => method === 'POST')?.body).toEqual({
      document_id: 'doc_1',
      nda_required: true,
    });
  });
  test('takes the name of a gate from the links that are there', async () => {
    const { step, done } = run(createLink, { document: 'doc_1', gate_nda: 'yes' }, serve({ requireNda: true }));
    await done;
    expect(step.calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ requireNda: true });
  });
  test('whose gate did not take is deleted again, and the person hears it', async () => {
    const { step, done } = run(createLink, { document: 'doc_1', gate_nda: true }, serve({ nda_required: false }));
    await expect(done).rejects.toThrow(texts.soTheNewLinkWas);
    expect(asked(step)).toContain('DELETE /links/lnk_1');
  });
  test('that can not be deleted is to be deleted by hand, at once', async () => {
    const { done } = run(createLink, { document: 'doc_1', gate_nda: true }, serve({}, { status: 403 }));
    await expect(done).rejects.toThrow(
      `Docshare did not apply "Require NDA", and the new link could not be deleted. Delete it in Docshare now: ${made.url}`,
    );
  });
  test('to a room says so under the room’s name, and without an address is not to be replayed', async () => {
    const { step, done } = run(createLink, { room: 'room_1', fields_json: '{"extra":{"a":1}}' }, ({ method }) =>
      method === 'POST' ? { json: { link: made } } : { json: [] },
    );
    expect(await done).toMatchObject({ id: 'lnk_1', url: made.url });
    expect(step.calls[0]?.body).toEqual({ room_id: 'room_1', a: 1 });
    await expect(run(createLink, { room: 'room_1' }, () => ({ json: { done: true } })).done).rejects.toThrow(
      texts.doNotReplayThisStep,
    );
  });
  test.each<[Item]>([[{}], [{ document: 'doc_1', room: 'room_1' }]])(
    'for %j is rejected: choose either a document or a room',
    async (input) => {
      const { step, done } = run(createLink, input, () => undefined);
      await expect(done).rejects.toThrow(texts.chooseEitherDocumentRoom);
      expect(step.calls).toEqual([]);
    },
  );
});

describe('a deletion', () => {
  const deleting = (status: number, list?: ZapAnswer) =>
    run(deleteLink, { link: 'lnk_1' }, ({ method }) => (method === 'DELETE' ? { status, json: {} } : list)).done;
  test.each<[string, number, ZapAnswer]>([['with status 204', 204, undefined]])(
    '%s succeeds',
    async (_, status, list) => {
      expect(await deleting(status, list)).toEqual({ id: 'lnk_1', deleted: true });
    },
  );
  test.each<[string, number, ZapAnswer]>([
    ['rejected as invalid, of an existing record', 400, { json: [{ id: 'lnk_1' }] }],
    ['of an unknown record', 404, { json: [] }],
    ['rejected as invalid, of a record that the list lacks', 400, { json: [] }],
    ['without permission', 403, { json: [] }],
  ])('%s fails', async (_, status, list) => {
    await expect(deleting(status, list)).rejects.toThrow();
  });
});

describe('a contact', () => {
  const ann = { id: 'con_1', email: 'Ann@a.test', name: 'Ann', company: 'Old' };
  const upsert = (
    input: Item,
    contacts: readonly Item[],
    writes: (call: ZapCall) => ZapAnswer = () => ({ json: {} }),
  ) => run(upsertContact, input, (call) => (call.method === 'GET' ? { json: contacts } : writes(call)));
  test('that is there is updated with what was given, and keeps the rest', async () => {
    const { step, done } = upsert({ email: 'ann@A.test', company: 'New', tags: ['a', ' a ', ''] }, [ann]);
    expect(await done).toMatchObject({ id: 'con_1', name: 'Ann', company: 'New', is_new: false });
    expect(step.calls.slice(-2).map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PATCH', '/contacts/con_1', { company: 'New' }],
      ['POST', '/contacts/con_1/tags', { tags: ['a'] }],
    ]);
  });
  test('of which nothing changes is not written', async () => {
    const { step, done } = upsert({ email: 'ann@a.test' }, [ann]);
    expect(await done).toMatchObject({ id: 'con_1', company: 'Old', is_new: false });
    expect(step.calls.every(({ method }) => method === 'GET')).toBe(true);
  });
  test('that is not there is made, with the name beside the address', async () => {
    const { step, done } = upsert({ email: 'Bob Lee <bob@a.test>' }, [], () => ({
      status: 201,
      json: { id: 'con_2' },
    }));
    expect(await done).toMatchObject({ id: 'con_2', name: 'Bob Lee', is_new: true });
    expect(step.calls.at(-1)?.body).toEqual({ email: 'bob@a.test', name: 'Bob Lee' });
  });
  test('that somebody else made meanwhile is updated', async () => {
    let contacts: Item[] = [];
    const { done } = run(upsertContact, { email: 'ann@a.test', name: 'New' }, ({ method }) => {
      if (method === 'GET') return { json: contacts };
      if (method === 'PATCH') return { json: {} };
      contacts = [ann];
      return { status: 409, json: {} };
    });
    expect(await done).toMatchObject({ id: 'con_1', name: 'New', is_new: false });
  });
  test.each<[string, Item, Item[], RegExp]>([
    ['twice', { email: 'ann@a.test' }, [ann, { ...ann, id: 'con_9' }], /2 contacts have the email ann\S+a\.test/],
    [
      'without an id',
      { email: 'ann@a.test' },
      [{ email: 'ann@a.test' }],
      /Docshare shows no ID for the contact with this email/,
    ],
    ['with two addresses', { email: 'a@a.test, b@a.test' }, [], /is not an email address/],
    ['with an invalid address', { email: 'ann' }, [], /"ann" is not an email address/],
  ])('that exists %s is not changed', async (_, input, contacts, message) => {
    const { step, done } = upsert(input, contacts);
    await expect(done).rejects.toThrow(message);
    expect(step.calls.every(({ method }) => method === 'GET')).toBe(true);
  });
  test('whose tags failed is said to be updated', async () => {
    const { done } = upsert({ email: 'ann@a.test', name: 'N', tags: ['a'] }, [ann], ({ path }) =>
      path.endsWith('/tags') ? { status: 403, json: {} } : { json: {} },
    );
    await expect(done).rejects.toThrow(texts.butNotItsTags);
  });
});

describe('a request of one’s own', () => {
  test.each<[Item, Item, ZapAnswer, Item]>([
    [
      { method: 'GET', path: ' /links ', query: { a: '1' } },
      { method: 'GET', path: '/links', query: { a: '1' }, body: undefined },
      { json: [1] },
      { status: 200, body: [1], text: '[1]' },
    ],
    [
      { method: 'POST', path: '/links', body: '{"a":1}' },
      { method: 'POST', body: { a: 1 } },
      { status: 201, json: 'done' },
      { status: 201, body: 'done', text: 'done' },
    ],
    [
      { method: 'POST', path: '/links', body: '{"document_id":9007199254740993}' },
      { method: 'POST', body: { document_id: '9007199254740993' } },
      { status: 204 },
      { status: 204, body: null, text: '' },
    ],
    [
      { method: 'DELETE', path: '/links/x', body: ' ' },
      { method: 'DELETE', body: undefined },
      { status: 204 },
      { status: 204, body: null, text: '' },
    ],
  ])('%j', async (input, sent, answer, shown) => {
    const { step, done } = run(apiRequest, input, () => answer);
    expect(await done).toEqual(shown);
    expect(step.calls).toMatchObject([sent]);
  });
  test.each<[Item, RegExp]>([
    [{ method: 'BREW', path: '/links' }, /PUT or DELETE in the field "Method"/],
    [{ method: 'POST', path: '/links', body: '{"a":' }, /The field "Body" is not valid JSON/],
  ])('%j is not sent', async (input, message) => {
    const { step, done } = run(apiRequest, input, () => undefined);
    await expect(done).rejects.toThrow(message);
    expect(step.calls).toEqual([]);
  });
});

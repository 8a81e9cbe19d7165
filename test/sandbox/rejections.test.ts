import { expect, test, vi } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { createForm, sendJson } from '../support/ask-service.ts';
import { closeAfterAll, closeAfterTest } from '../support/cleanup.ts';
import { texts } from './texts.ts';

const ANN = 'Ann@Example.com';
const sandbox = await closeAfterAll(createSandbox({ data: 'empty', clock: 'manual' }));
const documentId = (await call('POST', '/documents', { name: 'Deck', content: 'aGVsbG8=' })).body.id;

function call(method: string, path: string, body?: object) {
  return sendJson(sandbox, { key: sandbox.key(), method, path, body });
}

const create = async (path: string, body: object) => (await call('POST', path, body)).body;

async function sentAgreement(fields: object = {}) {
  const agreement = await create('/agreements', { name: 'NDA', recipients: [ANN], ...fields });
  return (await call('POST', `/agreements/${agreement.id}/send`)).body;
}

test.each(['declined', 'voided', 'expired'] as const)('an agreement that was %s cannot be signed', async (status) => {
  const { id } = await sentAgreement();
  await sandbox.endAgreement(id, status);
  await expect(sandbox.sign(id, { email: ANN })).rejects.toThrow(status);
});

test('a signer is recognized by the email address in upper or lower case, and signs once', async () => {
  const { id } = await sentAgreement({ recipients: [ANN, 'ben@example.com'] });
  expect(await sandbox.sign(id, { email: ANN.toLowerCase() })).toMatchObject({ id, status: 'viewed' });
  await expect(sandbox.sign(id, { email: ANN })).rejects.toThrow('already signed');
});

test('a folder or group of another room is rejected with its name', async () => {
  const [here, there] = [await create('/rooms', { name: 'Here' }), await create('/rooms', { name: 'There' })];
  const folder = await create(`/rooms/${there.id}/folders`, { name: 'Legal' });
  const group = await create(`/rooms/${there.id}/groups`, { name: 'Buyers' });
  const file = { document_id: documentId, folder_id: folder.id };
  expect((await call('POST', `/rooms/${here.id}/files`, file)).text).toContain(texts.isNotAFolderOf);
  const link = { room_id: here.id, group_id: group.id };
  expect((await call('POST', '/links', link)).text).toContain(texts.isNotAGroupOf);
  expect((await call('POST', '/links', { ...link, room_id: there.id })).body.group_id).toBe(group.id);
});

test('a page number in the path belongs to lists only', async () => {
  sandbox.use({ paging: 'link-header-path' });
  const answers = [await call('GET', '/documents/page/1'), await call('POST', '/documents/page/1', { name: 'Deck' })];
  sandbox.use('modern');
  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
});

test.each([
  ['', 'name'],
  ['a\0b', 'NUL'],
])('a form with the name %j is rejected, and its file is not stored', async (name, words) => {
  const before = sandbox.snapshot().state.files.size;
  const { status, text } = await call('POST', '/documents', createForm({ name, file: new File(['hi'], 'deck.txt') }));
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text).toContain(words);
  expect(sandbox.snapshot().state.files.size).toBe(before);
});

test.each<[unknown, string]>([
  [null, `${texts.createsandboxNeedsOptionsObject}, not null`],
  [
    { prot: 1 },
    'createSandbox has no field "prot". Known fields: port, seed, profile, data, fixtures, dataFolder, clock, at, cors',
  ],
  [{ port: -1 }, texts.portMustNumber0],
  [{ port: '4010' }, texts.portMustNumber0655354010],
  [{ seed: 1.5 }, texts.seedMustWholeNumber],
  [{ data: '/tmp/x' }, texts.dataMustCompanyEmpty],
  [{ clock: 'fast' }, texts.clockMustRealManual],
  [{ cors: null }, texts.corsMustListOrigins],
])('%j is rejected', async (options, words) => {
  await expect(createSandbox(options as object)).rejects.toThrow(new RangeError(words));
});

test('a port in use is reported in a sentence and with its error code', async () => {
  const port = Number(new URL((await closeAfterTest(createSandbox({ data: 'empty' }))).origin).port);
  expect(await createSandbox({ data: 'empty', port }).catch((error: unknown) => error)).toMatchObject({
    message: `Port ${port} is in use. Choose another, or 0 for any free port`,
    code: 'EADDRINUSE',
  });
  await expect(createSandbox({ data: '/tmp/x' } as never)).rejects.toThrow(texts.useDatafolderFolderStores);
  await expect(createSandbox({ profile: null } as never)).rejects.toThrow(texts.aProfileMustBeA);
});

const NINE = Date.UTC(2026, 0, 1, 9);
const start = (at: unknown) => createSandbox({ at: at as string, data: 'empty' });

test.each<[unknown, number]>([
  ['2026-01-01T09:00Z', NINE],
  [' 2026-01-01t09:00:00z ', NINE],
  ['2026-01-01T11:00+02:00', NINE],
  ['2026-01-01', NINE - 9 * 3_600_000],
  [new Date(NINE), NINE],
  ['9999-01-01', Date.UTC(9999, 0, 1)],
])('%s is a valid time, in any time zone of the machine', async (given, at) => {
  vi.stubEnv('TZ', 'America/Lima');
  expect((await closeAfterTest(start(given))).clock.now()).toBe(at);
});

test.each([
  ...['2026-02-30', '2026-02-29', '2026-13-01', '2026-01-01T24:00Z', '2026-01-01T09:00:60Z', '2026-001', '2026', '-1'],
  ...['now', '', '9999-01-02', '1969-12-31', 1e30, -1, Number.NaN, new Date('x'), null, true, [], {}, 'x'.repeat(200)],
])('%s is not a valid time', async (given) => {
  await expect(start(given)).rejects.toThrow(/^The clock can't start at ".{0,100}": use a date such as/);
});

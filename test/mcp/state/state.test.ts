import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { loadSqlite } from '../../../mcp/state/load-sqlite.ts';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest, createFolderForFile } from '../../support/cleanup.ts';
import { createDraftAgreement } from '../../support/draft-agreement.ts';
import { openHost } from '../../support/mcp-host.ts';
import { createStateProvider } from '../../support/mcp-parts.ts';
import { texts } from '../texts.ts';

const top = createFolderForFile('docshare-state-');
const fresh = () => mkdtempSync(join(top, 'state-'));
const sandbox = await closeAfterAll(createSandbox({ data: 'empty' }));
beforeEach(() => sandbox.log.clear());

const envOf = (key = sandbox.key()) => ({ DOCSHARE_API_KEY: key, DOCSHARE_BASE_URL: sandbox.url });
function createFile(): string {
  const file = join(fresh(), 'a-file');
  writeFileSync(file, '');
  return file;
}
const filesIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name));

function opener(folder: string | undefined, options: { now?: () => number } = {}) {
  const failures: unknown[] = [];
  return { open: createStateProvider({ folder, onFailure: (error) => failures.push(error), ...options }), failures };
}

/** One memory state, and two states on one file: each entry of the port works with both. */
test.each([
  ['memory', undefined],
  ['a file', 'shared'],
])('%s keeps an entry until it expires and gives a claim to one caller', async (_, kind) => {
  let now = 1_000_000;
  const folder = kind && fresh();
  const { open, failures } = opener(folder, { now: () => now });
  const first = await closeAfterTest(open());
  const second = folder ? await closeAfterTest(opener(folder, { now: () => now }).open()) : first;
  await first.put('k', { a: [1, '…'] }, now + 100);
  expect(await second.get('k')).toEqual({ a: [1, '…'] });
  now += 100;
  expect(await second.get('k')).toBeUndefined();
  const claims = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? first : second).putIfAbsent('c', { index }, now + 10)),
  );
  expect(claims.filter((standing) => standing === undefined)).toHaveLength(1);
  now += 10;
  expect(await second.putIfAbsent('c', {}, now + 10)).toBeUndefined();
  await first.remove('c');
  expect(await second.get('c')).toBeUndefined();
  expect(first.secret.equals(second.secret)).toBe(true);
  expect(failures).toEqual([]);
});

test('the state file is private, contains no key, and is created by the first call', async () => {
  const folder = join(fresh(), 'deeper', 'docshare');
  const key = sandbox.key();
  const host = await closeAfterTest(openHost({ env: envOf(key), state: folder, ownProcess: true }));
  await host.tools();
  expect(() => statSync(folder)).toThrow('ENOENT');
  await host.call('delete_link', { id: 'secret-link-name' });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of filesIn(folder)) {
    expect(statSync(file).mode & 0o777, file).toBe(0o600);
    const bytes = readFileSync(file, 'latin1');
    expect(bytes).not.toContain(key);
    expect(bytes).not.toContain('secret-link-name');
  }
  expect(host.stderr()).not.toMatch(/warning|experimental/i);
});

test.each([
  ['below a file', () => join(createFile(), 'docshare'), 'ENOTDIR'],
  ...(process.platform === 'linux'
    ? [['in a folder that cannot exist', () => '/proc/nowhere/x', 'ENOENT'] as const]
    : []),
] as const)('a state folder %s adds one line to the log, and the state is kept in memory', async (_, folder, code) => {
  const host = await closeAfterTest(openHost({ env: envOf(), state: folder() }));
  const { data } = await host.call('delete_link', { id: 'x' });
  const { confirm_token } = data;
  await host.call('delete_link', { id: 'x', confirm_token });
  expect((await host.call('delete_link', { id: 'x', confirm_token })).error).toMatchObject({ fault: 'used' });
  expect(host.stderr().match(/"event":"state_in_memory","code":"\w+"/g)).toEqual([
    `"event":"state_in_memory","code":"${code}"`,
  ]);
});

test('a file that is not a database, or gets damaged, is reported once and loses no entry', async () => {
  const folder = fresh();
  writeFileSync(join(folder, 'mcp-state.db'), 'not a database, but long enough to be looked at '.repeat(100));
  const broken = opener(folder);
  const state = await broken.open();
  await state.put('k', { a: 1 }, Date.now() + 1000);
  expect(await state.get('k')).toEqual({ a: 1 });
  expect(broken.failures).toHaveLength(1);

  // Entries that were claimed stay claimed. Otherwise an action could run twice.
  const going = opener(fresh());
  const good = await going.open();
  const later = Date.now() + 10_000;
  expect(await good.putIfAbsent('k', { a: 1 }, later)).toBeUndefined();
  expect(await good.putIfAbsent('k', { a: 2 }, later)).toEqual({ a: 1 });
  await good.put('turn', { at: 1 }, later);
  expect(await good.compareAndSwap('turn', { from: { at: 1 }, to: { at: 2 }, until: later })).toBe(true);
  await good.close();
  expect(await good.get('k')).toEqual({ a: 1 });
  expect(await good.putIfAbsent('k', {}, later)).toEqual({ a: 1 });
  expect(await good.get('turn')).toEqual({ at: 2 });
  expect(await good.limit?.take({ id: 'x', requests: 1, windowMs: 1000, start: 's', now: Date.now() })).toBe(0);
  expect(going.failures).toHaveLength(1);
});

test('ten servers that open a new folder at once share one secret', async () => {
  const folder = join(fresh(), 'new');
  const openers = Array.from({ length: 10 }, () => opener(folder));
  const states = await Promise.all(openers.map(({ open }) => closeAfterTest(open())));
  expect(new Set(states.map(({ secret }) => secret.toString('hex'))).size).toBe(1);
  expect(openers.flatMap(({ failures }) => failures)).toEqual([]);
});

test('two servers send once, and the second says so', async () => {
  const key = sandbox.key();
  const id = await createDraftAgreement(sandbox, { key });
  const options = { env: envOf(key), state: fresh(), args: ['--confirm', 'off'], ownProcess: true };
  const [one, two] = await Promise.all([openHost(options), openHost(options)]);
  const answers = await Promise.all([one, two, one, two].map((host) => host.call('send_agreement', { id })));
  for (const { data } of answers) expect(data).toMatchObject({ sent: true, id });
  expect(answers.filter(({ data }) => data['repeated'] === true)).toHaveLength(3);
  const sends = () => sandbox.log.entries().filter(({ operation }) => operation === 'agreements.send');
  expect(sends()).toHaveLength(1);
  await one.close();
  await two.close();
  const three = await closeAfterTest(openHost(options));
  expect((await three.call('send_agreement', { id })).data).toMatchObject({ repeated: true });
  expect(sends()).toHaveLength(1);
});

test('two servers with one key count the limit together', async () => {
  const options = { env: envOf(sandbox.key()), state: fresh(), ownProcess: true };
  const [one, two] = await Promise.all([closeAfterTest(openHost(options)), closeAfterTest(openHost(options))]);
  let answered = 0;
  for (const host of [one, two])
    for (let index = 0; index < 62; index++)
      host.call('get_usage').then(
        () => (answered += 1),
        () => undefined,
      );
  while (answered < 120) await sleep(20);
  // Separately, each of the two would have sent two more by now.
  await sleep(1000);
  expect(sandbox.log.entries().map(({ status }) => status)).toEqual(Array(120).fill(200));
});

test('the sandbox has its own state', async () => {
  const folder = join(fresh(), 'none');
  await (await closeAfterTest(openHost({ args: ['--sandbox'], state: folder }))).call('delete_link', { id: 'x' });
  expect(() => statSync(folder)).toThrow('ENOENT');
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

test.skipIf(process.platform === 'win32').each([0o040, 0o020, 0o004])(
  'a state that others can access with the mode %i becomes private',
  async (othersMode) => {
    const own = join(fresh(), 'own');
    const file = join(own, 'mcp-state.db');
    mkdirSync(own);
    writeFileSync(file, '');
    chmodSync(file, 0o600 | othersMode);
    chmodSync(own, 0o700 | othersMode);
    const { open } = opener(own);
    const _state = await closeAfterTest(open());
    expect([modeOf(own), modeOf(file)]).toEqual([0o700, 0o600]);
  },
);

test.skipIf(process.platform === 'win32')('a folder that everybody can write to is not used', async () => {
  const own = join(fresh(), 'own');
  mkdirSync(own);
  chmodSync(own, 0o777);
  const { open } = opener(own);
  expect((await closeAfterTest(open())).getStatus().backend).toBe('memory');
  expect([modeOf(own), readdirSync(own)]).toEqual([0o777, []]);
});

test('expired entries are removed from the file, and one that expires while it is claimed can be claimed', async () => {
  const moments: number[] = [];
  const now = () => moments.shift() ?? 1000;
  const folder = fresh();
  const state = await opener(folder, { now }).open();
  await state.put('old', { at: 1 }, 1000);
  moments.length = 0;
  // The entry is valid when it is claimed, and expired when it is read.
  moments.push(999, 1000);
  await state.put('one', { at: 1 }, 1000);
  moments.length = 0;
  moments.push(999, 1000);
  expect(await state.putIfAbsent('one', { at: 2 }, 2000)).toBeUndefined();
  expect(await state.get('one')).toEqual({ at: 2 });
  await state.put('two', { at: 2 }, 2000);
  await state.close();
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(join(folder, 'mcp-state.db'));
  const kept = database.prepare('SELECT key FROM entries ORDER BY key').all();
  database.close();
  expect(kept.map(({ key }) => key)).toEqual(['one', 'two']);
});

test.skipIf(process.platform === 'win32')('a folder of another user, who could read it, is not used', async () => {
  const folder = fresh();
  vi.spyOn(process, 'getuid').mockReturnValue(statSync(folder).uid + 1);
  const { open, failures } = opener(folder);
  expect((await open()).getStatus().backend).toBe('memory');
  expect(String(failures)).toContain(texts.belongsToAnotherUser);
});

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { getStateFolder } from '../../mcp/state/state-folder.ts';
import { createStateProvider } from '../../mcp/state/state-provider.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { createClient } from '../../src/index.ts';
import { openHost } from '../support/mcp-host.ts';

const top = mkdtempSync(join(tmpdir(), 'docshare-state-'));
const fresh = () => mkdtempSync(join(top, 'state-'));
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ data: 'empty' });
});
beforeEach(() => sandbox.log.clear());
afterAll(async () => {
  await sandbox.close();
  rmSync(top, { recursive: true, force: true });
});

const envOf = (key = sandbox.key()) => ({ DOCSHARE_API_KEY: key, DOCSHARE_BASE_URL: sandbox.url });
function aFile(): string {
  const file = join(fresh(), 'a-file');
  writeFileSync(file, '');
  return file;
}
const filesIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name));

function opener(folder: string | undefined, options: { now?: () => number } = {}) {
  const failures: unknown[] = [];
  const open = createStateProvider({ folder, onFailure: (error) => failures.push(error), ...options });
  return { open, failures };
}

/** One carrier by itself, and two on one file: each entry of the port holds for both. */
test.each([
  ['memory', undefined],
  ['a file', 'shared'],
])('%s keeps an entry until its time is over, and gives a claim to one', async (_, kind) => {
  let now = 1_000_000;
  const folder = kind && fresh();
  const { open, failures } = opener(folder, { now: () => now });
  const first = await open();
  const second = folder ? await opener(folder, { now: () => now }).open() : first;
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
  await first.close();
  if (second !== first) await second.close();
});

test('the state file is its owner’s alone, holds no key, and is not there before the first call', async () => {
  const folder = join(fresh(), 'deeper', 'docshare');
  const key = sandbox.key();
  const host = await openHost({ env: envOf(key), state: folder, ownProcess: true });
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
  await host.close();
});

test('a file that was open to others is closed to them', async () => {
  const folder = fresh();
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'mcp-state.db'), '', { mode: 0o644 });
  const state = await opener(folder).open();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'mcp-state.db')).mode & 0o777).toBe(0o600);
  await state.close();
});

test.each([
  ['below a file', () => join(aFile(), 'docshare'), 'ENOTDIR'],
  ...(process.platform === 'linux' ? [['in no folder', () => '/proc/nowhere/x', 'ENOENT'] as const] : []),
] as const)('a folder %s costs one line in the log, and memory takes over', async (_, folder, code) => {
  const host = await openHost({ env: envOf(), state: folder() });
  const { data } = await host.call('delete_link', { id: 'x' });
  const { confirm_token } = data;
  await host.call('delete_link', { id: 'x', confirm_token });
  const again = await host.call('delete_link', { id: 'x', confirm_token });
  expect(again.error).toMatchObject({ fault: 'used' });
  expect(host.stderr().match(/"event":"state_in_memory","code":"\w+"/g)).toEqual([
    `"event":"state_in_memory","code":"${code}"`,
  ]);
  await host.close();
});

test('a file that is no database, or goes bad under way, costs one report and no entry', async () => {
  const folder = fresh();
  writeFileSync(join(folder, 'mcp-state.db'), 'not a database, but long enough to be looked at '.repeat(100));
  const broken = opener(folder);
  const state = await broken.open();
  await state.put('k', { a: 1 }, Date.now() + 1000);
  expect(await state.get('k')).toEqual({ a: 1 });
  expect(broken.failures).toHaveLength(1);

  const going = opener(fresh());
  const good = await going.open();
  await good.put('k', { a: 1 }, Date.now() + 10_000);
  await good.close();
  expect(await good.get('k')).toEqual({ a: 1 });
  expect(await good.putIfAbsent('k', {}, Date.now() + 10_000)).toEqual({ a: 1 });
  expect(await good.limit?.take({ id: 'x', requests: 1, windowMs: 1000, start: 's', now: Date.now() })).toBe(0);
  expect(going.failures).toHaveLength(1);
});

test('ten servers that open a new folder at once share one secret', async () => {
  const folder = join(fresh(), 'new');
  const openers = Array.from({ length: 10 }, () => opener(folder));
  const states = await Promise.all(openers.map(({ open }) => open()));
  expect(new Set(states.map(({ secret }) => secret.toString('hex'))).size).toBe(1);
  expect(openers.flatMap(({ failures }) => failures)).toEqual([]);
  for (const state of states) await state.close();
});

test('two servers send once, and the second says so', async () => {
  const key = sandbox.key();
  const client = createClient({ apiKey: key, baseUrl: sandbox.url });
  const { id: document_id } = await client.upload(new Blob(['%PDF-1.4 x']), { name: 'NDA.pdf' });
  const recipients = [{ name: 'Sam', email: 'sam@example.com' }];
  const { id } = await client.agreements.create({ name: 'NDA', document_id, recipients });
  await client.close();
  const options = { env: envOf(key), state: fresh(), args: ['--confirm', 'off'], ownProcess: true };
  const [one, two] = await Promise.all([openHost(options), openHost(options)]);
  const answers = await Promise.all(
    [one, two, one, two].map((host) => host.call('send_agreement', { id: String(id) })),
  );
  for (const { data } of answers) expect(data).toMatchObject({ sent: true, id });
  expect(answers.filter(({ data }) => data['repeated'] === true)).toHaveLength(3);
  const sends = () => sandbox.log.entries().filter(({ operation }) => operation === 'agreements.send');
  expect(sends()).toHaveLength(1);
  await one.close();
  await two.close();
  const three = await openHost(options);
  expect((await three.call('send_agreement', { id: String(id) })).data).toMatchObject({ repeated: true });
  expect(sends()).toHaveLength(1);
  await three.close();
});

test('two servers with one key count the limit together', async () => {
  const key = sandbox.key();
  const options = { env: envOf(key), state: fresh(), ownProcess: true };
  const [one, two] = await Promise.all([openHost(options), openHost(options)]);
  let answered = 0;
  for (const host of [one, two])
    for (let index = 0; index < 62; index++)
      host.call('get_usage').then(
        () => (answered += 1),
        () => undefined,
      );
  while (answered < 120) await sleep(20);
  // By itself, each of the two would have sent two more by now.
  await sleep(1000);
  expect(sandbox.log.entries().map(({ status }) => status)).toEqual(Array(120).fill(200));
  await one.close();
  await two.close();
});

test('the sandbox keeps its state to itself', async () => {
  const folder = join(fresh(), 'none');
  const host = await openHost({ args: ['--sandbox'], state: folder });
  await host.call('delete_link', { id: 'x' });
  expect(() => statSync(folder)).toThrow('ENOENT');
  await host.close();
});

test('the folder is where programs of each system keep their state', () => {
  expect(getStateFolder({ HOME: '/h' }, 'linux')).toBe('/h/.local/state/docshare');
  expect(getStateFolder({ HOME: '/h', XDG_STATE_HOME: '/s' }, 'linux')).toBe('/s/docshare');
  expect(getStateFolder({ HOME: '/h', XDG_STATE_HOME: 'relative' }, 'linux')).toBe('/h/.local/state/docshare');
  expect(getStateFolder({}, 'linux')).toBe(join(homedir(), '.local/state/docshare'));
  expect(getStateFolder({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Application Support/docshare');
  expect(getStateFolder({ HOME: 'h', LOCALAPPDATA: 'l' }, 'win32')).toBe(join('l', 'docshare'));
});

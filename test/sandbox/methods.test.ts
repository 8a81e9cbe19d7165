import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { createForm, sendJson } from '../support/ask-service.ts';
import { closeAfterAll, closeAfterTest, createFolderForTest } from '../support/cleanup.ts';
import { listenForTest } from '../support/listen.ts';
import { texts } from './texts.ts';

const sandbox = await closeAfterAll(createSandbox({ clock: 'manual' }));
const { links } = sandbox.snapshot().state;
const linkId =
  [...links.values()].find(({ password, expires_at }) => password === null && expires_at === null)?.id ?? '';

const FIELDS = 'method, path, operation, nth, probability, times, when, status, headers, body, delayMs, bodyDelayMs';

/** Calls a method by name, as a program without types does. */
const WRONG: readonly (readonly [string, readonly unknown[], string])[] = [
  ['faults.add', [{ operaton: 'links.list' }], `has no field "operaton". Known fields: ${FIELDS}, cut, truncate`],
  ['faults.add', [{ operation: 'nope' }], ': operation must be one of documents.list, '],
  ['faults.add', [{ method: 'GTE' }], ': method must be an HTTP method, not "GTE"'],
  ['faults.add', [{ path: 'links' }], texts.pathMustPathBegins],
  ['faults.add', [{ nth: 0 }], texts.nthMustPositiveWhole],
  ['faults.add', [{ probability: 2 }], texts.probabilityMustNumber0],
  ['faults.add', [{ status: 999 }], texts.statusMustWholeNumber],
  ['faults.add', [{ delayMs: -1 }], ': delayMs must be milliseconds from 0 to 600000, not -1'],
  ['faults.add', [{ cut: 'x' }], ': cut must be "drop", "reset" or "hang", not "x"'],
  ['faults.add', [{ times: 0 }], ': times must be a positive whole number, not 0'],
  ['faults.add', [{ when: 'later' }], ': when must be "before" or "after", not "later"'],
  ['faults.add', [{ bodyDelayMs: 600_001 }], ': bodyDelayMs must be milliseconds from 0 to 600000, not 600001'],
  ['faults.add', [{ truncate: -1 }], texts.truncateMustWholeNumber],
  ['faults.add', [{ headers: { 'a b': 'c' } }], ": headers must be valid HTTP headers, not { 'a b': 'c' }"],
  ['faults.add', [null], ' needs an object, not null'],
  ['log.waitFor', [], ' needs an object, not undefined'],
  ['log.waitFor', [{ operaton: 'x' }], 'has no field "operaton". Known fields: method, path, operation, status, after'],
  ['log.waitFor', [{ status: '200' }], texts.statusMustWholeNumber200],
  ['log.waitFor', [{}, { timeout: 5 }], 'has no field "timeout". Known fields: timeoutMs'],
  ['log.waitFor', [{}, { timeoutMs: -1 }], ': timeoutMs must be milliseconds (0 or more); '],
  ['key', [['nope']], "), not [ 'nope' ]"],
  ['use', [{ errors: ['html'] }], 'No setting "html" of errors: use one of json, '],
  ['clock.advance', ['5'], texts.advanceNeedsMilliseconds0],
  ['visit', [{ id: 'lnk_1' }], texts.needsIdStringNumber],
  ['visit', ['LINK', { mail: 'a@b.c' }], 'no field "mail". Known fields: email, name, password, ndaAccepted, pages'],
  ['visit', ['LINK', { pages: [86_401] }], ': pages must be up to 10000 numbers of seconds, '],
  ['visit', ['LINK', { email: 5 }], ': email must be a string, not 5'],
  ['sign', ['a', { emial: 'a@b.c' }], 'has no field "emial". Known fields: email, name'],
  ['endAgreement', ['a', 'done'], ' needs one of declined, voided, expired, not "done"'],
  ['restore', [{}], ' needs a snapshot as snapshot() returned it'],
];

async function act(name: string, args: readonly unknown[]): Promise<unknown> {
  const given = args.map((arg) => (arg === 'LINK' ? linkId : arg));
  const owner = name
    .split('.')
    .slice(0, -1)
    .reduce((at, part) => Reflect.get(at, part), sandbox as object);
  return Reflect.apply(Reflect.get(owner, name.split('.').at(-1) ?? ''), owner, given);
}

test.each(WRONG)('%s(%j) is rejected', async (name, args, words) => {
  const stateOf = () => ({ ...sandbox.snapshot(), now: sandbox.clock.now(), rules: sandbox.faults.rules() });
  const before = stateOf();
  const error = await act(name, args).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RangeError);
  expect(String(error)).toContain(words);
  expect(stateOf()).toEqual(before);
});

test('a snapshot that was converted to JSON and back is rejected', () => {
  const snapshot = sandbox.snapshot();
  const restore = (value: unknown) => () => Reflect.apply(sandbox.restore, sandbox, [value]);
  expect(restore(JSON.parse(JSON.stringify(snapshot)))).toThrow(RangeError);
  expect(restore({ ...snapshot })).toThrow(RangeError);
  sandbox.restore(snapshot);
});

test('valid arguments are accepted, also with undefined fields', async () => {
  await act('faults.add', [{ method: 'get', path: '*', nth: [1, 2], headers: { a: 'b' }, body: undefined }]);
  sandbox.faults.clear();
  await act('visit', ['LINK', { email: 'a@example.com', ndaAccepted: true, pages: [0.5], name: undefined }]);
  await act('use', [{ wrongKey: 403, badBody: 400 }]);
  expect(sandbox.profile).toMatchObject({ wrongKey: '403', badBody: '400' });
  sandbox.use('modern');
});

async function closedOne() {
  const sandbox = await createSandbox({ data: 'empty', clock: 'manual' });
  const key = sandbox.key();
  await fetch(`${sandbox.url}/rooms`, { headers: { authorization: `Bearer ${key}` } });
  await sandbox.close();
  return { sandbox, key };
}

test('the data of a closed sandbox stays readable', async () => {
  const { sandbox } = await closedOne();
  expect(sandbox.log.entries()).toMatchObject([{ operation: 'rooms.list', status: 200 }]);
  expect(sandbox.snapshot().state.usage.api_requests).toBe(1);
  expect(sandbox.deliveries.entries()).toEqual([]);
  await sandbox.deliveries.settled();
  expect(sandbox.clock.now()).toBeGreaterThan(0);
  await expect(fetch(sandbox.url)).rejects.toThrow();
});

test('each method of a closed sandbox fails with its name and changes nothing', async () => {
  const { sandbox, key } = await closedOne();
  const before = sandbox.snapshot();
  const acts: Record<string, (closed: Sandbox) => unknown> = {
    key: (closed) => closed.key(),
    revoke: (closed) => closed.revoke(key),
    rotate: (closed) => closed.rotate(key),
    use: (closed) => closed.use('legacy'),
    'faults.add': (closed) => closed.faults.add({ status: 500 }),
    'clock.advance': (closed) => closed.clock.advance(1),
    'deliveries.redeliver': (closed) => closed.deliveries.redeliver('d'),
    visit: (closed) => closed.visit('l'),
    sign: (closed) => closed.sign('a'),
    endAgreement: (closed) => closed.endAgreement('a', 'declined'),
    reset: (closed) => closed.reset(),
    restore: (closed) => closed.restore(before),
  };
  for (const [name, act] of Object.entries(acts))
    await expect((async () => act(sandbox))(), name).rejects.toThrow(
      new Error(`The sandbox is closed: call ${name} before close`),
    );
  expect(sandbox.snapshot()).toEqual(before);
});

test('close ends a running delivery, and nothing waits for it any more', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const receiver = createServer(() => resolve());
  const sandbox = await createSandbox({ clock: 'manual' });
  const body = { url: await listenForTest(receiver), events: ['link.viewed'] };
  await sendJson(sandbox, { key: sandbox.key(), method: 'POST', path: '/webhooks', body });
  await sandbox.visit([...sandbox.snapshot().state.links.keys()].at(-1) ?? '', { email: 'ada@example.com' });
  await arrived;
  await sandbox.close();
  expect(sandbox.deliveries.entries()).toMatchObject([{ attempts: [{ status: null }] }]);
});

test('a second close does not touch data that the next sandbox keeps in the same folder', async () => {
  const keepIn = createFolderForTest('docshare-closed-');
  const first = await createSandbox({ dataFolder: keepIn, data: 'empty' });
  await first.close();
  const second = await closeAfterTest(createSandbox({ dataFolder: keepIn }));
  const body = createForm({ file: new File(['x'], 'a.txt') });
  await sendJson(second, { key: second.key(), method: 'POST', path: '/documents', body });
  await first.close();
  expect(await readdir(join(keepIn, 'files'))).toHaveLength(1);
});

/** Places for files in the shared state: how many wait, who hears of one, and which of two that come is taken. */

import { expect, test } from 'vitest';
import type { UploadAttempt } from '../../../../mcp/hosted/file-transfer/upload-attempt.ts';
import { createUploadTickets } from '../../../../mcp/hosted/file-transfer/upload-tickets.ts';
import { createStub } from '../../../support/create-stub.ts';
import { createMemoryState } from '../../../support/mcp-parts.ts';

const HOLDER = { grant: 'mine', apiKey: 'key_of_a_person' };
const MINUTE = 60_000;
const SIZE = { totalBytes: 10, maxDurationMs: MINUTE };

function open() {
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  const state = createMemoryState({ now });
  const make = () => createUploadTickets({ state: async () => state, getUploadUrl: (token) => token, waitMs: 0, now });
  const handOvers = make();
  const options = createStub<{ signal: undefined; progress: never }>({ progress: { step: () => undefined } });
  const upload = (wanted: { name?: string; uploadTicket?: string }, holder = HOLDER) =>
    handOvers.forOwner(holder).upload(wanted, options);
  /** The address of a hand-over that waits. */
  const address = async (name: string) => {
    const handed = await upload({ name });
    if (handed.kind !== 'waiting') throw new Error(`It is ${handed.kind}.`);
    return { token: handed.url, id: handed.id };
  };
  const begun = async (token: string) => {
    const run = await handOvers.begin(token, SIZE);
    if (!run || !('end' in run)) throw new Error('It did not begin.');
    return run;
  };
  return { clock, handOvers, upload, address, begun };
}

test('two calls for one file at once get one address, and take one of eight places', async () => {
  const { address } = open();
  const [one, other] = await Promise.all([address('a'), address('a')]);
  expect(one).toEqual(other);
  for (const name of 'bcdefgh') await address(name);
  await expect(address('i')).rejects.toMatchObject({ code: 'too_many' });
});

test('a file that comes frees its place, and ten minutes free all', async () => {
  const { address, begun, clock } = open();
  const [first] = [await address('a')];
  for (const name of 'bcdefgh') await address(name);
  const run = await begun(first.token);
  await address('i');
  await expect(address('j')).rejects.toMatchObject({ code: 'too_many' });
  await run.end('done', { id: 'd1' });
  clock.now += 10 * MINUTE;
  await address('j');
});

test('no other sign-in hears of a hand-over, though it knows its name', async () => {
  const { address, upload } = open();
  const { id } = await address('a');
  expect(await upload({ uploadTicket: id })).toMatchObject({ kind: 'waiting', id });
  const asked = upload({ uploadTicket: id }, { ...HOLDER, grant: 'yours' });
  await expect(asked).rejects.toMatchObject({ code: 'not_found' });
});

test('a call that was told how it went is for another file the next time', async () => {
  const { address, begun, upload } = open();
  const { token, id } = await address('a');
  await (await begun(token)).end('done', { id: 'd1' });
  expect(await upload({ name: 'a' })).toMatchObject({ kind: 'done', id, result: { id: 'd1' } });
  expect(await upload({ name: 'a' })).toMatchObject({ kind: 'waiting' });
  expect(await upload({ uploadTicket: id })).toMatchObject({ kind: 'done', id });
});

type End = (run: UploadAttempt) => Promise<void>;
const LOST_MS = 30_001;
test.each<[string, number, End, string]>([
  ['is under way', 0, async () => undefined, 'sending'],
  ['is done', 0, (run) => run.end('done', { id: 'd1' }), 'done'],
  ['is unknown', 0, (run) => run.end('unknown'), 'unknown'],
  ['was all there when its replica was lost', LOST_MS, (run) => run.markRegistering(), 'unknown'],
])('where one %s no other file is taken at its address', async (_, laterMs, end, phase) => {
  const { address, begun, handOvers, clock } = open();
  const { token } = await address('a');
  const run = await begun(token);
  await end(run);
  clock.now += laterMs;
  expect(await handOvers.begin(token, SIZE)).toMatchObject({ phase });
  await run.end('unknown');
});

test('where one failed, or was lost before its end, another is taken; the lost one changes nothing any more', async () => {
  const { address, begun, handOvers, clock } = open();
  const { token } = await address('a');
  await (await begun(token)).end('failed', { code: 'cut_off', message: 'Cut.' });
  const lost = await begun(token);
  clock.now += LOST_MS;
  const next = await begun(token);
  await expect(lost.markRegistering()).rejects.toMatchObject({ code: 'interrupted' });
  await lost.end('failed', { code: 'interrupted', message: 'Late.' });
  expect((await handOvers.find(token))?.attempt).toMatchObject({ phase: 'sending', outcome: undefined });
  await next.end('done', { id: 'd2' });
  expect((await handOvers.find(token))?.attempt).toMatchObject({ phase: 'done', outcome: { id: 'd2' } });
});

/**
 * Every operation, through the client, against every way in which the service may answer what its document leaves open; and
 * how many requests it needs, of a service that was learned and of one that was not.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROFILE_NAMES, resolveProfile, type SandboxProfile, SWITCHES } from '../../sandbox/index.ts';
import {
  ApiError,
  type Client,
  createUndiciTransport,
  operations,
  type Transport,
  ValidationError,
} from '../../src/index.ts';
import { type Clocked, withClientOf, withClockedClient } from '../support/clocked-client.ts';
import { callEach } from '../support/every-operation.ts';
import { learnByHand } from '../support/learned-by-hand.ts';
import { PAGING_PRESET_NAMES } from '../support/paging-presets.ts';
import { createRandom } from '../support/random.ts';
import { withoutSocket } from '../support/without-socket.ts';

const SEED = Number(process.env['MATRIX_SEED'] ?? 20_261_121);
const draw = (seed: number, length: number) => {
  const random = createRandom(seed);
  return Array.from({ length }, () => `random:${Math.floor(random() * 1_000_000)}`);
};
/** Drawn services with every way to answer a write and every form of an error, in turn. */
const drawn = draw(SEED, Math.max(SWITCHES.writeResponse.settings.length, SWITCHES.errors.settings.length)).map(
  (base, at) => {
    const turn = <Name extends 'writeResponse' | 'errors'>(name: Name) =>
      `${name}=${SWITCHES[name].settings[at % SWITCHES[name].settings.length]}`;
    return `${base}+${turn('writeResponse')}+${turn('errors')}`;
  },
);
console.log(`profiles of this run (MATRIX_SEED=${SEED}): ${drawn.join(' ')}`);

// Three entries a page, so that every list has to go on.
const pagings = PAGING_PRESET_NAMES.map((name) => `modern+paging=${name}+pageSize=3+envelope=resource`);
/** What is learned of these, and then used: `docs/client.md` says of them what that saves. */
const learned = [...PROFILE_NAMES, ...draw(20_261_121, 5)];

/** These over sockets, as callers have it; all others are handed over in this process. */
const OVER_SOCKETS: readonly unknown[] = ['modern', drawn[0], learned.at(-1)];
let undici: ReturnType<typeof createUndiciTransport>;
beforeAll(() => {
  undici = createUndiciTransport();
});
afterAll(() => undici.close());
const transportFor = (name: unknown): Transport => (OVER_SOCKETS.includes(name) ? undici : withoutSocket);

const NAMES = operations.map(({ name }) => name);
const LISTS = operations.flatMap(({ name, operation }) => (operation.responseKind === 'list' ? [name] : []));

test.each(drawn)('every operation works with %s', (profile) =>
  withClockedClient({ profile, transport: transportFor(profile) }, async (clocked) => {
    await countEach(clocked);
    await refuseEverything(clocked.client, resolveProfile(profile).errors);
  }),
);

/** Requests an operation, of each service: without a profile, and with it. */
type Figures = (readonly [number, number])[];
const figures: Record<'all' | 'lists', Figures> = { all: [], lists: [] };

test.each(learned)('every operation works with %s, and once that is learned by one request', (name) =>
  withClockedClient({ profile: name, transport: transportFor(name) }, async (clocked) => {
    await countLearned(clocked, name);
    clocked.sandbox.reset();
    await refuseEverything(clocked.client, resolveProfile(name).errors);
  }),
);

test.each(pagings)('every list comes whole with %s, and once that is learned by one request', (name) =>
  withClockedClient({ profile: name, transport: transportFor(name) }, (clocked) =>
    countLearned(clocked, name, 'lists'),
  ),
);

test('what is learned saves the requests that the guide says', () => {
  const mean = (all: Figures, at: 0 | 1) => (all.reduce((sum, figure) => sum + figure[at], 0) / all.length).toFixed(2);
  const guide = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
  const { all, lists } = figures;
  const ofAll = `Over the ${NAMES.length} operations of ${all.length} emulated services, a profile reduces the requests per operation from ${mean(all, 0)} to ${mean(all, 1)}`;
  const ofLists = `over the ${LISTS.length} lists of ${lists.length} kinds of pagination with three entries per page, from ${mean(lists, 0)} to ${mean(lists, 1)}`;
  expect(guide).toContain(`${ofAll}; ${ofLists}.`);
  expect([all.length, lists.length]).toEqual([learned.length, pagings.length]);
});

/** Each operation without a profile, and then with what was learned: by one request each. */
async function countLearned(clocked: Clocked, name: string, only?: 'lists'): Promise<void> {
  const { sandbox, transport } = clocked;
  const without = await countEach(clocked, only);
  sandbox.reset();
  const profile = await learnByHand(sandbox, name);
  const counted = await withClientOf(sandbox, { profile, transport }, async (again) => {
    const requests = await countEach(again, only);
    expect(again.contradictions).toEqual([]);
    return requests;
  });
  expect(needed(counted), `without: ${JSON.stringify(needed(without))}`).toEqual({});
  figures[only ?? 'all'].push([average(without), average(counted)]);
}

/** Calls each operation; gives how many requests it took. */
async function countEach(clocked: Clocked, only?: 'lists'): Promise<Record<string, number>> {
  const { client, sandbox, sent, transport } = clocked;
  const requests: Record<string, number> = {};
  const results = await callEach(client, {
    sandbox,
    transport,
    ...(only ? { only } : {}),
    async step(operation, run) {
      const before = sent();
      const result = await run();
      requests[operation] = sent() - before;
      return result;
    },
  });
  expect(Object.keys(results).sort()).toEqual((only ? LISTS : NAMES).toSorted());
  const odd = Object.entries(results).filter(([, result]) => typeof result !== 'object' || result === null);
  expect(odd).toEqual([]);
  return requests;
}

function needed(requests: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(requests).filter(([, count]) => count > 1));
}

function average(requests: Record<string, number>): number {
  const counts = Object.values(requests);
  return counts.reduce((sum, count) => sum + count, 0) / counts.length;
}

/** What the client makes of refusals, in whatever form this service has for them. */
async function refuseEverything(client: Client, form: SandboxProfile['errors']): Promise<void> {
  const refused = (call: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(call).then(
      () => undefined,
      (reason: unknown) => reason,
    );
  const unfit = await refused(client.contacts.create({ email: 'no address' }));
  if (!(unfit instanceof ValidationError)) throw unfit;
  expect(unfit.message).toMatch(/The service said/);
  const isByField = !['text', 'html', 'texts'].includes(form);
  expect(unfit.details[0]).toMatchObject(
    isByField ? { field: 'email' } : { message: expect.stringContaining('email') },
  );
  const isCoded = ['json', 'flat', 'list', 'problem', 'fastapi', 'json-api', 'zod', 'graphql'].includes(form);
  expect(unfit.code?.split(':').at(-1)).toBe(isCoded ? 'validation_failed' : undefined);
  const missing = await refused(client.templates.get({ id: 'nothing-here' }));
  if (!(missing instanceof ApiError)) throw missing;
  expect(missing.details).toHaveLength(1);
  expect(missing.headers).toHaveProperty('date');
}

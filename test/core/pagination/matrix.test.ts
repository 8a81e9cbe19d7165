/** Calls every operation in every variant that the document leaves open; counts requests with and without a profile. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROFILE_NAMES, resolveProfile, type SandboxProfile, SWITCHES } from '../../../sandbox/index.ts';
import {
  ApiError,
  type Client,
  createUndiciTransport,
  operations,
  type Transport,
  ValidationError,
} from '../../../src/index.ts';
import { type Clocked, withClientOf, withClockedClient } from '../../support/clocked-client.ts';
import { callEach } from '../../support/every-operation.ts';
import { failureOf } from '../../support/failure-of.ts';
import { learnHarbor } from '../../support/harbor.ts';
import { learnAll } from '../../support/learn-from.ts';
import { PAGING_PRESET_NAMES } from '../../support/paging-presets.ts';
import { createRandom } from '../../support/random.ts';
import { withoutSocket } from '../../support/without-socket.ts';

const SEED = Number(process.env['MATRIX_SEED'] ?? 20_261_121);
const draw = (seed: number, length: number) => {
  const random = createRandom(seed);
  return Array.from({ length }, () => `random:${Math.floor(random() * 1_000_000)}`);
};
/** Random profiles that cover every form of write response and every form of error. */
const drawn = draw(SEED, Math.max(SWITCHES.writeResponse.settings.length, SWITCHES.errors.settings.length)).map(
  (base, at) => {
    const turn = <Name extends 'writeResponse' | 'errors'>(name: Name) =>
      `${name}=${SWITCHES[name].settings[at % SWITCHES[name].settings.length]}`;
    return `${base}+${turn('writeResponse')}+${turn('errors')}`;
  },
);
console.log(`profiles of this run (MATRIX_SEED=${SEED}): ${drawn.join(' ')}`);

// Three items per page, so that every list has several pages.
const pagings = PAGING_PRESET_NAMES.map((name) => `modern+paging=${name}+pageSize=3+envelope=resource`);
/** Services whose profiles are written and then used: `docs/client.md` says how many requests that saves. */
const learned = [...PROFILE_NAMES, ...draw(20_261_121, 5)];

/** These use sockets, as callers do; all others stay in this process. */
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

/** Average requests per operation of each service, without and with a profile. */
type Figures = (readonly [number, number])[];
const figures: Record<'all' | 'lists', Figures> = { all: [], lists: [] };

test.each(learned)('every operation works with %s, and with its profile takes one request', (name) =>
  withClockedClient({ profile: name, transport: transportFor(name) }, async (clocked) => {
    await countLearned(clocked);
    clocked.sandbox.reset();
    await refuseEverything(clocked.client, resolveProfile(name).errors);
  }),
);

test.each(pagings)('every list is complete with %s, and with its profile takes one request', (name) =>
  withClockedClient({ profile: name, transport: transportFor(name) }, (clocked) => countLearned(clocked, 'lists')),
);

test('a profile saves as many requests as the guide says', () => {
  const mean = (all: Figures, at: 0 | 1) => (all.reduce((sum, figure) => sum + figure[at], 0) / all.length).toFixed(2);
  const guide = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8');
  const { all, lists } = figures;
  const ofAll = `Over the ${NAMES.length} operations of ${all.length} emulated services, a profile reduces the requests per operation from ${mean(all, 0)} to ${mean(all, 1)}`;
  const ofLists = `over the ${LISTS.length} lists of ${lists.length} kinds of pagination with three entries per page, from ${mean(lists, 0)} to ${mean(lists, 1)}`;
  expect(guide).toContain(`${ofAll}; ${ofLists}.`);
  expect([all.length, lists.length]).toEqual([learned.length, pagings.length]);
});

/** Calls each operation without a profile, then with one: the second time takes one request each. */
async function countLearned(clocked: Clocked, only?: 'lists'): Promise<void> {
  const { sandbox, transport } = clocked;
  const without = await countEach(clocked, only);
  sandbox.reset();
  const profile = await learnAll(sandbox);
  const counted = await withClientOf(sandbox, { profile, transport }, async (again) => {
    const requests = await countEach(again, only);
    expect(again.contradictions).toEqual([]);
    return requests;
  });
  expect(needed(counted), `without: ${JSON.stringify(needed(without))}`).toEqual({});
  figures[only ?? 'all'].push([average(without), average(counted)]);
}

/** Calls each operation and returns the number of requests each took. */
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
  expect(Object.entries(results).filter(([, result]) => typeof result !== 'object' || result === null)).toEqual([]);
  return requests;
}

function needed(requests: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(requests).filter(([, count]) => count > 1));
}

function average(requests: Record<string, number>): number {
  const counts = Object.values(requests);
  return counts.reduce((sum, count) => sum + count, 0) / counts.length;
}

/** Checks the errors of the client for rejections, in the error form of this service. */
async function refuseEverything(client: Client, form: SandboxProfile['errors']): Promise<void> {
  const unfit = await failureOf(client.contacts.create({ email: 'no address' }));
  if (!(unfit instanceof ValidationError)) throw unfit;
  expect(unfit.message).toMatch(/The service said/);
  expect(unfit.details[0]).toMatchObject(
    !['text', 'html', 'texts'].includes(form) ? { field: 'email' } : { message: expect.stringContaining('email') },
  );
  const isCoded = ['json', 'flat', 'list', 'problem', 'fastapi', 'json-api', 'zod', 'graphql'].includes(form);
  expect(unfit.code?.split(':').at(-1)).toBe(isCoded ? 'validation_failed' : undefined);
  const missing = await failureOf(client.templates.get({ id: 'nothing-here' }));
  if (!(missing instanceof ApiError)) throw missing;
  expect(missing.details).toHaveLength(1);
  expect(missing.headers).toHaveProperty('date');
}

test('every operation works with a sandbox that emulates a service with its own names', async () => {
  await withClockedClient({ profile: await learnHarbor() }, async ({ client, sandbox }) => {
    const results = await callEach(client, { sandbox });
    expect(Object.keys(results).sort()).toEqual(operations.map(({ name }) => name).sort());
    const unfit = await client.contacts.create({ email: 'no address' }).catch((reason: unknown) => reason);
    expect(unfit).toBeInstanceOf(ValidationError);
    expect(String(unfit)).toContain('email');
    const missing = await client.templates.get({ id: 'nothing-here' }).catch((reason: unknown) => reason);
    expect(missing).toBeInstanceOf(ApiError);
    expect(String(missing)).toContain('nothing-here');
  });
});

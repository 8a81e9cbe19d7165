/** A profile that does not match the service: the response counts, and every list is complete. */
import { expect, test } from 'vitest';
import { createSandbox, PROFILE_NAMES } from '../../../sandbox/index.ts';
import { createClient, IncompleteListError, type ListProfile, type ServiceProfile } from '../../../src/index.ts';
import { closeAfterTest } from '../../support/cleanup.ts';
import { NOTHING_LEARNED } from '../../support/create-profile.ts';
import { callEach } from '../../support/every-operation.ts';
import { FULL_PAGES } from '../../support/full-pages.ts';
import { learnAll } from '../../support/learn-from.ts';
import { BROKEN_ODDITIES, ENTRIES, type Oddity, SOUND_ODDITIES } from '../../support/paging-oddities.ts';
import { PAGING_PRESET_NAMES } from '../../support/paging-presets.ts';
import { createRandom } from '../../support/random.ts';
import { createReplyingClient } from '../../support/replying-client.ts';
import { withoutWaiting } from '../../support/without-socket.ts';

const SEED = 20_261_121;

function pick<Value>(random: () => number, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

/** A list profile that a learner could have written for any service. */
function drawList(random: () => number): ListProfile {
  const by = pick(random, ['cursor', 'url', 'page', 'offset', 'after-id', 'none'] as const);
  const path = () =>
    pick(random, [['next_cursor'], ['meta', 'next'], ['next'], ['links', 'next'], ['cursor'], ['page'], []]);
  const params = pick(random, [
    ['cursor'],
    ['after'],
    ['page'],
    ['offset'],
    ['page_token', 'cursor'],
    ['starting_after'],
  ]);
  return {
    at: pick(random, [[], ['data'], ['items'], ['data', 'items'], ['errors'], ['links']]),
    ...(random() < 0.8
      ? {
          next: {
            by,
            params,
            ...(random() < 0.7 ? { at: path() } : {}),
            ...(random() < 0.5 ? { first: pick(random, [0, 1]) } : {}),
          },
        }
      : {}),
    ...(random() < 0.3 ? { more: { at: pick(random, [['has_more'], ['meta', 'more']]), means: true } } : {}),
    ...(random() < 0.3 ? { total: pick(random, [['total'], ['count'], ['meta', 'total']]) } : {}),
    size: {
      default: pick(random, [3, 10, 25]),
      max: pick(random, [10, 50, 100]),
      param: pick(random, ['limit', 'per_page', 'size']),
    },
    query: {},
  };
}

function profileOf(service: string, list: ListProfile): ServiceProfile {
  const answer = { status: 200, media: 'application/json', headers: {}, seen: 1 };
  return { ...NOTHING_LEARNED, service, operations: { 'documents.list': { response: answer, list } } };
}

/** Reads the list of an unusual service with a profile that describes `list`. */
async function read(oddity: Oddity, list: ListProfile) {
  const { client, requests } = createReplyingClient(
    ({ url }, index) => {
      const { pathname: path, searchParams: query } = new URL(url);
      return oddity.answer({ query, path, index });
    },
    { profile: profileOf('https://docshare.test/api/v1', list) },
  );
  const collected = client.documents.list({ ...oddity.input }).collect();
  const items: unknown = await collected.catch((error: unknown) => error);
  return { items, context: () => [JSON.stringify(list), ...requests.slice(0, 30).map(({ url }) => url)].join('\n') };
}

test.each(Object.entries({ ...SOUND_ODDITIES, ...FULL_PAGES }))(
  '%s: with any profile, every item is returned once',
  async (name, oddity) => {
    const random = createRandom(SEED);
    const entries = oddity.entries ?? ENTRIES;
    const whole = JSON.stringify(entries);
    const others: string[] = [];
    for (let turn = 0; turn < (name.includes('200 empty pages') ? 2 : 6); turn += 1) {
      const list = drawList(random);
      // The only fact that a service without page information cannot contradict: it counts its pages from 0.
      if (name === 'without pagination fields, by number from 0' && list.next?.first === 1) continue;
      // Likewise if its profile counts offsets from 1.
      if (Object.hasOwn(FULL_PAGES, name) && list.next?.by === 'offset' && list.next.first === 1) continue;
      const { items, context } = await read(oddity, list);
      // Items that are created during the iteration may be included.
      if (name.includes('new first entry')) expect(items, context()).toEqual(expect.arrayContaining([...entries]));
      else if (items instanceof Error || JSON.stringify(items) !== whole)
        others.push(`${items instanceof Error ? items.message : JSON.stringify(items)}\n${context()}`);
    }
    expect(others).toEqual([]);
  },
);

test.each(Object.entries(BROKEN_ODDITIES))('%s: with any profile, a list ends with an error', async (name, oddity) => {
  const random = createRandom(SEED);
  for (let turn = 0; turn < (name.endsWith('forever') ? 1 : 6); turn += 1) {
    const { items, context } = await read(oddity, drawList(random));
    expect(items, context()).toBeInstanceOf(IncompleteListError);
  }
});

const random = createRandom(SEED);
const drawn = (): string => `random:${Math.floor(random() * 1_000_000)}`;
const names = [...PROFILE_NAMES, ...PAGING_PRESET_NAMES.map((name) => `modern+paging=${name}+pageSize=3`)];
const pairs = Array.from({ length: 6 }, () => [pick(random, [...names, drawn()]), pick(random, [...names, drawn()])]);

test.each(pairs)('with the profile of %s, every operation works with %s', async (before, now) => {
  const past = await closeAfterTest(createSandbox({ profile: before, clock: 'manual' }));
  const sandbox = await closeAfterTest(createSandbox({ profile: now, clock: 'manual' }));
  const profile = { ...(await learnAll(past)), service: sandbox.url };
  const client = createClient({
    apiKey: sandbox.key(),
    baseUrl: sandbox.url,
    profile,
    transport: withoutWaiting(sandbox, 1000),
  });
  // Its own expectations: every list is complete, despite the profile of another service.
  await callEach(client, { sandbox });
});

import { expect, test } from 'vitest';
import {
  createRandomProfile,
  createSandbox,
  DEFAULT_PROFILE,
  formatProfile,
  PROFILE_NAMES,
  resolveProfile,
  SWITCHES,
} from '../../sandbox/index.ts';
import { sendJson } from '../support/ask-service.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { texts } from './texts.ts';

const SEEDS = Array.from({ length: 25 }, (_, index) => index + 1);

test.each(PROFILE_NAMES)('the preset %s can be written in one line and parsed again', (name) => {
  const profile = resolveProfile(name);
  expect(resolveProfile(formatProfile(profile))).toEqual(profile);
  expect(formatProfile(profile)).toBe(`preset:${name}`);
});

test('a generated profile can be restored from its seed and from its line', () => {
  for (const seed of SEEDS) {
    expect(createRandomProfile(seed)).toEqual(resolveProfile(`random:${seed}`));
    expect(resolveProfile(formatProfile(createRandomProfile(seed)))).toEqual(createRandomProfile(seed));
  }
  expect(new Set(SEEDS.map((seed) => formatProfile(createRandomProfile(seed)))).size).toBe(SEEDS.length);
});

test('a line can change single settings of a preset or of a seed', () => {
  expect(resolveProfile('preset:legacy+errors=json')).toEqual({ ...resolveProfile('legacy'), errors: 'json' });
  expect(resolveProfile('random:7+webhookBody=url+events+ids=uuid')).toEqual({
    ...createRandomProfile(7),
    webhookBody: 'url+events',
    ids: 'uuid',
  });
  expect(resolveProfile({ errors: 'html' })).toEqual({ ...DEFAULT_PROFILE, errors: 'html' });
});

test.each([
  ['nosuch', 'No profile "nosuch"'],
  [7, texts.profileMustNameSuch],
  [null, 'a learned profile, not null'],
  [['legacy'], 'a learned profile, not legacy'],
  ['modern+colour=red', 'No switch "colour"'],
  ['modern+errors=loud', 'No setting "loud" of errors'],
])('%s is rejected with the valid values', (line, message) => {
  expect(() => resolveProfile(line as string)).toThrow(message);
});

test('every switch names its section and has distinct settings', () => {
  for (const { section, decides, settings } of Object.values(SWITCHES)) {
    expect(section).toMatch(/^§[2-8]$/);
    expect(decides).not.toBe('');
    expect(new Set(settings).size).toBe(settings.length);
  }
});

async function list(profile: Record<string, string>, query = '') {
  const contacts = ['Ann', 'Bob', 'Cy'].map((name) => ({ name, email: `${name}@x.example` }));
  const sandbox = await closeAfterTest(createSandbox({ profile, fixtures: { contacts } }));
  return (await sendJson(sandbox, { key: sandbox.key(), method: 'GET', path: `/contacts${query}` })).body;
}

const names = async (profile: Record<string, string>, query?: string): Promise<unknown[]> =>
  (await list(profile, query)).data.map(({ name }: { name: string }) => name);

test('a list begins with the newest or the oldest item, and is sorted if the profile supports it', async () => {
  expect(await names({ order: 'oldest' })).toEqual(['Ann', 'Bob', 'Cy']);
  expect(await list({ paging: 'page' }, '?per_page=2')).toMatchObject({ page: 1, total: 3, total_pages: 2 });
  const profile = { listFilters: 'filters+sort' };
  expect(await names(profile, '?sort=created_at&limit=1')).toHaveLength(1);
  expect(await names(profile, '?sort=-size')).toEqual(['Cy', 'Bob', 'Ann']);
});

test('a search text filters a list by name, email address or any field, as the profile sets', async () => {
  for (const query of ['?name=an', '?email=ANN@', '?q=ann', '?search=ann'])
    expect(await names({ listFilters: 'filters' }, query)).toEqual(['Ann']);
  expect(await names({}, '?name=an')).toEqual(['Cy', 'Bob', 'Ann']);
});

test.each([
  ['text', 200, /^OK$/],
  ['queued', 202, /^queued$/],
  ['empty', 200, /^$/],
  ['cut', 201, /^\{"id":"room_.*[^}]$/],
  ['scalar', 200, /^"done"$/],
  ['list', 200, /^\[\]$/],
] as const)('writeResponse=%s sets the response of a new, stored room', async (writeResponse, status, text) => {
  const sandbox = await closeAfterTest(createSandbox({ profile: { writeResponse }, data: 'empty' }));
  const headers = { authorization: `Bearer ${sandbox.key()}`, 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox.url}/rooms`, { method: 'POST', headers, body: '{"name":"R"}' });
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(text)]);
  expect(sandbox.snapshot().state.rooms.size).toBe(1);
});

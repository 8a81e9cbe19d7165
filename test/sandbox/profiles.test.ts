/** Profiles: written in one line, generated from a seed, and always within the promises of the document. */
import { expect, test } from 'vitest';
import {
  createRandomProfile,
  DEFAULT_PROFILE,
  formatProfile,
  PROFILE_NAMES,
  resolveProfile,
  SWITCHES,
} from '../../sandbox/index.ts';
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

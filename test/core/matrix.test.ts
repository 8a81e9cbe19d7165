/** Every operation, through the client, against every way in which the service may answer what its document leaves open. */
import { expect, test } from 'vitest';
import { PAGING_STYLE_NAMES } from '../../sandbox/http/paging-styles.ts';
import { chooseProfile, PROFILE_NAMES, type Profile, SWITCHES } from '../../sandbox/index.ts';
import { ApiError, type Client, operations, ValidationError } from '../../src/index.ts';
import { callEverything } from '../world/call-everything.ts';
import { withClockedClient } from '../world/clocked-client.ts';
import { createRandom } from '../world/random.ts';

const SEED = Number(process.env['MATRIX_SEED'] ?? 20_261_121);
const random = createRandom(SEED);
const drawn = Array.from({ length: 20 }, () => `random:${Math.floor(random() * 1_000_000)}`);
/** Presets and drawn services with every way to answer a write and every form of an error, in turn. */
const said = Array.from({
  length: Math.max(SWITCHES.written.settings.length, SWITCHES.errors.settings.length),
}).map((_, at) => {
  const turn = <Name extends 'written' | 'errors'>(name: Name) =>
    `${name}=${SWITCHES[name].settings[at % SWITCHES[name].settings.length]}`;
  const base = at % 2 === 0 ? drawn[at] : PROFILE_NAMES[at % PROFILE_NAMES.length];
  return `${base}+${turn('written')}+${turn('errors')}`;
});
console.log(`profiles of this run (MATRIX_SEED=${SEED}): ${drawn.join(' ')}`);

// Three entries a page, so that every list has to go on.
const pagings = PAGING_STYLE_NAMES.map((name) => `modern+paging=${name}+pageSize=3+envelope=resource`);

test.each([...PROFILE_NAMES, ...pagings, ...drawn, ...said])('every operation works with %s', (profile) =>
  withClockedClient({ profile }, async (client, sandbox) => {
    const results = await callEverything(client, sandbox);
    await refuseEverything(client, chooseProfile(profile).errors);
    expect(Object.keys(results).sort()).toEqual(operations.map(({ name }) => name).sort());
    expect(Object.values(results).every((result) => typeof result === 'object' && result !== null)).toBe(
      true,
    );
  }),
);

/** What the client makes of refusals, in whatever form this service has for them. */
async function refuseEverything(client: Client, form: Profile['errors']): Promise<void> {
  const refused = (call: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(call).then(
      () => undefined,
      (reason: unknown) => reason,
    );
  const unfit = await refused(client.contacts.create({ email: 'no address' }));
  if (!(unfit instanceof ValidationError)) throw unfit;
  expect(unfit.message).toMatch(/ It said: ".*email/);
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

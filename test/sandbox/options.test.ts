/** Options of a new sandbox: invalid ones are rejected with a sentence, before anything is created. */
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { texts } from './texts.ts';

test.each<[unknown, string]>([
  [null, `${texts.createsandboxNeedsOptionsObject}, not null`],
  [
    { prot: 1 },
    'createSandbox has no field "prot". Known fields: port, seed, profile, data, fixtures, dataFolder, clock, at, cors',
  ],
  [{ port: -1 }, texts.portMustNumber0],
  [{ port: '4010' }, texts.portMustNumber0655354010],
  [{ seed: 1.5 }, texts.seedMustWholeNumber],
  [{ data: '/tmp/x' }, texts.dataMustCompanyEmpty],
  [{ clock: 'fast' }, texts.clockMustRealManual],
  [{ cors: null }, texts.corsMustListOrigins],
])('%j is rejected', async (options, words) => {
  await expect(createSandbox(options as object)).rejects.toThrow(new RangeError(words));
});

test('a port in use is reported in a sentence and with its error code', async () => {
  const first = await createSandbox({ data: 'empty' });
  const port = Number(new URL(first.origin).port);
  const second = await createSandbox({ data: 'empty', port }).catch((error: unknown) => error);
  await first.close();
  expect(second).toMatchObject({
    message: `Port ${port} is in use. Choose another, or 0 for any free port`,
    code: 'EADDRINUSE',
  });
  await expect(createSandbox({ data: '/tmp/x' } as never)).rejects.toThrow(texts.useDatafolderFolderStores);
  await expect(createSandbox({ profile: null } as never)).rejects.toThrow(texts.aProfileMustBeA);
});

const NINE = Date.UTC(2026, 0, 1, 9);
const start = (at: unknown) => createSandbox({ at: at as string, data: 'empty' });

test.each<[unknown, number]>([
  ['2026-01-01T09:00Z', NINE],
  [' 2026-01-01t09:00:00z ', NINE],
  ['2026-01-01T11:00+02:00', NINE],
  ['2026-01-01', NINE - 9 * 3_600_000],
  [new Date(NINE), NINE],
  ['9999-01-01', Date.UTC(9999, 0, 1)],
])('%s is a valid time, in any time zone of the machine', async (given, at) => {
  const { TZ } = process.env;
  try {
    process.env['TZ'] = 'America/Lima';
    const sandbox = await start(given);
    expect(sandbox.clock.now()).toBe(at);
    await sandbox.close();
  } finally {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  }
});

test.each([
  ...['2026-02-30', '2026-02-29', '2026-13-01', '2026-01-01T24:00Z', '2026-01-01T09:00:60Z', '2026-001', '2026', '-1'],
  ...['now', '', '9999-01-02', '1969-12-31', 1e30, -1, Number.NaN, new Date('x'), null, true, [], {}],
])('%s is not a valid time', async (given) => {
  await expect(start(given)).rejects.toThrow(/^The clock can't start at ".*": use a date such as/);
});

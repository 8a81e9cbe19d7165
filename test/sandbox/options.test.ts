/** Options of a new sandbox: invalid ones are rejected with a sentence, before anything is created. */
import { expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { texts } from './texts.ts';

test.each<[unknown, string]>([
  [null, `${texts.createsandboxNeedsOptionsObject}, not null`],
  ['modern', `${texts.createsandboxNeedsOptionsObject}, not "modern"`],
  [[], `${texts.createsandboxNeedsOptionsObject}, not []`],
  [
    { prot: 1 },
    'createSandbox has no field "prot". Known fields: port, seed, profile, data, fixtures, dataFolder, clock, at, cors',
  ],
  [{ port: -1 }, texts.portMustNumber0],
  [{ port: 65_536 }, texts.portMustNumber065535],
  [{ port: '4010' }, texts.portMustNumber0655354010],
  [{ seed: 1.5 }, texts.seedMustWholeNumber],
  [{ data: '/tmp/x' }, texts.dataMustCompanyEmpty],
  [{ clock: 'fast' }, texts.clockMustRealManual],
  [{ cors: null }, texts.corsMustListOrigins],
  [{ cors: ['*', 7] }, texts.corsMustListOrigins7],
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

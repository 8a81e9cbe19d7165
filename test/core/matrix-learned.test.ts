/** Every operation, through the client, against the sandbox that plays services of another making. */
import { expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { ApiError, operations, ValidationError } from '../../src/index.ts';
import { withClockedClient } from '../support/clocked-client.ts';
import { callEach } from '../support/every-operation.ts';
import { HARBOR_KEY, startHarbor } from '../support/other-service/harbor.ts';
import { KESTREL_KEY, startKestrel } from '../support/other-service/kestrel.ts';

test.each([
  ['harbor', startHarbor, HARBOR_KEY],
  ['kestrel', startKestrel, KESTREL_KEY],
] as const)('every operation works with the sandbox that plays %s', async (_, start, key) => {
  const service = await start();
  const { profile } = await learn({ apiKey: key, baseUrl: service.url, budget: 120, write: { apiKey: key } }).finally(
    () => service.close(),
  );
  await withClockedClient({ profile }, async ({ client, sandbox }) => {
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

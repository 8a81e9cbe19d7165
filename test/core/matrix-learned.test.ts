/** Every operation, through the client, against the sandbox that plays a service of another making. */
import { expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { ApiError, operations, ValidationError } from '../../src/index.ts';
import { withClockedClient } from '../support/clocked-client.ts';
import { callEach } from '../support/every-operation.ts';
import { HARBOR_KEY, startHarbor } from '../support/other-service/harbor.ts';

test('every operation works with the sandbox that plays a service with names of its own', async () => {
  const service = await startHarbor();
  const write = { apiKey: HARBOR_KEY };
  const { profile } = await learn({ apiKey: HARBOR_KEY, baseUrl: service.url, budget: 120, write }).finally(() =>
    service.close(),
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

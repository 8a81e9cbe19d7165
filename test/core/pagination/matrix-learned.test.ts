/** Calls every operation, through the client, against a sandbox that emulates a service with different names. */
import { expect, test } from 'vitest';
import { ApiError, operations, ValidationError } from '../../../src/index.ts';
import { withClockedClient } from '../../support/clocked-client.ts';
import { callEach } from '../../support/every-operation.ts';
import { learnHarbor } from '../../support/harbor.ts';

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

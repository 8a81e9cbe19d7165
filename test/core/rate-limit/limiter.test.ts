/** The limit of §8 in virtual time, against services that count in different ways. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCountingService, mostInAnyMinute, startMany } from '../../support/counting-service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each(['sliding', 'fixed', 'bucket'] as const)(
  '480 calls at a %s service start within 180 to 186 s, at most 120 in any 60 s, and none is rejected',
  async (counting) => {
    const service = createCountingService({ counting, seed: 1 });
    const { starts, failures } = await startMany(480, service);
    expect(failures).toEqual([]);
    expect(starts).toHaveLength(480);
    expect(service.refused()).toBe(0);
    expect(mostInAnyMinute(starts)).toBeLessThanOrEqual(120);
    const lastedMs = Math.max(...starts) - Math.min(...starts);
    expect(lastedMs).toBeGreaterThanOrEqual(180_000);
    expect(lastedMs).toBeLessThanOrEqual(186_000);
  },
);

test.each([5, 15, 25])(
  '600 calls at a service that allows only bursts of %i are rejected fewer than 20 times, and all succeed',
  async (burst) => {
    const service = createCountingService({ counting: 'bucket', burst, seed: burst });
    const { starts, failures } = await startMany(600, service);
    expect(failures).toEqual([]);
    expect(service.refused()).toBeLessThan(20);
    expect(mostInAnyMinute(starts)).toBeLessThanOrEqual(120);
  },
);

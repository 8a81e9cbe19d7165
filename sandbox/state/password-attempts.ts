import type { Service } from './service.ts';

/** Wrong passwords per link and IP address before a wait, by the sandbox's clock. */
const MAX_ATTEMPTS = 5;
const LOCKOUT_MS = 10 * 60 * 1000;

/** Returns the wait before the next password attempt, or 0. */
export function getLockoutMs(service: Service, linkId: string, ipAddress: string): number {
  const now = service.clock.now();
  const times = (service.state.passwordAttempts.get(`${linkId} ${ipAddress}`) ?? []).filter(
    (at) => at > now - LOCKOUT_MS,
  );
  return times.length < MAX_ATTEMPTS ? 0 : (times.at(-MAX_ATTEMPTS) ?? now) + LOCKOUT_MS - now;
}

export function recordFailedAttempt(service: Service, linkId: string, ipAddress: string): void {
  const key = `${linkId} ${ipAddress}`;
  const times = [...(service.state.passwordAttempts.get(key) ?? []), service.clock.now()];
  service.state.passwordAttempts.set(key, times.slice(-MAX_ATTEMPTS));
}

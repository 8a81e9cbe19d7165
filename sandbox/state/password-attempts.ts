import type { Service } from './service.ts';

/** So many wrong passwords for one link from one address, then a wait; by the sandbox's clock. */
const MAX_ATTEMPTS = 5;
const LOCKOUT_MS = 10 * 60 * 1000;

/** How long a caller has to wait before the next password is looked at; 0 when it is looked at now. */
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

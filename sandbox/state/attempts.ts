import type { Service } from '../service.ts';

/** So many wrong passwords for one link from one address, then a wait; by the sandbox's clock. */
const MAX_ATTEMPTS = 5;
const LOCKOUT_MS = 10 * 60 * 1000;

/** How long a caller has to wait before the next password is looked at; 0 when it is looked at now. */
export function waitForGuess(service: Service, linkId: string, address: string): number {
  const now = service.clock.now();
  const times = (service.state.guesses.get(`${linkId} ${address}`) ?? []).filter(
    (at) => at > now - LOCKOUT_MS,
  );
  return times.length < MAX_ATTEMPTS ? 0 : (times.at(-MAX_ATTEMPTS) ?? now) + LOCKOUT_MS - now;
}

export function countWrongGuess(service: Service, linkId: string, address: string): void {
  const key = `${linkId} ${address}`;
  const times = [...(service.state.guesses.get(key) ?? []), service.clock.now()];
  service.state.guesses.set(key, times.slice(-MAX_ATTEMPTS));
}

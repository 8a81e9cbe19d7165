import { randomBytes } from 'node:crypto';
import { after, steadyNow } from '../timer.ts';
import type { Schedule } from './schedule.ts';
import type { StoreGate } from './store-gate.ts';

/**
 * When starts count. The service counts a call somewhere between its start and its answer, and on a busy machine these
 * lie far apart: a start whose answer takes longer than the window has slack for counts anew from then on, so that
 * nothing that follows comes too close to it.
 */
export interface Starts {
  /** Books the next start in the store; 0, or the milliseconds until it should be asked again. */
  askStore(): Promise<number>;
  /** A call starts now, with what the store booked last. @returns what to call when its answer is there. */
  begin(): () => void;
}

/** Less than the 0.9 s by which the window is longer than the service's (see RATE_LIMIT). */
const MAX_LATENCY_MS = 800;

export function createStarts(options: { schedule: Schedule; gate: StoreGate | undefined }): Starts {
  const { schedule, gate } = options;
  // Short: a store holds 120 of these names for each key.
  const process = randomBytes(9).toString('base64url');
  let count = 0;
  let booked: { readonly name: string; readonly at: number } | undefined;

  return {
    async askStore() {
      count += 1;
      const asked = { name: `${process}-${count.toString(36)}`, at: steadyNow() };
      const waitMs = (await gate?.take(asked.name)) ?? 0;
      booked = waitMs > 0 ? undefined : asked;
      return waitMs;
    },
    begin() {
      const own = booked;
      booked = undefined;
      let at = schedule.book();
      let countedAt = own?.at ?? at;
      const renew = () => {
        at = schedule.renew(at);
        countedAt = at;
        if (own) gate?.renew(own.name);
      };
      let callOff = () => {};
      // Others must know it of a process that ends before its answer comes.
      const renewIn = (ms: number) => {
        callOff = after(ms, () => {
          renew();
          renewIn(2 * ms);
        });
      };
      if (own) renewIn(MAX_LATENCY_MS);
      return () => {
        callOff();
        if (steadyNow() - countedAt > MAX_LATENCY_MS) renew();
      };
    },
  };
}

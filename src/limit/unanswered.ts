import { steadyNow } from '../timer.ts';

/**
 * How many calls may be out without an answer: all of them may be refused. A refusal comes soon, so that one that lasts
 * longer, such as an upload or a call that hangs, no longer counts and keeps nobody from starting.
 */
export interface Unanswered {
  /** Milliseconds until another may start, at the latest. */
  waitMs(): number;
  begin(lasting: boolean): Ticket;
  end(ticket: Ticket): void;
}

export interface Ticket {
  readonly countsUntil: number;
}

/** Longer than refusals take. */
const PATIENCE_MS = 1000;
/** For a call that takes long by its nature: its silence says little. */
const LASTING_PATIENCE_MS = 250;

export function createUnanswered(most: () => number): Unanswered {
  const tickets = new Set<Ticket>();
  return {
    waitMs() {
      if (tickets.size < most()) return 0;
      const now = steadyNow();
      let firstAt = Number.POSITIVE_INFINITY;
      for (const ticket of tickets) {
        if (ticket.countsUntil <= now) tickets.delete(ticket);
        else firstAt = Math.min(firstAt, ticket.countsUntil);
      }
      return tickets.size < most() ? 0 : firstAt - now;
    },
    begin(lasting) {
      const ticket = { countsUntil: steadyNow() + (lasting ? LASTING_PATIENCE_MS : PATIENCE_MS) };
      tickets.add(ticket);
      return ticket;
    },
    end(ticket) {
      tickets.delete(ticket);
    },
  };
}

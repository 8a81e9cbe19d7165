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
  /** Its place among the others; -1 once it no longer counts. */
  index: number;
}

/** Longer than refusals take. */
const IN_FLIGHT_TIMEOUT_MS = 1000;
/** For a call that takes long by its nature: its silence says little. */
const LONG_RUNNING_TIMEOUT_MS = 250;

export function createUnanswered(most: () => number): Unanswered {
  const tickets: Ticket[] = [];

  function takeOut(ticket: Ticket): void {
    const last = tickets.at(-1);
    if (ticket.index < 0 || !last) return;
    // The last one moves into its place.
    last.index = ticket.index;
    tickets[ticket.index] = last;
    tickets.pop();
    ticket.index = -1;
  }

  return {
    waitMs() {
      if (tickets.length < most()) return 0;
      const now = steadyNow();
      let firstAt = Number.POSITIVE_INFINITY;
      for (const ticket of [...tickets]) {
        if (ticket.countsUntil <= now) takeOut(ticket);
        else firstAt = Math.min(firstAt, ticket.countsUntil);
      }
      return tickets.length < most() ? 0 : firstAt - now;
    },
    begin(lasting) {
      const countsUntil = steadyNow() + (lasting ? LONG_RUNNING_TIMEOUT_MS : IN_FLIGHT_TIMEOUT_MS);
      const ticket = { countsUntil, index: tickets.length };
      tickets.push(ticket);
      return ticket;
    },
    end: takeOut,
  };
}

import type { Service } from '../state/service.ts';
import type { HandlerCall } from './handler.ts';
import type { ResourceView } from './view.ts';

const SEATS = 12;
const SEAT_PRICE_CENTS = 2900;

/** Returns the calendar month of `at`, or an earlier one. */
function month(at: number, back = 0): { start: number; end: number } {
  const date = new Date(at);
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1);
  return { start, end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back + 1, 1) };
}

function subscription({ service }: HandlerCall): ResourceView {
  const { start, end } = month(service.clock.now());
  return {
    object: 'subscription',
    plan: 'business',
    status: 'active',
    seats: SEATS,
    seat_price_cents: SEAT_PRICE_CENTS,
    currency: 'USD',
    period_start_at: start,
    period_end_at: end,
  };
}

/** Returns a year of paid months with stable ids. */
function invoices({ service }: HandlerCall): ResourceView[] {
  return Array.from({ length: 12 }, (_, index) => {
    const { start, end } = month(service.clock.now(), index + 1);
    const label = new Date(start).toISOString().slice(0, 7).replace('-', '');
    return {
      object: 'invoice',
      id: service.profile.ids === 'prefixed' ? `inv_${label}` : label,
      number: `DS-${label}`,
      status: 'paid',
      amount_cents: SEATS * SEAT_PRICE_CENTS,
      currency: 'USD',
      period_start_at: start,
      period_end_at: end,
      created_at: end,
    };
  });
}

function usage({ service }: HandlerCall): ResourceView {
  const { state, clock } = service;
  const { start, end } = month(clock.now());
  return {
    object: 'usage',
    documents: state.documents.size,
    storage_bytes: storedBytes(service),
    links: state.links.size,
    rooms: state.rooms.size,
    visits: state.visits.size,
    contacts: state.contacts.size,
    ...state.usage,
    period_start_at: start,
    period_end_at: end,
  };
}

function storedBytes({ state }: Service): number {
  let bytes = 0;
  for (const document of state.documents.values()) for (const version of document.versions) bytes += version.size;
  return bytes;
}

export const billing = { subscription, invoices, usage };

import type { State } from './state.ts';

/** Cancels pending deliveries of a removed webhook. */
export function failPendingDeliveries(state: State, webhookId: string): void {
  for (const delivery of state.deliveries.values()) {
    if (delivery.webhookId !== webhookId || delivery.status !== 'pending') continue;
    delivery.status = 'failed';
    delivery.nextAttemptAt = null;
  }
}

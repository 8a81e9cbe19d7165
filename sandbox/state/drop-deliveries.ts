import type { State } from './state.ts';

/** A registration that is gone gets nothing more. */
export function failPendingDeliveries(state: State, webhookId: string): void {
  for (const delivery of state.deliveries.values()) {
    if (delivery.webhookId !== webhookId || delivery.status !== 'pending') continue;
    delivery.status = 'failed';
    delivery.nextAttemptAt = null;
  }
}

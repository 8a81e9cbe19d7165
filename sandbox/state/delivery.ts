import type { SandboxEventKind } from './event-kinds.ts';

export interface DeliveryAttempt {
  readonly at: number;
  /** Status of the endpoint's response; null without one. */
  readonly status: number | null;
  readonly error: string | null;
  /** Duration by the sandbox's clock (0 if it is manual). */
  readonly ms: number;
}

/** An event for one webhook. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly kind: SandboxEventKind;
  readonly webhookId: string;
  readonly url: string;
  readonly createdAt: number;
  /** The body, the same in each attempt. */
  readonly body: string;
  readonly attempts: DeliveryAttempt[];
  status: 'pending' | 'delivered' | 'failed';
  /** Epoch ms of the next attempt; null if none is scheduled. */
  nextAttemptAt: number | null;
}

/** Cancels pending deliveries of a removed webhook. */
export function failPendingDeliveries(deliveries: Iterable<Delivery>, webhookId: string): void {
  for (const delivery of deliveries) {
    if (delivery.webhookId !== webhookId || delivery.status !== 'pending') continue;
    delivery.status = 'failed';
    delivery.nextAttemptAt = null;
  }
}

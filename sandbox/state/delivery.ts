import type { SandboxEventKind } from './event-kinds.ts';

/** One try to hand an event to an endpoint. */
export interface DeliveryAttempt {
  readonly at: number;
  /** What the endpoint answered; null when it did not. */
  readonly status: number | null;
  readonly error: string | null;
  /** How long it took, by the sandbox's clock: none at all where that stands still. */
  readonly ms: number;
}

/** An event on its way to one registration. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly kind: SandboxEventKind;
  readonly webhookId: string;
  readonly url: string;
  readonly createdAt: number;
  /** The body as it is sent, the same in each attempt. */
  readonly body: string;
  readonly attempts: DeliveryAttempt[];
  status: 'pending' | 'delivered' | 'failed';
  /** Epoch ms of the next try; null when none is planned. */
  nextAttemptAt: number | null;
}

import { getLearnedEventHeaders, renderLearnedEvent } from '../render/learned/learned-event.ts';
import { renderEvent } from '../render/render-event.ts';
import { shapeFields } from '../render/shape-fields.ts';
import { type Delivery, failPendingDeliveries } from '../state/delivery.ts';
import type { SandboxEventKind } from '../state/event-kinds.ts';
import { generateId, type Service } from '../state/service.ts';
import { createId, type State } from '../state/state.ts';
import { postEvent } from './post-event.ts';
import { signDelivery } from './sign-delivery.ts';

/** Waits before retries, in ms (§6 specifies none). */
const RETRY_DELAYS_MS: Record<string, readonly number[]> = {
  backoff: [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000],
  quick: [1_000, 2_000],
  none: [],
};

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;

export function createDeliveryQueue(service: Service) {
  const scheduled = new Map<string, () => void>();
  const firstAttempts = new Set<Promise<void>>();
  const closeController = new AbortController();
  const listeners = new Set<(delivery: Delivery) => void>();

  function emit(kind: SandboxEventKind, data: Record<string, unknown>): void {
    const { state, profile, clock, serviceProfile } = service;
    const event = { id: generateId(service, 'event'), kind, at: clock.now(), data };
    const eventFacts = serviceProfile?.facts.event;
    const body = JSON.stringify(
      eventFacts
        ? renderLearnedEvent(event, eventFacts, profile)
        : shapeFields(renderEvent(event, profile), { profile, object: 'event' }),
    );
    for (const webhook of state.webhooks.values()) {
      if (webhook.status !== 'active' || !isSubscribedTo(webhook.events, kind)) continue;
      const delivery: Delivery = {
        id: createId(state, 'delivery', 'prefixed'),
        eventId: event.id,
        kind,
        webhookId: webhook.id,
        url: webhook.url,
        createdAt: event.at,
        body,
        attempts: [],
        status: 'pending',
        nextAttemptAt: event.at,
      };
      state.deliveries.set(delivery.id, delivery);
      schedule(delivery);
    }
    evictOldest(state);
  }

  /** Replaces an attempt that was scheduled before. */
  function schedule(delivery: Delivery): void {
    scheduled.get(delivery.id)?.();
    if (delivery.nextAttemptAt === null) return;
    const isFirst = delivery.attempts.length === 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    if (isFirst) firstAttempts.add(promise);
    const done = () => {
      // The next attempt may be scheduled by now.
      if (scheduled.get(delivery.id) === cancelAttempt) scheduled.delete(delivery.id);
      firstAttempts.delete(promise);
      resolve();
    };
    // A manual attempt may have succeeded meanwhile, or the webhook been removed.
    const isDue = () => delivery.nextAttemptAt !== null;
    const cancel = service.clock.schedule(delivery.nextAttemptAt, async () => {
      await (isDue() && attempt(delivery).finally(done));
      done();
    });
    const cancelAttempt = () => {
      cancel();
      done();
    };
    scheduled.set(delivery.id, cancelAttempt);
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const { state, profile, clock } = service;
    const webhook = state.webhooks.get(delivery.webhookId);
    if (!webhook) return;
    const at = clock.now();
    const wasDelivered = delivery.status === 'delivered';
    const eventFacts = service.serviceProfile?.facts.event;
    const { eventId, kind, body } = delivery;
    const eventHeaders = eventFacts ? getLearnedEventHeaders({ id: eventId, kind, at }, eventFacts) : {};
    const signature = signDelivery(
      { id: eventId, at, body, secret: webhook.secret },
      { signature: profile.signature, header: eventFacts?.signatureHeader?.toLowerCase() },
    );
    const response = await postEvent({
      url: delivery.url,
      body,
      headers: { ...eventHeaders, ...signature },
      signal: closeController.signal,
    });
    delivery.attempts.push({ at, ...response, ms: clock.now() - at });
    const isAccepted = Math.floor((response.status ?? 0) / 100) === 2;
    // A manual attempt may have succeeded while this one was in progress.
    const delivered = isAccepted || (!wasDelivered && delivery.status === 'delivered');
    if (response.status === 410) {
      webhook.status = 'disabled';
      failPendingDeliveries(state.deliveries.values(), webhook.id);
    }
    const delayMs = RETRY_DELAYS_MS[profile.retries]?.[delivery.attempts.length - 1];
    // A webhook that was removed or disabled meanwhile gets no more events.
    const isSubscribed = state.webhooks.get(webhook.id)?.status === 'active';
    const willRetry = !delivered && isSubscribed && delayMs !== undefined;
    delivery.status = delivered ? 'delivered' : willRetry ? 'pending' : 'failed';
    delivery.nextAttemptAt = willRetry ? clock.now() + delayMs : null;
    for (const listener of listeners) listener(delivery);
    // After a reset or restore, this delivery belongs to the old state.
    if (willRetry && service.state.deliveries.get(delivery.id) === delivery) schedule(delivery);
  }

  return {
    emit,
    /** Resolves when no first attempt is in progress. */
    async settled(): Promise<void> {
      while (firstAttempts.size > 0) await Promise.all(firstAttempts);
    },
    /** Sends a delivery again now, whatever its status. */
    async redeliver(id: string): Promise<Delivery> {
      const delivery = service.state.deliveries.get(id);
      if (!delivery) throw new RangeError(`No delivery with id "${id}"`);
      scheduled.get(id)?.();
      await attempt(delivery);
      return delivery;
    },
    /** Schedules the pending deliveries of the current state, for example after a restore. */
    resume(): void {
      for (const delivery of service.state.deliveries.values()) schedule(delivery);
    },
    /** Calls `listener` after each attempt; returns a function that unsubscribes. */
    subscribe(listener: (delivery: Delivery) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Cancels scheduled attempts; the deliveries stay as they are. */
    pause(): void {
      for (const cancel of [...scheduled.values()]) cancel();
    },
    close(): void {
      this.pause();
      closeController.abort();
    },
  };
}

/** The oldest finished deliveries beyond this number are removed. */
const MAX_DELIVERIES = 5_000;

function evictOldest({ deliveries }: State): void {
  for (const [id, { status }] of deliveries) {
    if (deliveries.size <= MAX_DELIVERIES) return;
    if (status !== 'pending') deliveries.delete(id);
  }
}

function isSubscribedTo(events: readonly string[], kind: string): boolean {
  return events.some(
    (name) => name === '*' || name === kind || (name.endsWith('.*') && kind.startsWith(name.slice(0, -1))),
  );
}

import { shapeFields } from '../http/shape-fields.ts';
import { learnedEventHeaders, shapeLearnedEvent } from '../learned/shape-event.ts';
import { newId, type Service } from '../service.ts';
import { createId, type State } from '../state/state.ts';
import type { Delivery } from './delivery.ts';
import type { EventKind } from './kinds.ts';
import { postEvent } from './post-event.ts';
import { shapeEvent } from './shape.ts';
import { signDelivery } from './sign-delivery.ts';

/** Waits before each further try, in ms; §6 shows none. */
const RETRIES: Record<string, readonly number[]> = {
  backoff: [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000],
  quick: [1_000, 2_000],
  none: [],
};

export interface EventQueue {
  emit(kind: EventKind, data: Record<string, unknown>): void;
  /** Resolves when no first attempt is under way any more. */
  settled(): Promise<void>;
  /** Sends a delivery again now, whatever became of it. */
  redeliver(id: string): Promise<Delivery>;
  /** Plans the pending deliveries of the current state: after a restore they go on where they stood. */
  resume(): void;
  /** Called with each delivery after each attempt; returns the end of it. */
  watch(listener: (delivery: Delivery) => void): () => void;
  /** Forgets what was planned, without touching the deliveries themselves. */
  pause(): void;
  /** Ends what is under way, for good. */
  close(): void;
}

export function createEventQueue(service: Service): EventQueue {
  const planned = new Map<string, () => void>();
  const first = new Set<Promise<void>>();
  const closed = new AbortController();
  const listeners = new Set<(delivery: Delivery) => void>();

  function emit(kind: EventKind, data: Record<string, unknown>): void {
    const { state, profile, clock, learned } = service;
    const event = { id: newId(service, 'event'), kind, at: clock.now(), data };
    const form = learned?.facts.event;
    const body = JSON.stringify(
      form
        ? shapeLearnedEvent(event, form, profile)
        : shapeFields(shapeEvent(event, profile), { profile, object: 'event' }),
    );
    for (const webhook of state.webhooks.values()) {
      if (webhook.status !== 'active' || !wants(webhook.events, kind)) continue;
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
      plan(delivery);
    }
    dropOldest(state);
  }

  /** One try at a time: what was planned before gives way. */
  function plan(delivery: Delivery): void {
    planned.get(delivery.id)?.();
    if (delivery.nextAttemptAt === null) return;
    const isFirst = delivery.attempts.length === 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    if (isFirst) first.add(promise);
    const done = () => {
      // The next try may stand there by now.
      if (planned.get(delivery.id) === callOff) planned.delete(delivery.id);
      first.delete(promise);
      resolve();
    };
    // A try on demand may have arrived meanwhile, and a registration be gone: then none is to follow.
    const isDue = () => delivery.nextAttemptAt !== null;
    const cancel = service.clock.schedule(delivery.nextAttemptAt, async () => {
      await (isDue() && attempt(delivery).finally(done));
      done();
    });
    const callOff = () => {
      cancel();
      done();
    };
    planned.set(delivery.id, callOff);
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const { state, profile, clock } = service;
    const webhook = state.webhooks.get(delivery.webhookId);
    if (!webhook) return;
    const at = clock.now();
    const wasDelivered = delivery.status === 'delivered';
    const form = service.learned?.facts.event;
    const { eventId, kind, body } = delivery;
    const named = form ? learnedEventHeaders({ id: eventId, kind, at }, form) : {};
    const signature = signDelivery(
      { id: eventId, at, body, secret: webhook.secret },
      { signature: profile.signature, header: form?.signatureHeader?.toLowerCase() },
    );
    const answer = await postEvent({
      url: delivery.url,
      body,
      headers: { ...named, ...signature },
      signal: closed.signal,
    });
    delivery.attempts.push({ at, ...answer, ms: clock.now() - at });
    const isTaken = answer.status !== null && answer.status >= 200 && answer.status < 300;
    // Another try, made on demand, may have arrived while this one was on its way.
    const delivered = isTaken || (!wasDelivered && delivery.status === 'delivered');
    if (answer.status === 410) {
      webhook.status = 'disabled';
      dropDeliveries(state, webhook.id);
    }
    const wait = RETRIES[profile.retries]?.[delivery.attempts.length - 1];
    // One that was removed or disabled meanwhile gets nothing more.
    const isWanted = state.webhooks.get(webhook.id)?.status === 'active';
    const again = !delivered && isWanted && wait !== undefined;
    delivery.status = delivered ? 'delivered' : again ? 'pending' : 'failed';
    delivery.nextAttemptAt = again ? clock.now() + wait : null;
    for (const listener of listeners) listener(delivery);
    // A reset or restore replaced the state meanwhile: this delivery belongs to the old one.
    if (again && service.state.deliveries.get(delivery.id) === delivery) plan(delivery);
  }

  return {
    emit,
    async settled() {
      while (first.size > 0) await Promise.all(first);
    },
    async redeliver(id) {
      const delivery = service.state.deliveries.get(id);
      if (!delivery) throw new RangeError(`No delivery with id "${id}"`);
      planned.get(id)?.();
      await attempt(delivery);
      return delivery;
    },
    resume() {
      for (const delivery of service.state.deliveries.values()) plan(delivery);
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pause() {
      for (const cancel of [...planned.values()]) cancel();
    },
    close() {
      this.pause();
      closed.abort();
    },
  };
}

/** Of so many deliveries, the oldest that are done are forgotten. */
const MAX_DELIVERIES = 5_000;

function dropOldest({ deliveries }: State): void {
  for (const [id, { status }] of deliveries) {
    if (deliveries.size <= MAX_DELIVERIES) return;
    if (status !== 'pending') deliveries.delete(id);
  }
}

function wants(events: readonly string[], kind: string): boolean {
  return events.some(
    (name) => name === '*' || name === kind || (name.endsWith('.*') && kind.startsWith(name.slice(0, -1))),
  );
}

/** A registration that is gone gets nothing more. */
export function dropDeliveries(state: State, webhookId: string): void {
  for (const delivery of state.deliveries.values()) {
    if (delivery.webhookId !== webhookId || delivery.status !== 'pending') continue;
    delivery.status = 'failed';
    delivery.nextAttemptAt = null;
  }
}

import type { Client, JsonObject, ServiceEvent } from '../platform/client-core.ts';
import type { StepContext } from '../platform/with-client.ts';
import { createEventDedupe, createSignatureHistory } from './dedupe.ts';
import { createLastSkippedDelivery } from './last-skipped-delivery.ts';
import { parseDelivery } from './parse-delivery.ts';
import type { Subscription } from './subscription.ts';
import { type FlatEvent, matchesFilters, type WebhookTrigger, withVerification } from './webhook-trigger.ts';

interface AcceptedEvent {
  readonly event: FlatEvent;
  /** True once: for the run that may use the event. */
  readonly tryAcquire: () => Promise<boolean>;
}

/**
 * Each of the delivered events in turn; a service may send them in batches. They are claimed together at the end: a run
 * that fails on the way is repeated by the platform with all of them.
 */
export async function receiveEvents(
  kind: WebhookTrigger,
  client: Client,
  step: StepContext<JsonObject>,
): Promise<FlatEvent[]> {
  const { secret } = (step.bundle.subscribeData ?? {}) as Partial<Subscription>;
  const skip = createSkip(kind, step);
  const accepted: AcceptedEvent[] = [];
  const unreadableReasons: string[] = [];
  for (const event of parseDelivery(step, secret, (reason) => unreadableReasons.push(reason))) {
    const result = await receiveEvent(kind, client, { ...step, event, skip });
    if (result) accepted.push(result);
  }
  for (const reason of unreadableReasons) await skip(`it can't be read (${reason.replace(/\.$/, '')})`);
  const events: FlatEvent[] = [];
  for (const { event, tryAcquire } of accepted) if (await tryAcquire()) events.push(event);
  return events;
}

type Skip = (reason: string) => Promise<undefined>;

/** The platform has answered the delivery already: what is not to run gives no item, and says why where it can be seen. */
function createSkip(kind: WebhookTrigger, { z }: StepContext<JsonObject>): Skip {
  const lastSkipped = createLastSkippedDelivery(z, kind.key);
  return async (reason) => {
    z.console.log(`${kind.event} was not used: ${reason}.`);
    await lastSkipped.record(reason);
    return undefined;
  };
}

async function receiveEvent(
  kind: WebhookTrigger,
  client: Client,
  step: StepContext<JsonObject> & { readonly event: ServiceEvent; readonly skip: Skip },
): Promise<AcceptedEvent | undefined> {
  const { z, bundle, input, event, skip } = step;
  const subscription = (bundle.subscribeData ?? {}) as Partial<Subscription>;
  const signatureHistory = createSignatureHistory(z, subscription);
  if (event.signature === 'invalid') return skip('its signature is wrong or too old');
  if (event.signature === 'missing' && (await isSignatureExpected(signatureHistory, step)))
    return skip('its signature is missing');
  if (event.kind !== undefined && event.kind !== kind.event) {
    // A service that sends every kind to every address: nothing that a person waits for.
    z.console.log(`${kind.event} was not used: it is a ${event.kind}.`);
    return undefined;
  }
  const flatEvent = kind.flatten(event, step);
  if (matchesFilters(kind, flatEvent, input) === false) return skip('a filter of this trigger excludes it');
  const dedupe = createEventDedupe(z, {
    subscription: subscription.id || subscription.url || '',
    event: event.id,
  });
  if (await dedupe.isDuplicate()) {
    z.console.log(`${kind.event} was not used: it was delivered before.`);
    return undefined;
  }
  const signed = event.signature === 'valid';
  const tryAcquire = async () => {
    const [isAcquired] = await Promise.all([
      dedupe.tryAcquire(),
      signed ? signatureHistory.recordSignedDelivery() : undefined,
    ]);
    return isAcquired;
  };
  // What is signed and says all needs no second word.
  if (signed && kind.isComplete(flatEvent) && matchesFilters(kind, flatEvent, input) === true)
    return {
      event: withVerification(flatEvent, { verified: true, check: 'Signed by Docshare.' }),
      tryAcquire,
    };
  const {
    outcome,
    event: verifiedEvent,
    isRecordRead,
  } = await kind.verify(client, flatEvent, { ...step, signed });
  if (outcome === 'denied') {
    if (signed) await signatureHistory.recordSignedDelivery();
    return skip('Docshare knows nothing of it');
  }
  // Where the record can't be read, what a filter asks for stays unknown: a run too many harms less than an event lost.
  const matches = matchesFilters(kind, verifiedEvent, input);
  if (matches === false || (matches === 'unknown' && isRecordRead))
    return skip('a filter of this trigger excludes it');
  return { event: withVerification(verifiedEvent, describeVerification(outcome, signed)), tryAcquire };
}

/** Whether deliveries are signed. While the cache can't say, an unsigned one may be a forgery: it comes again later. */
async function isSignatureExpected(
  signatureHistory: ReturnType<typeof createSignatureHistory>,
  { z }: StepContext<JsonObject>,
): Promise<boolean> {
  try {
    return await signatureHistory.hasSignedDelivery();
  } catch {
    throw new z.errors.ThrottledError(
      'Zapier could not say yet whether Docshare signs its deliveries. It tries again by itself in a minute.',
      60,
    );
  }
}

/** On a service that does not sign, the address that Zapier gave is the secret: what can't be looked up runs, and says so. */
function describeVerification(outcome: 'confirmed' | 'open', signed: boolean) {
  if (outcome === 'confirmed') return { verified: true, check: 'Looked up in Docshare.' };
  if (signed) return { verified: true, check: 'Signed by Docshare.' };
  return { verified: false, check: 'Not signed, and Docshare could not say more about it yet.' };
}

import type { JsonObject, ServiceEvent } from '../platform/client-core.ts';
import type { StepContext } from '../platform/with-client.ts';
import { addPickedName } from '../records/picked-names.ts';
import { createEventDedupe, createSignatureHistory } from './dedupe.ts';
import { createLastSkippedDelivery } from './last-skipped-delivery.ts';
import { parseDelivery } from './parse-delivery.ts';
import { createRegistrationMemory } from './registration-memory.ts';
import type { Subscription } from './subscription.ts';
import {
  type FlatEvent,
  matchesFilters,
  VALID_SIGNATURE_TEXT,
  type WebhookTrigger,
  withVerification,
} from './webhook-trigger.ts';

interface AcceptedEvent {
  readonly event: FlatEvent;
  readonly tryAcquire: () => Promise<boolean>;
}

/** Checks the events of a delivery. Acquires them together at the end: Zapier repeats a failed run with all of them. */
export async function receiveEvents(kind: WebhookTrigger, step: StepContext<JsonObject>): Promise<FlatEvent[]> {
  const { secret } = (step.bundle.subscribeData ?? {}) as Partial<Subscription>;
  const skip = createSkip(kind, step);
  const accepted: AcceptedEvent[] = [];
  const unreadableReasons: string[] = [];
  let events = parseDelivery(step, secret, (reason) => unreadableReasons.push(reason));
  if (events.some(({ signature }) => signature === 'invalid')) {
    const renewedSecret = await createRegistrationMemory(step, kind.key).readSecret();
    if (renewedSecret !== undefined) events = parseDelivery(step, renewedSecret, () => undefined);
  }
  for (const event of events) {
    const result = await receiveEvent(kind, { ...step, event, skip });
    if (!result) continue;
    // The trigger's test shows the name of the document, which an event may lack.
    const input = { document: result.event['document_id'] };
    accepted.push({ ...result, event: await addPickedName(result.event, { ...step, input }) });
  }
  for (const reason of unreadableReasons) await skip(`could not be read (${reason.replace(/\.$/, '')})`);
  const acquired: FlatEvent[] = [];
  for (const { event, tryAcquire } of accepted) if (await tryAcquire()) acquired.push(event);
  return acquired;
}

const UNVERIFIED = 'The message had no webhook signature, and Docshare did not confirm it. Check before you act.';

type Skip = (reason: string) => Promise<undefined>;

/** Logs why a message is ignored; `reason` continues the sentence "A message …". Zapier has already answered the delivery, so no error is thrown. */
function createSkip(kind: WebhookTrigger, step: StepContext<JsonObject>): Skip {
  const lastSkipped = createLastSkippedDelivery(step, kind.key);
  return async (reason) => {
    step.z.console.log(`A message ${reason} and was ignored.`);
    await lastSkipped.record(reason);
    return undefined;
  };
}

async function receiveEvent(
  kind: WebhookTrigger,
  step: StepContext<JsonObject> & { readonly event: ServiceEvent; readonly skip: Skip },
): Promise<AcceptedEvent | undefined> {
  const { z, bundle, input, event, skip } = step;
  const subscription = (bundle.subscribeData ?? {}) as Partial<Subscription>;
  const signatureHistory = createSignatureHistory(z, subscription);
  if (event.signature === 'invalid') return skip('had an invalid or expired webhook signature');
  if (event.signature === 'missing' && (await signatureHistory.hasSignedDelivery()))
    return skip('had no webhook signature');
  if (event.kind !== undefined && event.kind !== kind.event) {
    // Some services send every kind of event to every URL.
    z.console.log(`An event of the type ${event.kind} was ignored.`);
    return undefined;
  }
  const flatEvent = kind.flatten(event, step);
  if (matchesFilters(kind, flatEvent, input) === false) return skip('did not match the filters of this step');
  // A renewed registration has another ID.
  const subscriptionKey = subscription.url || subscription.id || '';
  const dedupe = createEventDedupe(z, {
    subscription: subscriptionKey,
    event: event.id,
    // An event without an ID has a hash of its body instead, which a time makes unique.
    isUnique:
      JSON.stringify([event.raw, bundle.rawRequest?.headers]).includes(event.id) ||
      [event.time, flatEvent['viewed_at'], flatEvent['signed_at']].some((time) => typeof time === 'string'),
  });
  if (await dedupe.isDuplicate()) {
    z.console.log('A message had arrived before and was ignored.');
    return undefined;
  }
  const signed = event.signature === 'valid';
  const accept = (acceptedEvent: FlatEvent): AcceptedEvent => ({
    event: acceptedEvent,
    async tryAcquire() {
      const [isAcquired] = await Promise.all([
        dedupe.tryAcquire(),
        signed ? signatureHistory.recordSignedDelivery() : undefined,
      ]);
      const occasion = kind.getOccasion?.(acceptedEvent, input);
      if (!isAcquired || occasion === undefined) return isAcquired;
      return createEventDedupe(z, { subscription: subscriptionKey, event: occasion, isUnique: true }).tryAcquire();
    },
  });
  if (signed && kind.isComplete(flatEvent) && matchesFilters(kind, flatEvent, input) === true)
    return accept(withVerification(flatEvent, { verified: true, check: VALID_SIGNATURE_TEXT }));
  const { outcome, event: verifiedEvent, isRecordRead } = await kind.verify(flatEvent, { ...step, signed });
  if (outcome === 'denied') {
    if (signed) await signatureHistory.recordSignedDelivery();
    return skip('was about a record that Docshare does not have');
  }
  // If the record can't be read, an unknown filter value passes: an extra run does less harm than a lost event.
  const matches = matchesFilters(kind, verifiedEvent, input);
  if (matches === false || (matches === 'unknown' && isRecordRead))
    return skip('did not match the filters of this step');
  return accept(withVerification(verifiedEvent, describeVerification(outcome, signed)));
}

/** Without signatures Zapier's secret URL is the only proof, so an unverified event runs with a note. */
function describeVerification(outcome: 'confirmed' | 'open', signed: boolean) {
  if (signed) return { verified: true, check: VALID_SIGNATURE_TEXT };
  if (outcome === 'confirmed') return { verified: true, check: 'The record was found in Docshare.' };
  return { verified: false, check: UNVERIFIED };
}

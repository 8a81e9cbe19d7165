import type { Step } from '../platform/client.ts';
import type { Client, JsonObject, ServiceEvent } from '../platform/core.ts';
import { readDelivery } from './delivery.ts';
import { type FlatEvent, type HookKind, passes, withCheck } from './hook-kind.ts';
import { createLastDrop } from './last-drop.ts';
import { createOnce, createSigning } from './once.ts';
import type { Subscription } from './subscription.ts';

interface Accepted {
  readonly event: FlatEvent;
  /** True once: for the run that may use the event. */
  readonly claim: () => Promise<boolean>;
}

/**
 * Each of the delivered events in turn; a service may send them in batches. They are claimed together at the end: a run
 * that fails on the way is repeated by the platform with all of them.
 */
export async function receiveAll(
  kind: HookKind,
  client: Client,
  step: Step<JsonObject>,
): Promise<FlatEvent[]> {
  const { secret } = (step.bundle.subscribeData ?? {}) as Partial<Subscription>;
  const drop = createDrop(kind, step);
  const accepted: Accepted[] = [];
  const unreadable: string[] = [];
  for (const event of readDelivery(step, secret, (reason) => unreadable.push(reason))) {
    const one = await receive(kind, client, { ...step, event, drop });
    if (one) accepted.push(one);
  }
  for (const reason of unreadable) await drop(`it can't be read (${reason.replace(/\.$/, '')})`);
  const used: FlatEvent[] = [];
  for (const { event, claim } of accepted) if (await claim()) used.push(event);
  return used;
}

type Drop = (reason: string) => Promise<undefined>;

/** The platform has answered the delivery already: what is not to run gives no item, and says why where it can be seen. */
function createDrop(kind: HookKind, { z }: Step<JsonObject>): Drop {
  const last = createLastDrop(z, kind.key);
  return async (reason) => {
    z.console.log(`${kind.event} was not used: ${reason}.`);
    await last.remember(reason);
    return undefined;
  };
}

async function receive(
  kind: HookKind,
  client: Client,
  step: Step<JsonObject> & { readonly event: ServiceEvent; readonly drop: Drop },
): Promise<Accepted | undefined> {
  const { z, bundle, input, event, drop } = step;
  const subscription = (bundle.subscribeData ?? {}) as Partial<Subscription>;
  const signing = createSigning(z, subscription);
  if (event.signature === 'invalid') return drop('its signature is wrong or too old');
  if (event.signature === 'missing' && (await isSigner(signing, step)))
    return drop('its signature is missing');
  if (event.kind !== undefined && event.kind !== kind.event) {
    // A service that sends every kind to every address: nothing that a person waits for.
    z.console.log(`${kind.event} was not used: it is a ${event.kind}.`);
    return undefined;
  }
  const flat = kind.read(event, step);
  if (passes(kind, flat, input) === false) return drop('a filter of this trigger excludes it');
  const once = createOnce(z, { subscription: subscription.id || subscription.url || '', event: event.id });
  if (await once.isSeen()) {
    z.console.log(`${kind.event} was not used: it was delivered before.`);
    return undefined;
  }
  const signed = event.signature === 'valid';
  const claim = async () => {
    const [claimed] = await Promise.all([once.claim(), signed ? signing.remember() : undefined]);
    return claimed;
  };
  // What is signed and says all needs no second word.
  if (signed && kind.isComplete(flat) && passes(kind, flat, input) === true)
    return { event: withCheck(flat, { verified: true, check: 'Signed by Docshare.' }), claim };
  const { verdict, event: full, isRead } = await kind.confirm(client, flat, { ...step, signed });
  if (verdict === 'denied') {
    if (signed) await signing.remember();
    return drop('Docshare knows nothing of it');
  }
  // Where the record can't be read, what a filter asks for stays unknown: a run too many harms less than an event lost.
  const fits = passes(kind, full, input);
  if (fits === false || (fits === 'unknown' && isRead)) return drop('a filter of this trigger excludes it');
  return { event: withCheck(full, describeVerification(verdict, signed)), claim };
}

/** Whether deliveries are signed. While the cache can't say, an unsigned one may be a forgery: it comes again later. */
async function isSigner(
  signing: ReturnType<typeof createSigning>,
  { z }: Step<JsonObject>,
): Promise<boolean> {
  try {
    return await signing.isKnown();
  } catch {
    throw new z.errors.ThrottledError(
      'Zapier could not say yet whether Docshare signs its deliveries. It tries again by itself in a minute.',
      60,
    );
  }
}

/** On a service that does not sign, the address that Zapier gave is the secret: what can't be looked up runs, and says so. */
function describeVerification(verdict: 'confirmed' | 'open', signed: boolean) {
  if (verdict === 'confirmed') return { verified: true, check: 'Looked up in Docshare.' };
  if (signed) return { verified: true, check: 'Signed by Docshare.' };
  return { verified: false, check: 'Not signed, and Docshare could not say more about it yet.' };
}

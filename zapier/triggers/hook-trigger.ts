import type { Bundle, PlainInputField, PlainOutputField, Trigger } from 'zapier-platform-core';
import { type Step, withClient } from '../platform/client.ts';
import {
  AuthenticationError,
  type Client,
  InputError,
  type JsonObject,
  NotFoundError,
  PermissionError,
  parseEvents,
  type ServiceEvent,
} from '../platform/core.ts';
import { createOnce, createSigning } from './once.ts';
import { type Subscription, subscribe, unsubscribe } from './subscription.ts';

/** A flat event with the same keys in every sample, list and delivery. */
export type FlatEvent = JsonObject & { readonly id: string };

/**
 * Whether the service itself says that an event is true: `confirmed`, `denied` (it knows nothing of its subject), or
 * `open` (it could not be asked).
 */
export interface EventCheck {
  readonly verdict: 'confirmed' | 'denied' | 'open';
  readonly event: FlatEvent;
}

export interface HookKind {
  readonly key: string;
  readonly noun: string;
  readonly label: string;
  readonly description: string;
  /** Event kind of the API (§6). */
  readonly event: string;
  readonly inputFields: PlainInputField[];
  readonly outputFields: PlainOutputField[];
  readonly sample: FlatEvent;
  /** The flat form of a delivery, from the delivery alone. */
  readonly read: (event: ServiceEvent, step: Step<JsonObject>) => FlatEvent;
  /** The trigger's filters, each by its input: whether the event's own value fits what was asked for. */
  readonly filters: Readonly<Record<string, (wanted: unknown, event: FlatEvent) => boolean | 'unknown'>>;
  /** Reads the event's subject again with the key, and fills in what the delivery left out. */
  readonly confirm: (
    client: Client,
    event: FlatEvent,
    step: Step<JsonObject> & { readonly signed: boolean },
  ) => Promise<EventCheck>;
  /** Names what an unsigned event is about. */
  readonly identityOf: (event: FlatEvent) => string;
  /** Asks for the records that events are confirmed by. */
  readonly tryReading: (client: Client) => PromiseLike<unknown>;
  /** Real events of the past, newest first. */
  readonly list: (client: Client, step: Step<JsonObject>) => Promise<FlatEvent[]>;
}

/** An instant trigger: each true event that passes its filters runs the Zap once. */
export function hookTrigger(kind: HookKind): Trigger {
  return {
    key: kind.key,
    noun: kind.noun,
    display: { label: kind.label, description: kind.description },
    operation: {
      type: 'hook',
      performSubscribe: withClient((client, { bundle }) => {
        if (!bundle.targetUrl)
          throw new InputError('Zapier gave no address to deliver to; turn the Zap on again.');
        return subscribeChecked(kind, client, bundle.targetUrl);
      }),
      performUnsubscribe: withClient(async (client, { bundle }) => {
        const kept = (bundle.subscribeData ?? {}) as Partial<Subscription>;
        await unsubscribe(client, { ...(bundle.targetUrl ? { url: bundle.targetUrl } : {}), ...kept });
        return {};
      }),
      perform: withClient((client, step) => receiveAll(kind, client, step)),
      performList: withClient(async (client, step) => {
        const events = await kind.list(client, step);
        return events.filter((event) => passes(kind, event, step.input) === true);
      }),
      inputFields: kind.inputFields,
      outputFields: kind.outputFields,
      sample: kind.sample,
    },
  };
}

/** Without a secret each delivery has to be confirmed by a re-read: a key that can't would drop them all, unseen. */
async function subscribeChecked(kind: HookKind, client: Client, url: string): Promise<Subscription> {
  const subscription = await subscribe(client, url, kind.event);
  if (subscription.secret !== undefined) return subscription;
  try {
    await kind.tryReading(client);
    return subscription;
  } catch (error) {
    // A fault that passes says nothing about the key.
    if (!REFUSALS.some((Refusal) => error instanceof Refusal)) return subscription;
    await unsubscribe(client, subscription);
    throw error;
  }
}

/** §7: a missing scope may be answered with any of these. */
const REFUSALS = [PermissionError, AuthenticationError, NotFoundError];

/** False where a filter excludes the event, `unknown` where the event does not say enough yet. */
function passes(kind: HookKind, event: FlatEvent, input: JsonObject): boolean | 'unknown' {
  const verdicts = Object.entries(kind.filters)
    .filter(([key]) => input[key] !== undefined && input[key] !== '')
    .map(([key, fits]) => fits(input[key], event));
  if (verdicts.includes(false)) return false;
  return verdicts.includes('unknown') ? 'unknown' : true;
}

/** A filter for one value of the event. */
export function isSame(key: string) {
  return (wanted: unknown, event: FlatEvent) => (event[key] === null ? 'unknown' : event[key] === wanted);
}

/**
 * Each of the delivered events in turn; a service may send them in batches. They are claimed together at the end: a run
 * that fails on the way is repeated by the platform with all of them.
 */
async function receiveAll(kind: HookKind, client: Client, step: Step<JsonObject>): Promise<FlatEvent[]> {
  const { secret } = (step.bundle.subscribeData ?? {}) as Partial<Subscription>;
  const accepted: Accepted[] = [];
  for (const event of readDelivery(step, secret)) {
    const one = await receive(kind, client, { ...step, event });
    if (one) accepted.push(one);
  }
  const used: FlatEvent[] = [];
  for (const { event, claim } of accepted) if (await claim()) used.push(event);
  return used;
}

interface Accepted {
  readonly event: FlatEvent;
  /** True once: for the run that may use the event. */
  readonly claim: () => Promise<boolean>;
}

/** The platform has answered the delivery already: what is not to run gives no item, and says why in the log. */
async function receive(
  kind: HookKind,
  client: Client,
  step: Step<JsonObject> & { readonly event: ServiceEvent },
): Promise<Accepted | undefined> {
  const { z, bundle, input, event } = step;
  const drop = (reason: string) => {
    z.console.log(`${kind.event} was not used: ${reason}.`);
    return undefined;
  };
  const subscription = (bundle.subscribeData ?? {}) as Partial<Subscription>;
  const signing = createSigning(z, subscription);
  if (event.signature === 'invalid') return drop('its signature is wrong or too old');
  if (event.signature === 'missing' && (await signing.isKnown())) return drop('its signature is missing');
  if (event.kind !== undefined && event.kind !== kind.event) return drop(`it is a ${event.kind}`);
  const flat = kind.read(event, step);
  if (!passes(kind, flat, input)) return drop('a filter of this trigger excludes it');
  const signed = event.signature === 'valid';
  // Anyone can give an unsigned event a new id; what it is about can be confirmed, and that runs once.
  const identityOf = signed ? event.id : kind.identityOf(flat);
  const once = createOnce(z, { subscription: subscription.id ?? subscription.url ?? '', event: identityOf });
  if (await once.isSeen()) return drop('it was delivered before');
  const { verdict, event: full } = await kind.confirm(client, flat, { ...step, signed });
  if (verdict === 'denied') return drop('Docshare knows nothing of it');
  if (verdict === 'open' && !signed) return drop('it is not signed, and Docshare does not confirm it');
  if (passes(kind, full, input) !== true) return drop('a filter of this trigger excludes it');
  const claim = async () => {
    const [claimed] = await Promise.all([once.claim(), signed ? signing.remember() : undefined]);
    return claimed;
  };
  return { event: full, claim };
}

function readDelivery({ z, bundle }: Step<JsonObject>, secret: string | undefined): readonly ServiceEvent[] {
  const headers = bundle.rawRequest?.headers ?? {};
  try {
    return parseEvents(rawBodyOf(bundle), headers, secret);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    z.console.log(`A delivery was not used: ${error.message}`);
    return [];
  }
}

function rawBodyOf(bundle: Bundle): string {
  const { rawRequest, cleanedRequest } = bundle;
  if (typeof rawRequest?.content === 'string') return rawRequest.content;
  // The platform adds the query of the address to the parsed body.
  const { querystring: _, ...body } = (cleanedRequest ?? {}) as JsonObject;
  return JSON.stringify(body);
}

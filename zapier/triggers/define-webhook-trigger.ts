import type { Trigger } from 'zapier-platform-core';
import { InputError, type JsonObject } from '../platform/client-core.ts';
import { type StepContext, withClient } from '../platform/with-client.ts';
import { toRepeatedError } from '../platform/zapier-errors.ts';
import { createEventSample, getProfileEventOutputFields } from '../records/profile-samples.ts';
import { createLastSkippedDelivery } from './last-skipped-delivery.ts';
import { receiveEvents } from './receive-events.ts';
import { createRegistrationMemory } from './registration-memory.ts';
import { type Subscription, subscribe, unsubscribe } from './subscription.ts';
import {
  type FlatEvent,
  matchesFilters,
  VALID_SIGNATURE_TEXT,
  type WebhookTrigger,
  withVerification,
} from './webhook-trigger.ts';

const MAX_EXAMPLES = 25;

/** Instant trigger: each genuine event that passes the filters runs the Zap once. */
export function defineWebhookTrigger(kind: WebhookTrigger): Trigger {
  return {
    key: kind.key,
    noun: kind.noun,
    display: { label: kind.label, description: kind.description },
    operation: {
      type: 'hook',
      performSubscribe: withClient(async (step) => {
        const { client, bundle } = step;
        if (!bundle.targetUrl)
          throw new InputError('Zapier gave no URL for the events. Turn the Zap off and on again.');
        const subscription = await subscribe(client, bundle.targetUrl, kind.event);
        await createRegistrationMemory(step, kind.key).record(subscription);
        return subscription;
      }, kind.inputFields),
      performUnsubscribe: withClient(async (step) => {
        const { client, bundle } = step;
        const subscription = (bundle.subscribeData ?? {}) as Partial<Subscription>;
        await unsubscribe(client, { ...(bundle.targetUrl ? { url: bundle.targetUrl } : {}), ...subscription });
        await createRegistrationMemory(step, kind.key).forget(subscription);
        return {};
      }),
      perform: withClient(
        (step) =>
          receiveEvents(kind, step).catch((error: unknown) => {
            throw toRepeatedError(step.z, error);
          }),
        kind.inputFields,
      ),
      performList: withClient((step) => listSamples(kind, step), kind.inputFields),
      inputFields: kind.inputFields,
      outputFields: [...kind.outputFields, ...getProfileEventOutputFields()],
      sample: withVerification(createEventSample(kind.sample, kind.event), {
        verified: true,
        check: VALID_SIGNATURE_TEXT,
      }),
    },
  };
}

/** Past events for the trigger's test. The newest also reports a lost registration and the last skipped delivery. */
async function listSamples(kind: WebhookTrigger, step: StepContext<JsonObject>): Promise<FlatEvent[]> {
  const [events, ...notes] = await Promise.all([
    kind.listPastEvents(step),
    createRegistrationMemory(step, kind.key).renewIfLost(kind.event),
    createLastSkippedDelivery(step, kind.key).describe(),
  ]);
  const note = notes.filter((text) => text !== undefined).join(' ');
  const matching = events.filter((event) => matchesFilters(kind, event, step.input) === true);
  const samples = matching
    .slice(0, MAX_EXAMPLES)
    .map((event, index) =>
      withVerification(event, {
        verified: true,
        check: `This example was read from Docshare.${index === 0 && note !== '' ? ` ${note}` : ''}`,
      }),
    );
  // Zapier would show the static sample anyway.
  if (samples.length === 0 && note !== '')
    return [withVerification(kind.sample, { verified: false, check: `This is a sample event. ${note}` })];
  return samples;
}

import type { Trigger } from 'zapier-platform-core';
import { learnedEvent, learnedEventOutputs } from '../learned/learned-sample.ts';
import { type Step, withClient } from '../platform/client.ts';
import { type Client, InputError, type JsonObject } from '../platform/core.ts';
import { CHECK_FIELDS, type FlatEvent, type HookKind, passes, withCheck } from './hook-kind.ts';
import { createLastDrop } from './last-drop.ts';
import { receiveAll } from './receive.ts';
import { type Subscription, subscribe, unsubscribe } from './subscription.ts';

/** An instant trigger: each true event that passes its filters runs the Zap once. */
export function hookTrigger(kind: HookKind): Trigger {
  const raw = kind.outputFields.filter(({ key }) => key === 'raw');
  return {
    key: kind.key,
    noun: kind.noun,
    display: { label: kind.label, description: kind.description },
    operation: {
      type: 'hook',
      performSubscribe: withClient((client, { bundle }) => {
        if (!bundle.targetUrl)
          throw new InputError('Zapier gave no address to deliver to; turn the Zap on again.');
        return subscribe(client, bundle.targetUrl, kind.event);
      }),
      performUnsubscribe: withClient(async (client, { bundle }) => {
        const kept = (bundle.subscribeData ?? {}) as Partial<Subscription>;
        await unsubscribe(client, { ...(bundle.targetUrl ? { url: bundle.targetUrl } : {}), ...kept });
        return {};
      }),
      perform: withClient((client, step) => receiveAll(kind, client, step)),
      performList: withClient((client, step) => listPast(kind, client, step)),
      inputFields: kind.inputFields,
      outputFields: [
        ...kind.outputFields.filter(({ key }) => key !== 'raw'),
        ...CHECK_FIELDS,
        ...raw,
        ...learnedEventOutputs(),
      ],
      sample: withCheck(learnedEvent(kind.sample, kind.event), {
        verified: true,
        check: 'Signed by Docshare.',
      }),
    },
  };
}

/** Past events for the trigger's test. The newest also tells of the last delivery that ran no Zap. */
async function listPast(kind: HookKind, client: Client, step: Step<JsonObject>): Promise<FlatEvent[]> {
  const [events, dropped] = await Promise.all([
    kind.list(client, step),
    createLastDrop(step.z, kind.key).tell(),
  ]);
  const fitting = events.filter((event) => passes(kind, event, step.input) === true);
  const shown = fitting.map((event, index) =>
    withCheck(event, {
      verified: true,
      check: `Read from Docshare.${index === 0 && dropped !== undefined ? ` ${dropped}` : ''}`,
    }),
  );
  // Zapier would show the sample anyway: this one tells what happened.
  if (shown.length === 0 && dropped !== undefined)
    return [withCheck(kind.sample, { verified: false, check: `This is only an example. ${dropped}` })];
  return shown;
}

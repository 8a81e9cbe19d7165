import type { ZObject } from 'zapier-platform-core';
import { AGREEMENT_END_EVENTS } from '../../src/assumptions/index.ts';
import { dehydrateSignedDocument } from '../hydrators/signed-document.ts';
import type { Client, JsonObject } from '../platform/client-core.ts';
import type { ClientStep, StepContext } from '../platform/with-client.ts';
import { toRepeatedError } from '../platform/zapier-errors.ts';
import { getEndStatus, getStatus, isCertainlySigned } from '../records/is-signed.ts';
import { agreement, signedAgreementOutput } from '../records/kinds.ts';
import { toFlatRecord } from '../records/record-kind.ts';
import { findById, findIfReadable, findRecord } from '../records/search-records.ts';
import { type Subscription, subscribe, unsubscribe } from '../triggers/subscription.ts';
import { confirmsAlreadySent, isSentState, mayMeanAlreadySent, toSentResult } from './already-sent.ts';
import { createAskField, requireInDraft, requireSentTo, shouldAskFirst } from './ask-first.ts';
import { defineAction } from './define-action.ts';
import { prepareAgreement, type SendInput, sendFields } from './send-agreement.ts';
import { mayHaveEnded, recordLook, replaceDeadRegistrations } from './waiting-runs.ts';

const SIGNED_EVENT = 'envelope.signed';
/** The end events are not documented (§6), so a service may accept only the signature. */
const EVENT_LISTS = [[SIGNED_EVENT, ...AGREEMENT_END_EVENTS], [SIGNED_EVENT]];

/** Delay until the next check, after another agreement's event. */
const RECHECK_DELAY_S = 15 * 60;

interface WaitState {
  readonly agreement_id: string;
  /** Only IDs: the Zap history shows a step's output. */
  readonly webhook_id?: string;
  readonly other_webhook_ids?: readonly string[];
}

/**
 * Sends an agreement and resumes when it is signed. Zapier resumes on the first post to the callback, and events are
 * workspace-wide (§6): a post only triggers a check, and the agreement's own status decides.
 */
export const sendAndWait = defineAction<SendInput>({
  key: 'send_and_wait',
  noun: 'Agreement',
  label: 'Send Agreement and Wait for Signature',
  description: 'Sends an existing draft agreement, and continues the Zap once it is signed, up to 30 days later.',
  inputFields: [
    ...sendFields,
    createAskField('Choose Yes to send nothing. The Zap waits until a person has sent the agreement and it is signed.'),
    {
      key: 'notice',
      type: 'copy',
      helpText:
        'The Zap waits up to 30 days. If the agreement is still open then, Zapier stops this run and the later steps do not run. Use an Agreement Signed trigger to wait longer.',
    },
  ],
  perform: async (step) => {
    const { client, z, bundle, input } = step;
    const prepared = prepareAgreement(step);
    const keepsDraft = shouldAskFirst(input);
    const draft = keepsDraft ? await findWaiting(step, input.agreement) : {};
    if (keepsDraft && isCertainlySigned(draft)) return toResult(step, draft);
    if (keepsDraft) requireInDraft(draft, prepared);
    // The editor's test sends the agreement, but does not wait.
    const callback = bundle.meta.isLoadingSample ? undefined : z.generateCallbackUrl();
    const subscription = callback ? await subscribeOrRemove(client, callback) : undefined;
    const ids = subscription ? [subscription.id, ...(subscription.otherIds ?? [])] : [];
    if (subscription) await replaceDeadRegistrations(step, ids);
    try {
      const sent = keepsDraft ? draft : await sendUnlessSent(step, { id: input.agreement, send: prepared.send });
      requireSentTo(z, sent, prepared);
      // Its event is in the past.
      if (callback && isCertainlySigned(sent))
        throw new z.errors.HaltedError(
          'Everyone has already signed this agreement, so there is nothing to wait for. Use Find Signed Document in this Zap instead.',
        );
      const waiting: WaitState = {
        agreement_id: input.agreement,
        ...(subscription ? { webhook_id: subscription.id } : {}),
        ...(subscription?.otherIds ? { other_webhook_ids: subscription.otherIds } : {}),
      };
      const result = await toSentResult(agreement, client, { id: input.agreement, sent });
      return { ...result, signed_document: dehydrateSignedDocument(z, input.agreement), waiting };
    } catch (error) {
      if (subscription) await unsubscribe(client, subscription).catch(() => undefined);
      throw error;
    }
  },
  output: signedAgreementOutput,
  resume: (step) =>
    continueIfSigned(step).catch((error: unknown) => {
      throw toRepeatedError(step.z, error);
    }),
});

/** After an error, the service may have made a registration without confirming it. No other run has this URL. */
async function subscribeOrRemove(client: Client, url: string): Promise<Subscription> {
  return subscribe(client, url, EVENT_LISTS).catch(async (error: unknown) => {
    await unsubscribe(client, { url }).catch(() => undefined);
    throw error;
  });
}

/** Accepts an agreement that was already sent, for a step that runs again. */
async function sendUnlessSent(
  step: ClientStep,
  { id, send }: { id: string; send: () => Promise<JsonObject> },
): Promise<JsonObject> {
  try {
    return await send();
  } catch (error) {
    if (!mayMeanAlreadySent(error)) throw error;
    const found = await findIfReadable(agreement, step, id);
    if (found.kind !== 'found' || !isSentState(getStatus(found.item))) throw error;
    if (!confirmsAlreadySent(error, found.item)) throw error;
    return found.item;
  }
}

/** Finds the draft that a person is to send. @throws HaltedError if nobody will sign it. */
async function findWaiting(step: ClientStep, id: string): Promise<JsonObject> {
  const draft = await findRecord(agreement, step, id);
  const endStatus = getEndStatus(draft);
  if (endStatus !== undefined) throw createEndedError(step.z, endStatus);
  return draft;
}

async function continueIfSigned(step: StepContext<SendInput>): Promise<JsonObject> {
  const { client, z, bundle, input } = step;
  const { waiting } = (bundle.outputData ?? {}) as { waiting?: WaitState };
  const id = waiting?.agreement_id ?? input.agreement;
  const resumed = { id, delivery: bundle.cleanedRequest };
  if (!(await mayHaveEnded(step, resumed))) throw createStillWaitingError(z);
  const found = await findById(agreement, step, id);
  const item = found.kind === 'found' ? found.item : undefined;
  const endStatus = found.kind === 'not-found' ? 'deleted' : getEndStatus(item);
  if (endStatus === undefined && !(item && isCertainlySigned(item))) {
    await recordLook(step, resumed);
    throw createStillWaitingError(z);
  }
  const { webhook_id: webhookId, other_webhook_ids: otherIds = [] } = waiting ?? {};
  if (webhookId) await unsubscribe(client, { id: webhookId, otherIds }).catch(() => undefined);
  if (endStatus !== undefined) throw createEndedError(z, endStatus);
  return toResult(step, item ?? {});
}

function createEndedError(z: ZObject, status: string): Error {
  return new z.errors.HaltedError(
    `The agreement ${describeEnd(status)}, so it will not be signed. The Zap stops here; send a new agreement if you need one.`,
  );
}

/** Continues "The agreement …" with a status such as `expired`, `declined` or `delivery_failed`. */
function describeEnd(status: string): string {
  if (/_|[^d]$/.test(status)) return `has the status "${status.replaceAll('_', ' ').slice(0, 40)}"`;
  return `${/expired|lapsed/.test(status) ? 'has' : 'was'} ${status}`;
}

function createStillWaitingError(z: ZObject): Error {
  return new z.errors.ThrottledError(
    'Still waiting for this signature. Zapier checks again in 15 minutes.',
    RECHECK_DELAY_S,
  );
}

function toResult({ z }: StepContext<SendInput>, item: JsonObject): JsonObject {
  const record = toFlatRecord(agreement, item);
  return { ...record, signed_document: dehydrateSignedDocument(z, record.id) };
}

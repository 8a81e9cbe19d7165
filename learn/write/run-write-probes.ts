import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { getValueAt } from '../../src/profile/check-schema.ts';
import { formatCount } from '../format-count.ts';
import { inferEvent } from '../infer/infer-event.ts';
import type { ProbeContext } from '../probes/probe-context.ts';
import { probeOrder } from '../probes/probe-query-parameters.ts';
import type { Session } from '../probes/session.ts';
import { startWebhookReceiver } from '../probes/webhook-receiver.ts';
import { type CleanupCommand, startCleanupProcess } from './cleanup-process.ts';
import { removeObject, type ThrowawayObject, type WriteContext } from './create-object.ts';
import { type CreatedResources, trackCreatedResources } from './created-resources.ts';
import { findRemovableResources, UNDOCUMENTED_DELETES } from './find-removable-resources.ts';
import { probeLinkWrites, probeRecordWrites, probeTemplateWrites } from './probe-records.ts';
import { probeUpload, uploadThrowawayDocument } from './probe-uploads.ts';
import { createSecondWebhook, createThrowawayWebhook } from './probe-webhooks.ts';
import { findMarkedPaths, removeAll } from './remove.ts';

export interface WriteOptions {
  readonly cleanupCommand?: CleanupCommand | undefined;
  /** Also creates objects that can't be removed. */
  readonly allowUnremovable?: boolean | undefined;
  readonly webhookUrl?: string | undefined;
  /** Seconds to wait for an event that a person causes. */
  readonly waitSeconds?: number | undefined;
  /** Port that receives deliveries (default: a free one). */
  readonly webhookPort?: number | undefined;
  /** Passed only to the cleanup process. */
  readonly apiKey: string;
}

export interface WriteResult extends Pick<WriteContext, 'facts' | 'requestSchemas'> {
  /** Sentences about objects that could not be removed. */
  readonly unremoved: readonly string[];
  /** Error that ended the writes early, if any. */
  readonly failure: unknown;
}

/** Creates throwaway objects, records every response, and always removes the objects. */
export async function runWriteProbes(context: ProbeContext, options: WriteOptions): Promise<WriteResult> {
  const marker = `docshare-learn-${randomBytes(6).toString('hex')}`;
  const { apiKey, cleanupCommand } = options;
  const job = { apiKey, baseUrl: context.session.client.baseUrl, marker };
  const createdResources = trackCreatedResources(marker, cleanupCommand && startCleanupProcess(cleanupCommand, job));
  const writeContext: WriteContext = {
    context,
    createdResources,
    removableResources: [],
    allowUnremovable: options.allowUnremovable ?? false,
    facts: {},
    requestSchemas: {},
  };
  let failure: unknown;
  try {
    await runAllWrites(writeContext, options);
  } catch (error) {
    failure = error;
  }
  const unremoved = await cleanUp(context, createdResources);
  context.skippedReasons.push(...unremoved);
  return { facts: writeContext.facts, requestSchemas: writeContext.requestSchemas, unremoved, failure };
}

async function runAllWrites(baseContext: WriteContext, options: WriteOptions): Promise<void> {
  const { context, facts } = baseContext;
  const { session, requestedTopics, skippedReasons } = context;
  const logProgress = (label: string) => session.onProgress(`${label} (${session.recorder.calls} calls so far)`);
  logProgress('finding out what can be removed');
  const removableResources = await findRemovableResources(context);
  facts.removals = removableResources;
  const writeContext = { ...baseContext, removableResources };
  const notRemovable = UNDOCUMENTED_DELETES.filter((one) => !removableResources.includes(one)).join(', ');
  if (notRemovable !== '' && !baseContext.allowUnremovable)
    skippedReasons.push(
      `Not created, because the service can't remove them: ${notRemovable}. Use --leave to create them anyway.`,
    );
  if (requestedTopics.has('webhooks') || requestedTopics.has('writes')) {
    logProgress('a throwaway webhook');
    await tryWebhook(writeContext, options);
  }
  if (requestedTopics.has('uploads')) {
    logProgress('an upload of a few bytes');
    await probeUpload(writeContext);
  }
  if (!requestedTopics.has('writes')) return;
  logProgress('a throwaway template');
  await probeTemplateWrites(writeContext);
  const document = await uploadThrowawayDocument(writeContext);
  if (document) await probeOrder(context, document.id);
  logProgress('a throwaway link');
  await probeLinkWrites(writeContext, document);
  logProgress('throwaway records');
  await probeRecordWrites(writeContext, document);
  if (document) await removeObject(writeContext, document);
}

/** Creates a webhook and, with `waitSeconds`, waits for an event. */
async function tryWebhook(writeContext: WriteContext, options: WriteOptions): Promise<void> {
  const { waitSeconds = 0, webhookPort = 0, webhookUrl } = options;
  const { session } = writeContext.context;
  const { marker } = writeContext.createdResources;
  const receiver = waitSeconds > 0 ? await startWebhookReceiver({ port: webhookPort, marker }) : undefined;
  try {
    const webhook = await createThrowawayWebhook(writeContext, webhookUrl ?? receiver?.url);
    if (!webhook) return;
    if (receiver) {
      const secondWebhook = await createSecondWebhook(writeContext, webhookUrl ?? receiver.url);
      session.onProgress(
        `open a share link of this workspace now, or sign an agreement: waiting ${waitSeconds} s for the event`,
      );
      const deliveries = await receiver.waitForDeliveries(waitSeconds, session.signal);
      const event = inferEvent(deliveries, getWebhookSecret(writeContext, webhook));
      if (event) writeContext.facts.event = event;
      session.onProgress(`received ${formatCount(deliveries.length, 'event')}`);
      if (secondWebhook) await removeObject(writeContext, secondWebhook, 'webhooks.delete');
    }
    await removeObject(writeContext, webhook, 'webhooks.delete');
  } finally {
    await receiver?.close();
  }
}

/** Returns the webhook secret, which stays in memory, to verify a signature. */
function getWebhookSecret({ facts }: WriteContext, { response }: ThrowawayObject): string | undefined {
  const value = facts.webhookSecret ? getValueAt(response.json, facts.webhookSecret) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Removes the remaining objects with the reserved calls. Returns sentences about those that may be left. */
async function cleanUp({ session }: ProbeContext, createdResources: CreatedResources): Promise<string[]> {
  const { recorder, client } = session;
  recorder.reservedCalls = 0;
  recorder.ignoreBudget = true;
  const { pending, marker } = createdResources;
  const fallback = { unremoved: pending.remainingPaths, listsWithoutMatch: [] };
  const { unremoved, listsWithoutMatch } = await removeAll(client, { ...pending, marker }).catch(() => fallback);
  recorder.ignoreBudget = false;
  const unidentified = [
    ...createdResources.listsMissingName,
    ...listsWithoutMatch.filter((list) => createdResources.listsMissingId.includes(list)),
  ];
  const seen = await findStillListed(session, createdResources);
  // Otherwise the cleanup process tries again when this process ends.
  if (unremoved.length === 0) await createdResources.finish();
  const remainingGroups = [...new Set([...unremoved, ...seen])].map((path) => path.split('/')[1]);
  return [
    ...remainingGroups.map((group) => `Could not remove one of ${group}. Remove it yourself: its name is ${marker}.`),
    ...unidentified.map(
      (list) => `One of ${list.slice(1)} was created, but no response had its ID and no item has its name.`,
    ),
  ];
}

const MAX_VERIFIED_ENTRIES = 100;
/** Time that a removed object may take to disappear from its list. */
const REMOVAL_SETTLE_MS = 1000;

/** Searches for marked objects that a successful removal left behind, within the budget. */
async function findStillListed(
  { client, recorder }: Session,
  { touchedLists, pending, marker }: CreatedResources,
): Promise<string[]> {
  const remaining: string[] = [];
  for (const list of touchedLists) {
    const search = () =>
      findMarkedPaths(client, { list, marker, preexisting: pending.preexisting, maxEntries: MAX_VERIFIED_ENTRIES });
    if (recorder.remainingCalls < 2 || (await search()).length === 0) continue;
    await sleep(REMOVAL_SETTLE_MS);
    remaining.push(...(await search()));
  }
  return remaining;
}

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inferEvent } from '../infer/infer-event.ts';
import { getValueAt } from '../probes/json-path.ts';
import type { ProbeContext } from '../probes/probe-context.ts';
import type { Session } from '../probes/session.ts';
import { startWebhookReceiver } from '../probes/webhook-receiver.ts';
import { type CleanupCommand, startCleanupProcess } from './cleanup-process.ts';
import { removeObject, type ThrowawayObject, type WriteContext } from './create-object.ts';
import { type CreatedResources, trackCreatedResources } from './created-resources.ts';
import { findRemovableResources, UNDOCUMENTED_DELETES } from './find-removable-resources.ts';
import { createJournal } from './journal.ts';
import { findMarkedPaths, removeAll } from './remove.ts';
import { writeLink } from './write-link.ts';
import { writeRecords } from './write-records.ts';
import { writeTemplate } from './write-template.ts';
import { writeDocument, writeUpload } from './write-uploads.ts';
import { removeWebhook, writeSecondWebhook, writeWebhook } from './write-webhooks.ts';

export interface WriteOptions {
  /** Where the journal is kept while something is there that has to be removed; none without one. */
  readonly folder?: string | undefined;
  readonly cleanupCommand?: CleanupCommand | undefined;
  /** Makes also what can't be removed, and says so. */
  readonly allowUnremovable?: boolean | undefined;
  readonly webhookUrl?: string | undefined;
  /** Waits so many seconds for events that a person brings about. */
  readonly waitSeconds?: number | undefined;
  /** Where deliveries are received on this machine; a free one unless told. */
  readonly webhookPort?: number | undefined;
  /** Told to the cleanup process alone. */
  readonly apiKey: string;
}

export interface WriteResult extends Pick<WriteContext, 'facts' | 'requestSchemas'> {
  /** In words, what could not be removed. */
  readonly unremoved: readonly string[];
  /** In words, what stopped it; undefined where nothing did. */
  readonly failure: unknown;
}

/** Makes throwaway objects, looks at every answer, and removes all that it made, whatever happens. */
export async function runWrites(context: ProbeContext, options: WriteOptions): Promise<WriteResult> {
  const marker = `docshare-learn-${randomBytes(6).toString('hex')}`;
  const createdResources = startTracking(context, { ...options, marker });
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
  const logProgress = (label: string) =>
    session.onProgress(`${label} (${session.recorder.calls} calls so far)`);
  logProgress('what can be removed');
  const removableResources = await findRemovableResources(context);
  facts.removals = removableResources;
  const writeContext = { ...baseContext, removableResources };
  const notRemovable = UNDOCUMENTED_DELETES.filter((one) => !removableResources.includes(one)).join(', ');
  if (notRemovable !== '' && !baseContext.allowUnremovable)
    skippedReasons.push(
      `Not made, because the service does not remove them: ${notRemovable}. --leave makes them all the same.`,
    );
  if (requestedTopics.has('webhooks') || requestedTopics.has('writes')) {
    logProgress('a throwaway webhook');
    await tryWebhook(writeContext, options);
  }
  if (requestedTopics.has('uploads')) {
    logProgress('an upload of a few bytes');
    await writeUpload(writeContext);
  }
  if (!requestedTopics.has('writes')) return;
  logProgress('a throwaway template');
  await writeTemplate(writeContext);
  const document = await writeDocument(writeContext);
  logProgress('a throwaway link');
  await writeLink(writeContext, document);
  logProgress('throwaway records');
  await writeRecords(writeContext, document);
  if (document) await removeObject(writeContext, document);
}

/** A registration, and what is delivered to it where somebody waits for that. */
async function tryWebhook(writeContext: WriteContext, options: WriteOptions): Promise<void> {
  const { waitSeconds = 0, webhookPort = 0, webhookUrl } = options;
  const { session } = writeContext.context;
  const { marker } = writeContext.createdResources;
  const receiver = waitSeconds > 0 ? await startWebhookReceiver({ port: webhookPort, marker }) : undefined;
  try {
    const webhook = await writeWebhook(writeContext, webhookUrl ?? receiver?.url);
    if (!webhook) return;
    if (receiver) {
      const secondWebhook = await writeSecondWebhook(writeContext, webhookUrl ?? receiver.url);
      session.onProgress(
        `now open a share link of this workspace, or sign an agreement: waiting ${waitSeconds} s for the event`,
      );
      const deliveries = await receiver.waitForDeliveries(waitSeconds, session.signal);
      const event = inferEvent(deliveries, getWebhookSecret(writeContext, webhook));
      if (event) writeContext.facts.event = event;
      session.onProgress(deliveries.length === 0 ? 'no event came' : `${deliveries.length} came`);
      if (secondWebhook) await removeWebhook(writeContext, secondWebhook);
    }
    await removeWebhook(writeContext, webhook);
  } finally {
    await receiver?.close();
  }
}

/** Known in memory alone, to check a signature by. */
function getWebhookSecret({ facts }: WriteContext, { response }: ThrowawayObject): string | undefined {
  const value = facts.webhookSecret ? getValueAt(response.json, facts.webhookSecret) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function startTracking(
  { session }: ProbeContext,
  { folder, cleanupCommand, marker, apiKey }: WriteOptions & { marker: string },
): CreatedResources {
  const service = session.client.baseUrl;
  const journal = folder === undefined ? undefined : createJournal(folder, { service, apiKey, marker });
  const job = { apiKey, baseUrl: service, marker, journal: journal?.path ?? '' };
  return trackCreatedResources(marker, {
    ...(journal ? { journal } : {}),
    ...(cleanupCommand ? { cleanupProcess: startCleanupProcess(cleanupCommand, job) } : {}),
  });
}

/** Removes what is still there; the calls for it were kept back. Gives in words what may be there all the same. */
async function cleanUp({ session }: ProbeContext, createdResources: CreatedResources): Promise<string[]> {
  const { recorder, client } = session;
  recorder.reservedCalls = 0;
  recorder.ignoreBudget = true;
  const fallback = { unremoved: createdResources.remainingPaths, listsWithoutMatch: [] };
  const { unremoved, listsWithoutMatch } = await removeAll(client, createdResources).catch(() => fallback);
  recorder.ignoreBudget = false;
  const unidentified = [
    ...createdResources.listsMissingName,
    ...listsWithoutMatch.filter((list) => createdResources.listsMissingId.includes(list)),
  ];
  const seen = await findStillListed(session, createdResources);
  // What is left stays in the journal: the next start tries again.
  if (unremoved.length === 0) await createdResources.finish();
  const remainingGroups = [...new Set([...unremoved, ...seen])].map((path) => path.split('/')[1]);
  return [
    ...remainingGroups.map(
      (group) =>
        `Could not be removed, and is still there under the name ${createdResources.marker}: one of ${group}.`,
    ),
    ...unidentified.map(
      (list) => `One of ${list.slice(1)} was made whose id no answer told and whose name no entry bears.`,
    ),
  ];
}

/** So many entries of a list are looked through, the newest where the service lists those first. */
const MAX_VERIFIED_ENTRIES = 100;
/** So long a service may take to let go of what it said is removed. */
const REMOVAL_SETTLE_MS = 1000;

/** A yes to a removal may be untrue: looks, as far as the budget allows, for what still bears the marker. */
async function findStillListed(
  { client, recorder }: Session,
  { touchedLists, preexisting, marker }: CreatedResources,
): Promise<string[]> {
  const remaining: string[] = [];
  for (const list of touchedLists) {
    const search = async () =>
      (await findMarkedPaths(client, { list, marker, maxEntries: MAX_VERIFIED_ENTRIES })).filter(
        (path) => !preexisting.includes(path),
      );
    if (recorder.remainingCalls < 2 || (await search()).length === 0) continue;
    await sleep(REMOVAL_SETTLE_MS);
    remaining.push(...(await search()));
  }
  return remaining;
}

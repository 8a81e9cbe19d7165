import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { concludeEvent } from '../events/conclude-event.ts';
import { openReceiver } from '../events/receiver.ts';
import { valueAt } from '../form/paths.ts';
import type { World } from '../probes/world.ts';
import type { Session } from '../wire/session.ts';
import { createDeeds, type Deeds } from './deeds.ts';
import { type JanitorCommand, startJanitor } from './janitor.ts';
import { createJournal } from './journal.ts';
import { type Made, remove, type Writing } from './maker.ts';
import { findRemovals, IN_QUESTION } from './removable.ts';
import { removeAll, searchFor } from './remove.ts';
import { writeRecords } from './write-drafts.ts';
import { writeLink } from './write-links.ts';
import { writeTemplate } from './write-templates.ts';
import { writeDocument, writeUpload } from './write-uploads.ts';
import { removeWebhook, writeSecondKind, writeWebhook } from './write-webhooks.ts';

export interface WriteOptions {
  /** Where the journal is kept while something is there that has to be removed; none without one. */
  readonly folder?: string | undefined;
  readonly janitor?: JanitorCommand | undefined;
  /** Makes also what can't be removed, and says so. */
  readonly leave?: boolean | undefined;
  readonly webhookUrl?: string | undefined;
  /** Waits so many seconds for events that a person brings about. */
  readonly waitSeconds?: number | undefined;
  /** Where deliveries are received on this machine; a free one unless told. */
  readonly webhookPort?: number | undefined;
  /** Told to the janitor alone. */
  readonly apiKey: string;
}

export interface Written extends Pick<Writing, 'facts' | 'takes'> {
  /** In words, what could not be removed. */
  readonly left: readonly string[];
  /** In words, what stopped it; undefined where nothing did. */
  readonly failure: unknown;
}

/** Makes throwaway objects, looks at every answer, and removes all that it made, whatever happens. */
export async function runWrites(world: World, options: WriteOptions): Promise<Written> {
  const marker = `docshare-learn-${randomBytes(6).toString('hex')}`;
  const deeds = openDeeds(world, { ...options, marker });
  const writing: Writing = {
    world,
    deeds,
    removals: [],
    leave: options.leave ?? false,
    facts: {},
    takes: {},
  };
  let failure: unknown;
  try {
    await writeAll(writing, options);
  } catch (error) {
    failure = error;
  }
  const left = await clear(world, deeds);
  world.gaps.push(...left);
  return { facts: writing.facts, takes: writing.takes, left, failure };
}

async function writeAll(given: Writing, options: WriteOptions): Promise<void> {
  const { world, facts } = given;
  const { session, wanted, gaps } = world;
  const say = (words: string) => session.say(`${words} (${session.recorder.calls} calls so far)`);
  say('what can be removed');
  const removals = await findRemovals(world);
  facts.removals = removals;
  const writing = { ...given, removals };
  const kept = IN_QUESTION.filter((one) => !removals.includes(one)).join(', ');
  if (kept !== '' && !given.leave)
    gaps.push(
      `Not made, because the service does not remove them: ${kept}. --leave makes them all the same.`,
    );
  if (wanted.has('webhooks') || wanted.has('writes')) {
    say('a throwaway webhook');
    await tryWebhook(writing, options);
  }
  if (wanted.has('uploads')) {
    say('an upload of a few bytes');
    await writeUpload(writing);
  }
  if (!wanted.has('writes')) return;
  say('a throwaway template');
  await writeTemplate(writing);
  const document = await writeDocument(writing);
  say('a throwaway link');
  await writeLink(writing, document);
  say('throwaway records');
  await writeRecords(writing, document);
  if (document) await remove(writing, document);
}

/** A registration, and what is delivered to it where somebody waits for that. */
async function tryWebhook(writing: Writing, options: WriteOptions): Promise<void> {
  const { waitSeconds = 0, webhookPort = 0, webhookUrl } = options;
  const { session } = writing.world;
  const { marker } = writing.deeds;
  const receiver = waitSeconds > 0 ? await openReceiver({ port: webhookPort, marker }) : undefined;
  try {
    const webhook = await writeWebhook(writing, webhookUrl ?? receiver?.address);
    if (!webhook) return;
    if (receiver) {
      const second = await writeSecondKind(writing, webhookUrl ?? receiver.address);
      session.say(
        `now open a share link of this workspace, or sign an agreement: waiting ${waitSeconds} s for the event`,
      );
      const came = await receiver.wait(waitSeconds, session.signal);
      const event = concludeEvent(came, secretIn(writing, webhook));
      if (event) writing.facts.event = event;
      session.say(came.length === 0 ? 'no event came' : `${came.length} came`);
      if (second) await removeWebhook(writing, second);
    }
    await removeWebhook(writing, webhook);
  } finally {
    await receiver?.close();
  }
}

/** Known in memory alone, to check a signature by. */
function secretIn({ facts }: Writing, { answer }: Made): string | undefined {
  const value = facts.webhookSecret ? valueAt(answer.json, facts.webhookSecret) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function openDeeds(
  { session }: World,
  { folder, janitor, marker, apiKey }: WriteOptions & { marker: string },
): Deeds {
  const service = session.client.baseUrl;
  const journal = folder === undefined ? undefined : createJournal(folder, { service, apiKey, marker });
  const order = { apiKey, baseUrl: service, marker, journal: journal?.path ?? '' };
  return createDeeds(marker, {
    ...(journal ? { journal } : {}),
    ...(janitor ? { janitor: startJanitor(janitor, order) } : {}),
  });
}

/** Removes what is still there; the calls for it were kept back. Gives in words what may be there all the same. */
async function clear({ session }: World, deeds: Deeds): Promise<string[]> {
  const { recorder, client } = session;
  recorder.reserved = 0;
  recorder.unbound = true;
  const nothing = { left: deeds.open, unfound: [] };
  const { left, unfound } = await removeAll(client, deeds).catch(() => nothing);
  recorder.unbound = false;
  const unnamed = [...deeds.nameless, ...unfound.filter((list) => deeds.unnamed.includes(list))];
  const seen = await stillListed(session, deeds);
  // What is left stays in the journal: the next start tries again.
  if (left.length === 0) await deeds.done();
  const stay = [...new Set([...left, ...seen])].map((path) => path.split('/')[1]);
  return [
    ...stay.map(
      (group) => `Could not be removed, and is still there under the name ${deeds.marker}: one of ${group}.`,
    ),
    ...unnamed.map(
      (list) => `One of ${list.slice(1)} was made whose id no answer told and whose name no entry bears.`,
    ),
  ];
}

/** So many entries of a list are looked through, the newest where the service lists those first. */
const MAX_VERIFIED_ENTRIES = 100;
/** So long a service may take to let go of what it said is removed. */
const REMOVAL_SETTLE_MS = 1000;

/** A yes to a removal may be untrue: looks, as far as the budget allows, for what still bears the marker. */
async function stillListed(
  { client, recorder }: Session,
  { touched, spared, marker }: Deeds,
): Promise<string[]> {
  const still: string[] = [];
  for (const list of touched) {
    const look = async () =>
      (await searchFor(client, { list, marker, most: MAX_VERIFIED_ENTRIES })).filter(
        (path) => !spared.includes(path),
      );
    if (recorder.left < 2 || (await look()).length === 0) continue;
    await sleep(REMOVAL_SETTLE_MS);
    still.push(...(await look()));
  }
  return still;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../src/create-client.ts';
import { DocshareError } from '../src/errors.ts';
import { detectFileKind } from '../src/media-type.ts';
import type { ServiceFacts, ServiceProfile } from '../src/profile/format.ts';
import type { Transport } from '../src/wire/transport.ts';
import { createUndiciTransport } from '../src/wire/undici-transport.ts';
import { USUAL_BUDGET } from './budget.ts';
import { conclude } from './conclude/conclude.ts';
import type { IsOwn } from './conclude/own-names.ts';
import { type LimitClock, useUpLimit } from './limit/use-up-limit.ts';
import { refuseByErrors, refuseByKeys } from './probes/bring-about-refusals.ts';
import { readLists, readListsBelow } from './probes/read-lists.ts';
import { readAnalytics, readBilling, readFiles, readObjects } from './probes/read-objects.ts';
import { tryPaging } from './probes/try-paging.ts';
import { tryQuery } from './probes/try-query.ts';
import type { World } from './probes/world.ts';
import { TOPICS, type Topic } from './questions/question.ts';
import { BudgetSpentError, createRecorder } from './wire/recorder.ts';
import { type Answer, createSession, LearningEnded, type Session } from './wire/session.ts';
import { runWrites, type WriteOptions, type Written } from './write/run-writes.ts';

export interface LearnOptions {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Calls to the service, at most. */
  readonly budget?: number | undefined;
  /** Only what belongs to these topics; all unless told. */
  readonly only?: readonly Topic[] | undefined;
  /** What an earlier run learned: asked again is only what it left open. */
  readonly past?: ServiceProfile | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((text: string) => void) | undefined;
  readonly transport?: Transport | undefined;
  readonly timeoutMs?: number | undefined;
  /** Makes throwaway objects too, and removes them. */
  readonly write?: WriteOptions | undefined;
  /** Uses the limit up at the end, to see how it is counted. */
  readonly limit?: { readonly clock?: LimitClock } | undefined;
  /** Keeps names of fields that may be those of the account. */
  readonly keepNames?: boolean | undefined;
}

export interface Learned {
  readonly profile: ServiceProfile;
  /** Which names are taken for the service's own. */
  readonly isOwn: IsOwn;
  /** All answers, in memory: the report draws their forms. */
  readonly answers: readonly Answer[];
  /** In words, what could not be asked. */
  readonly gaps: readonly string[];
  /** In words, what was made and could not be removed. */
  readonly left: readonly string[];
  /** In words, why it ended before its end; undefined where it did not. */
  readonly ended: string | undefined;
}

/** Ended before anything of a form was answered: a web page is an answer as well, of no form. */
export function isNothingLearned({ answers, ended, profile }: Learned): boolean {
  const isFormless = Object.values(profile.operations).every((one) => !one?.answer?.body);
  return answers.length === 0 || (ended !== undefined && isFormless);
}

interface Step {
  readonly topics: readonly Topic[];
  readonly words: string;
  readonly run: (world: World) => Promise<void>;
}

/** In the order in which they tell most for a call. */
const STEPS: readonly Step[] = [
  {
    // Only bills, keys and the limit are asked about without an object.
    topics: TOPICS.filter((topic) => topic !== 'billing' && topic !== 'keys' && topic !== 'limit'),
    words: 'each list as it comes',
    run: readLists,
  },
  {
    topics: ['errors'],
    words: 'refusals: an unknown id, an unknown route, a wrong method',
    run: refuseByErrors,
  },
  { topics: ['keys'], words: 'refusals: a wrong key, no key', run: refuseByKeys },
  { topics: ['files'], words: 'how a file is answered', run: readFiles },
  { topics: ['objects'], words: 'one object of each kind', run: readObjects },
  { topics: ['paging'], words: 'how lists page', run: tryPaging },
  { topics: ['lists', 'analytics'], words: 'pages of a document, visitors of a link', run: readListsBelow },
  { topics: ['analytics'], words: 'figures of a link, a visit and a room', run: readAnalytics },
  { topics: ['billing'], words: 'subscription and usage', run: readBilling },
  { topics: ['query'], words: 'what narrows and sorts lists', run: tryQuery },
];

/** Asks the service what its document leaves open. Reads only, unless `write` is given. */
export async function learn(options: LearnOptions = {}): Promise<Learned> {
  const { budget = USUAL_BUDGET, say = () => undefined, signal = new AbortController().signal } = options;
  const own = options.transport ? undefined : createUndiciTransport();
  const recorder = createRecorder({ transport: options.transport ?? own ?? missing, budget });
  const client = createClient({
    apiKey: options.apiKey,
    baseUrl: options.baseUrl,
    transport: recorder.transport,
    timeoutMs: options.timeoutMs ?? 15_000,
    // What is learned must not rest on what was learned before.
    profile: null,
  });
  try {
    const session = createSession({ client, recorder, signal, say });
    return await run(session, options);
  } finally {
    await client.close();
    await own?.close();
  }
}

const missing: Transport = () => Promise.reject(new Error('No transport'));

async function run(session: Session, options: LearnOptions): Promise<Learned> {
  const wanted = new Set(options.only ?? TOPICS);
  const world: World = {
    session,
    wanted,
    past: options.past,
    lists: new Map(),
    paging: {},
    query: {},
    gaps: [],
  };
  const { recorder, say } = session;
  let ended: string | undefined;
  for (const { topics, words, run } of STEPS) {
    if (!topics.some((topic) => wanted.has(topic))) continue;
    say(`${words} (${recorder.calls} of ${options.budget ?? USUAL_BUDGET} calls)`);
    try {
      await run(world);
    } catch (error) {
      ended = getStopReason(error, session.signal);
      break;
    }
    if (world.lists.size === 0 && refusedKey(session.answers)) {
      ended = 'The service refuses the key: make a new one in Settings → API keys.';
      break;
    }
    const elsewhere = world.lists.size === 0 ? notTheApi(session.answers) : undefined;
    if (elsewhere !== undefined) {
      ended = elsewhere;
      break;
    }
  }
  let written: Written | undefined;
  if (options.write && ended === undefined) {
    written = await runWrites(world, options.write);
    if (written.failure !== undefined) ended = getStopReason(written.failure, session.signal);
  }
  const limit = options.limit && ended === undefined ? await tryLimit(session, options) : undefined;
  const mode = written ? 'write' : 'read';
  const { profile, isOwn } = conclude(world, {
    mode,
    at: new Date(),
    limit,
    facts: written?.facts ?? {},
    takes: written?.takes ?? {},
    keepNames: options.keepNames,
  });
  return { profile, isOwn, answers: session.answers, gaps: world.gaps, left: written?.left ?? [], ended };
}

const REAL_CLOCK: LimitClock = { now: () => Date.now(), sleep: (ms) => sleep(ms) };

async function tryLimit(session: Session, { apiKey, limit }: LearnOptions): Promise<ServiceFacts['limit']> {
  const clock = limit?.clock ?? REAL_CLOCK;
  session.say('the limit is used up: two to four minutes');
  const key = apiKey ?? process.env['DOCSHARE_API_KEY'] ?? '';
  const found = await useUpLimit(session, { apiKey: key, clock }).catch((error: unknown) => {
    if (session.signal.aborted) return undefined;
    throw error;
  });
  return found && { headers: [], ...found };
}

/** In words, why no more is asked; what was not expected is thrown on. */
function getStopReason(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'Stopped by you.';
  if (error instanceof BudgetSpentError) return `${error.message} --budget allows more.`;
  if (error instanceof LearningEnded) return error.message;
  if (error instanceof DocshareError) return error.message;
  throw error;
}

/** In words, what answers in the place of the API, where no list was one. */
function notTheApi(answers: readonly Answer[]): string | undefined {
  const lists = answers.filter(({ asked }) => asked.topic === 'lists');
  if (lists.length < 3) return undefined;
  // What a service answers while it is down says nothing of how it refuses.
  if (lists.every(({ status }) => status >= 500))
    return `The service is out of order: it answers every call ${lists[0]?.status}. Learn again later.`;
  const words = inPlaceOfTheApi(lists);
  return words && `${words} DOCSHARE_BASE_URL has to be the address of the API, which ends in /api/v1.`;
}

function inPlaceOfTheApi(lists: readonly Answer[]): string | undefined {
  const isPage = ({ headers, text }: Answer) =>
    /html/i.test(headers['content-type'] ?? '') || detectFileKind(Buffer.from(text)) === 'web page';
  if (lists.every(({ status }) => status >= 300 && status < 400))
    return 'This is not the API: every call is sent elsewhere, as a web site sends its visitors to sign in.';
  if (lists.every((answer) => answer.ok && isPage(answer)))
    return 'This is not the API: a web page answers every call.';
  return lists.every(({ status }) => status === 404)
    ? 'This is not the API: every call is answered 404.'
    : undefined;
}

/** Every call with the key was refused as an unknown key is. */
function refusedKey(answers: readonly Answer[]): boolean {
  const own = answers.filter(({ asked }) => asked.key === undefined);
  return own.length >= 3 && own.every(({ status }) => status === 401 || status === 403);
}

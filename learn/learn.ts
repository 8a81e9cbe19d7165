import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../src/create-client.ts';
import { DocshareError } from '../src/errors.ts';
import { detectFileKind } from '../src/media-type.ts';
import type { ServiceFacts, ServiceProfile } from '../src/profile/service-profile.ts';
import type { Transport } from '../src/transport/transport.ts';
import { createUndiciTransport } from '../src/transport/undici-transport.ts';
import { inferProfile } from './infer/infer-profile.ts';
import type { ServiceNamePredicate } from './infer/service-names.ts';
import { DEFAULT_CALL_BUDGET } from './probes/call-budget.ts';
import { exhaustRateLimit, type RateLimitClock } from './probes/exhaust-rate-limit.ts';
import type { ProbeContext } from './probes/probe-context.ts';
import { probePagination } from './probes/probe-pagination.ts';
import { probeQueryParameters } from './probes/probe-query-parameters.ts';
import { provokeErrors, provokeKeyErrors } from './probes/provoke-errors.ts';
import { readLists, readNestedLists } from './probes/read-lists.ts';
import { readAnalytics, readBilling, readFiles, readObjects } from './probes/read-objects.ts';
import { BudgetExceededError, createRecorder } from './probes/recorder.ts';
import {
  createSession,
  LearningStoppedError,
  type RecordedResponse,
  type Session,
} from './probes/session.ts';
import { TOPICS, type Topic } from './questions/question.ts';
import { runWrites, type WriteOptions, type WriteResult } from './write/run-writes.ts';

export interface LearnOptions {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Calls to the service, at most. */
  readonly budget?: number | undefined;
  /** Only what belongs to these topics; all unless told. */
  readonly topics?: readonly Topic[] | undefined;
  /** What an earlier run learned: asked again is only what it left open. */
  readonly previousProfile?: ServiceProfile | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
  readonly transport?: Transport | undefined;
  readonly timeoutMs?: number | undefined;
  /** Makes throwaway objects too, and removes them. */
  readonly write?: WriteOptions | undefined;
  /** Uses the limit up at the end, to see how it is counted. */
  readonly limit?: { readonly clock?: RateLimitClock } | undefined;
  /** Keeps names of fields that may be those of the account. */
  readonly keepNames?: boolean | undefined;
}

export interface LearnResult {
  readonly profile: ServiceProfile;
  /** Which names are taken for the service's own. */
  readonly isServiceName: ServiceNamePredicate;
  /** All answers, in memory: the report draws their forms. */
  readonly responses: readonly RecordedResponse[];
  /** In words, what could not be asked. */
  readonly skippedReasons: readonly string[];
  /** In words, what was made and could not be removed. */
  readonly unremoved: readonly string[];
  /** In words, why it ended before its end; undefined where it did not. */
  readonly stopReason: string | undefined;
}

/** Ended before anything of a form was answered: a web page is an answer as well, of no form. */
export function isEmptyResult({ responses, stopReason, profile }: LearnResult): boolean {
  const hasNoBodies = Object.values(profile.operations).every((one) => !one?.answer?.body);
  return responses.length === 0 || (stopReason !== undefined && hasNoBodies);
}

interface ProbeStep {
  readonly topics: readonly Topic[];
  readonly label: string;
  readonly run: (context: ProbeContext) => Promise<void>;
}

/** In the order in which they tell most for a call. */
const STEPS: readonly ProbeStep[] = [
  {
    // Only bills, keys and the limit are asked about without an object.
    topics: TOPICS.filter((topic) => topic !== 'billing' && topic !== 'keys' && topic !== 'limit'),
    label: 'each list as it comes',
    run: readLists,
  },
  {
    topics: ['errors'],
    label: 'refusals: an unknown id, an unknown route, a wrong method',
    run: provokeErrors,
  },
  { topics: ['keys'], label: 'refusals: a wrong key, no key', run: provokeKeyErrors },
  { topics: ['files'], label: 'how a file is answered', run: readFiles },
  { topics: ['objects'], label: 'one object of each kind', run: readObjects },
  { topics: ['paging'], label: 'how lists page', run: probePagination },
  { topics: ['lists', 'analytics'], label: 'pages of a document, visitors of a link', run: readNestedLists },
  { topics: ['analytics'], label: 'figures of a link, a visit and a room', run: readAnalytics },
  { topics: ['billing'], label: 'subscription and usage', run: readBilling },
  { topics: ['query'], label: 'what narrows and sorts lists', run: probeQueryParameters },
];

/** Asks the service what its document leaves open. Reads only, unless `write` is given. */
export async function learn(options: LearnOptions = {}): Promise<LearnResult> {
  const {
    budget = DEFAULT_CALL_BUDGET,
    onProgress = () => undefined,
    signal = new AbortController().signal,
  } = options;
  const ownTransport = options.transport ? undefined : createUndiciTransport();
  const recorder = createRecorder({
    transport: options.transport ?? ownTransport ?? missingTransport,
    budget,
  });
  const client = createClient({
    apiKey: options.apiKey,
    baseUrl: options.baseUrl,
    transport: recorder.transport,
    timeoutMs: options.timeoutMs ?? 15_000,
    // What is learned must not rest on what was learned before.
    profile: null,
  });
  try {
    const session = createSession({ client, recorder, signal, onProgress });
    return await run(session, options);
  } finally {
    await client.close();
    await ownTransport?.close();
  }
}

const missingTransport: Transport = () => Promise.reject(new Error('No transport'));

async function run(session: Session, options: LearnOptions): Promise<LearnResult> {
  const requestedTopics = new Set(options.topics ?? TOPICS);
  const context: ProbeContext = {
    session,
    requestedTopics,
    previousProfile: options.previousProfile,
    lists: new Map(),
    pagination: {},
    query: {},
    skippedReasons: [],
  };
  const { recorder, onProgress } = session;
  let stopReason: string | undefined;
  for (const { topics, label, run } of STEPS) {
    if (!topics.some((topic) => requestedTopics.has(topic))) continue;
    onProgress(`${label} (${recorder.calls} of ${options.budget ?? DEFAULT_CALL_BUDGET} calls)`);
    try {
      await run(context);
    } catch (error) {
      stopReason = getStopReason(error, session.signal);
      break;
    }
    if (context.lists.size === 0 && isKeyRejected(session.responses)) {
      stopReason = 'The service refuses the key: make a new one in Settings → API keys.';
      break;
    }
    const notApiReason = context.lists.size === 0 ? explainNotApi(session.responses) : undefined;
    if (notApiReason !== undefined) {
      stopReason = notApiReason;
      break;
    }
  }
  let writeResult: WriteResult | undefined;
  if (options.write && stopReason === undefined) {
    writeResult = await runWrites(context, options.write);
    if (writeResult.failure !== undefined) stopReason = getStopReason(writeResult.failure, session.signal);
  }
  const limit =
    options.limit && stopReason === undefined ? await probeRateLimit(session, options) : undefined;
  const mode = writeResult ? 'write' : 'read';
  const { profile, isServiceName } = inferProfile(context, {
    mode,
    learnedAt: new Date(),
    limit,
    facts: writeResult?.facts ?? {},
    requestSchemas: writeResult?.requestSchemas ?? {},
    keepNames: options.keepNames,
  });
  return {
    profile,
    isServiceName,
    responses: session.responses,
    skippedReasons: context.skippedReasons,
    unremoved: writeResult?.unremoved ?? [],
    stopReason,
  };
}

const SYSTEM_CLOCK: RateLimitClock = { now: () => Date.now(), sleep: (ms) => sleep(ms) };

async function probeRateLimit(
  session: Session,
  { apiKey, limit }: LearnOptions,
): Promise<ServiceFacts['limit']> {
  const clock = limit?.clock ?? SYSTEM_CLOCK;
  session.onProgress('the limit is used up: two to four minutes');
  const resolvedKey = apiKey ?? process.env['DOCSHARE_API_KEY'] ?? '';
  const found = await exhaustRateLimit(session, { apiKey: resolvedKey, clock }).catch((error: unknown) => {
    if (session.signal.aborted) return undefined;
    throw error;
  });
  return found && { headers: [], ...found };
}

/** In words, why no more is asked; what was not expected is thrown on. */
function getStopReason(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'Stopped by you.';
  if (error instanceof BudgetExceededError) return `${error.message} --budget allows more.`;
  if (error instanceof LearningStoppedError) return error.message;
  if (error instanceof DocshareError) return error.message;
  throw error;
}

/** In words, what answers in the place of the API, where no list was one. */
function explainNotApi(responses: readonly RecordedResponse[]): string | undefined {
  const lists = responses.filter(({ request }) => request.topic === 'lists');
  if (lists.length < 3) return undefined;
  // What a service answers while it is down says nothing of how it refuses.
  if (lists.every(({ status }) => status >= 500))
    return `The service is out of order: it answers every call ${lists[0]?.status}. Learn again later.`;
  const description = describeOtherServer(lists);
  return (
    description && `${description} DOCSHARE_BASE_URL has to be the address of the API, which ends in /api/v1.`
  );
}

function describeOtherServer(lists: readonly RecordedResponse[]): string | undefined {
  const isPage = ({ headers, text }: RecordedResponse) =>
    /html/i.test(headers['content-type'] ?? '') || detectFileKind(Buffer.from(text)) === 'web page';
  if (lists.every(({ status }) => status >= 300 && status < 400))
    return 'This is not the API: every call is sent elsewhere, as a web site sends its visitors to sign in.';
  if (lists.every((response) => response.ok && isPage(response)))
    return 'This is not the API: a web page answers every call.';
  return lists.every(({ status }) => status === 404)
    ? 'This is not the API: every call is answered 404.'
    : undefined;
}

/** Every call with the key was refused as an unknown key is. */
function isKeyRejected(responses: readonly RecordedResponse[]): boolean {
  const sentWithKey = responses.filter(({ request }) => request.key === undefined);
  return sentWithKey.length >= 3 && sentWithKey.every(({ status }) => status === 401 || status === 403);
}

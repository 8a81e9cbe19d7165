import { createClient } from '../src/create-client.ts';
import { DocshareError } from '../src/errors.ts';
import { detectFileKind } from '../src/media-type.ts';
import type { ServiceProfile } from '../src/profile/service-profile.ts';
import type { Transport } from '../src/transport/transport.ts';
import { createUndiciTransport } from '../src/transport/undici-transport.ts';
import { inferProfile } from './infer/infer-profile.ts';
import type { ServiceNamePredicate } from './infer/service-names.ts';
import type { ProbeContext } from './probes/probe-context.ts';
import { probePagination } from './probes/probe-pagination.ts';
import { probeQueryParameters } from './probes/probe-query-parameters.ts';
import { provokeErrors, provokeKeyErrors } from './probes/provoke-errors.ts';
import { readLists, readNestedLists } from './probes/read-lists.ts';
import { readAgreementFile, readAnalytics, readBilling, readObjects } from './probes/read-objects.ts';
import { BudgetExceededError, createRecorder, DEFAULT_CALL_BUDGET } from './probes/recorder.ts';
import { createSession, type RecordedResponse, type Session } from './probes/session.ts';
import { TOPICS, type Topic } from './questions/question.ts';
import { runWriteProbes, type WriteOptions, type WriteResult } from './write/run-write-probes.ts';

export interface LearnOptions {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Maximum number of calls to the service. */
  readonly budget?: number | undefined;
  /** Topics to learn about (default: all). */
  readonly topics?: readonly Topic[] | undefined;
  /** Profile of an earlier run; the new profile keeps what it knows. */
  readonly previousProfile?: ServiceProfile | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
  readonly transport?: Transport | undefined;
  readonly timeoutMs?: number | undefined;
  /** Also creates throwaway objects and removes them. */
  readonly write?: WriteOptions | undefined;
  /** Keeps field names that users of the account may have chosen. */
  readonly keepNames?: boolean | undefined;
}

export interface LearnResult {
  readonly profile: ServiceProfile;
  readonly isServiceName: ServiceNamePredicate;
  /** All responses, in memory only; the report shows their formats. */
  readonly responses: readonly RecordedResponse[];
  /** Sentences about probes that were not possible. */
  readonly skippedReasons: readonly string[];
  /** Sentences about created objects that could not be removed. */
  readonly unremoved: readonly string[];
  /** Sentence about why the run ended early; undefined if it completed. */
  readonly stopReason: string | undefined;
}

/** Returns whether nothing was learned: no responses, or the run ended before any response had a JSON body. */
export function isEmptyResult({ responses, stopReason, profile }: LearnResult): boolean {
  const hasNoBodies = Object.values(profile.operations).every((one) => !one?.response?.body);
  return responses.length === 0 || (stopReason !== undefined && hasNoBodies);
}

interface ProbeStep {
  readonly topics: readonly Topic[];
  readonly label: string;
  readonly run: (context: ProbeContext) => Promise<void>;
}

/** Probes in the order of what they reveal per call. */
const STEPS: readonly ProbeStep[] = [
  {
    // All other topics need an object from a list.
    topics: TOPICS.filter((topic) => topic !== 'billing' && topic !== 'keys'),
    label: 'reading each list',
    run: readLists,
  },
  { topics: ['errors'], label: 'errors: unknown ID, unknown route, wrong method', run: provokeErrors },
  { topics: ['keys'], label: 'errors: wrong key, no key', run: provokeKeyErrors },
  { topics: ['files'], label: 'file download', run: readAgreementFile },
  { topics: ['objects'], label: 'one object of each kind', run: readObjects },
  { topics: ['paging'], label: 'pagination', run: probePagination },
  { topics: ['lists', 'analytics'], label: 'pages of a document, visitors of a link', run: readNestedLists },
  { topics: ['analytics'], label: 'analytics of a link, a visit and a room', run: readAnalytics },
  { topics: ['billing'], label: 'subscription and usage', run: readBilling },
  { topics: ['query'], label: 'filters and sorting', run: probeQueryParameters },
];

/** Learns from the service what its API document leaves open. Only reads, unless `write` is set. */
export async function learn(options: LearnOptions = {}): Promise<LearnResult> {
  const { budget = DEFAULT_CALL_BUDGET, onProgress = () => undefined, signal = new AbortController().signal } = options;
  const ownTransport = createUndiciTransport();
  const recorder = createRecorder({ transport: options.transport ?? ownTransport, budget });
  const client = createClient({
    apiKey: options.apiKey,
    baseUrl: options.baseUrl,
    transport: recorder.transport,
    timeoutMs: options.timeoutMs ?? 15_000,
    // A profile must not influence what is observed.
    profile: null,
  });
  try {
    const session = createSession({ client, recorder, signal, onProgress });
    return await run(session, options);
  } finally {
    await client.close();
    await ownTransport.close();
  }
}

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
    if (context.lists.size > 0) continue;
    stopReason = explainRejections(session.responses);
    if (stopReason !== undefined) break;
  }
  let writeResult: WriteResult | undefined;
  if (options.write && stopReason === undefined) {
    writeResult = await runWriteProbes(context, options.write);
    if (writeResult.failure !== undefined) stopReason = getStopReason(writeResult.failure, session.signal);
  }
  const mode = writeResult ? 'write' : 'read';
  const { profile, isServiceName } = inferProfile(context, {
    mode,
    learnedAt: new Date(),
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

/** Returns why the run ends early. Rethrows unexpected errors. */
function getStopReason(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'Stopped by you.';
  if (error instanceof BudgetExceededError) return `${error.message} Raise it with --budget.`;
  if (error instanceof DocshareError) return error.message;
  throw error;
}

/** Returns why no list could be read: a rejected key, an outage, or something else instead of the API. */
function explainRejections(responses: readonly RecordedResponse[]): string | undefined {
  if (isKeyRejected(responses)) return 'The service rejected the API key. Create a new one in Settings → API keys.';
  const lists = responses.filter(({ request }) => request.topic === 'lists');
  if (lists.length < 3) return undefined;
  // The responses of a service that is down don't show how it reports errors.
  if (lists.every(({ status }) => status >= 500))
    return `The service is down: every call returned ${lists[0]?.status}. Try again later.`;
  const description = describeOtherServer(lists);
  return description && `${description} Set DOCSHARE_BASE_URL to the URL of the API, which ends in /api/v1.`;
}

function describeOtherServer(lists: readonly RecordedResponse[]): string | undefined {
  const isPage = ({ headers, text }: RecordedResponse) =>
    /html/i.test(headers['content-type'] ?? '') || detectFileKind(Buffer.from(text)) === 'web page';
  if (lists.every(({ status }) => status >= 300 && status < 400))
    return 'This is not the API: every call was redirected, as web sites do to show a sign-in page.';
  if (lists.every((response) => response.ok && isPage(response)))
    return 'This is not the API: every call returned a web page.';
  return lists.every(({ status }) => status === 404) ? 'This is not the API: every call returned 404.' : undefined;
}

/** Returns whether every call with the key failed as it would with an unknown key. */
function isKeyRejected(responses: readonly RecordedResponse[]): boolean {
  const sentWithKey = responses.filter(({ request }) => request.key === undefined);
  return sentWithKey.length >= 3 && sentWithKey.every(({ status }) => status === 401 || status === 403);
}

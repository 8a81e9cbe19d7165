import { Readable } from 'node:stream';
import { DocshareError } from '../../src/errors.ts';
import { readBodyBytes, type Transport, type TransportRequest } from '../../src/transport/transport.ts';
import { formatCount } from '../format-count.ts';

/** Default maximum number of calls to the service. */
export const DEFAULT_CALL_BUDGET = 60;
/** Default with `--write`, which also removes objects. */
export const DEFAULT_WRITE_CALL_BUDGET = 150;

export class BudgetExceededError extends DocshareError {}

/** A request and its response as received. Kept in memory only. */
export interface Exchange {
  readonly url: URL;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** False if the body exceeded the size limit. */
  readonly isComplete: boolean;
  readonly at: number;
}

export type KeyUse = 'own' | 'wrong' | 'none';

export type Recorder = ReturnType<typeof createRecorder>;

/** About ten times the size of a list of a hundred entries. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_FILE_BYTES = 1024;

const WRONG_KEY = 'docshare-learn-wrong-key';

/**
 * Creates a transport that records exchanges and enforces the budget. The client sees a redirect as a 204, so that no URL
 * in a response is ever followed.
 */
export function createRecorder({ transport, budget }: { transport: Transport; budget: number }) {
  let exchanges: Exchange[] = [];
  let calls = 0;
  let lastBudgetError: BudgetExceededError | undefined;
  const recorder = {
    /** API key of the next requests. */
    key: 'own' as KeyUse,
    /** Calls reserved for removing objects. */
    reservedCalls: 0,
    /** Set while objects are removed, which must always complete. */
    ignoreBudget: false,
    get calls(): number {
      return calls;
    },
    get remainingCalls(): number {
      return Math.max(0, budget - calls - recorder.reservedCalls);
    },
    /** Set if the last call exceeded the budget. */
    get budgetError(): BudgetExceededError | undefined {
      return lastBudgetError;
    },
    /** Returns the exchanges since the last call. */
    takeExchanges(): readonly Exchange[] {
      const result = exchanges;
      exchanges = [];
      return result;
    },
    async transport(request: TransportRequest): ReturnType<Transport> {
      if (recorder.remainingCalls === 0 && !recorder.ignoreBudget) {
        lastBudgetError = new BudgetExceededError(`The budget of ${formatCount(budget, 'call')} is exhausted.`);
        throw lastBudgetError;
      }
      lastBudgetError = undefined;
      calls += 1;
      const sent = { ...request, headers: applyKey(request, recorder.key) };
      const { status, headers, body } = await transport(sent);
      const isText = /json|text|xml|^$/.test(headers['content-type'] ?? '');
      const { bytes, complete } = await readBodyBytes(body, isText ? MAX_BODY_BYTES : MAX_FILE_BYTES);
      const text = isText ? new TextDecoder().decode(bytes) : '';
      const url = new URL(request.url);
      exchanges.push({ url, status, headers, text, isComplete: complete, at: Date.now() });
      if (status >= 300 && status < 400) return { status: 204, headers: {}, body: Readable.from([]) };
      const chunks = bytes.byteLength > 0 ? [bytes] : [];
      return { status, headers: removeEncodingHeaders(headers), body: Readable.from(chunks) };
    },
  };
  return recorder;
}

function applyKey({ headers }: TransportRequest, key: KeyUse): Record<string, string> {
  const { authorization, ...rest } = headers;
  if (authorization === undefined || key === 'none') return rest;
  return { ...rest, authorization: key === 'wrong' ? `Bearer ${WRONG_KEY}` : authorization };
}

/** Removes headers that no longer match the decoded and possibly truncated body. */
function removeEncodingHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'content-encoding': _, 'content-length': __, ...rest } = headers;
  return rest;
}

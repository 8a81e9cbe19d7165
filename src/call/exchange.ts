import { backoffMs } from '../retry/retry.ts';
import { type Lifetime, sleep } from '../timer.ts';
import { attemptOnce } from './attempt.ts';
import type { ExchangeContext } from './context.ts';
import type { Observation } from './hooks.ts';
import { beginCall, endCall } from './observe.ts';
import type { Outcome, Rules, Turn } from './rules.ts';

/**
 * Runs one exchange to its end: attempts in their turn, redirects, back-off, again where the rules allow it, all within
 * one lifetime.
 * @throws the error of the last attempt, or the reason of whatever ended the lifetime.
 */
export function exchange<Result>(
  context: ExchangeContext,
  rules: Rules<Result>,
  lifetime: Lifetime,
): Promise<Result> {
  const { told } = context;
  if (!told) return repeat(context, rules, { lifetime, observation: undefined });
  const observation = beginCall(told, rules);
  const result = repeat(context, rules, { lifetime, observation });
  result.then(
    () => endCall(told, observation),
    (error: unknown) => endCall(told, observation, { error }),
  );
  return result;
}

async function repeat<Result>(
  context: ExchangeContext,
  rules: Rules<Result>,
  { lifetime, observation }: { lifetime: Lifetime; observation: Observation | undefined },
): Promise<Result> {
  const prepared = rules.prepare(0);
  let wire = prepared instanceof Promise ? await prepared : prepared;
  let attempt = 0;
  let hops = 0;
  let mayHaveRun = false;
  for (;;) {
    const turn: Turn = { lifetime, observation, attempt, hops, mayHaveRun };
    const run = () => attemptOnce(context, { rules, wire, turn });
    const outcome: Outcome<Result> = await (rules.inTurn ? rules.inTurn(run, turn) : run());
    if (outcome.kind === 'done') return outcome.result;
    if (outcome.kind === 'moved') {
      hops += 1;
      wire = outcome.wire;
      continue;
    }
    const { error } = outcome;
    if (lifetime.abortedByCaller()) throw lifetime.caller?.reason;
    mayHaveRun ||= outcome.mayHaveRun;
    const waitMs = outcome.waitMs ?? backoffMs(attempt, context.retry);
    const retries = Math.min(rules.retries, outcome.mostRetries ?? rules.retries);
    // A time beyond the deadline: the caller learns it now rather than then.
    const tooLong =
      waitMs >= Math.min(lifetime.remainingMs(), rules.longestWaitMs ?? Number.POSITIVE_INFINITY);
    if (!outcome.again || attempt >= retries || tooLong) {
      if (outcome.instead !== undefined) return outcome.instead;
      throw error;
    }
    attempt += 1;
    if (observation) tellRetry(context, observation, { attempt, waitMs, error });
    if (!outcome.held) await sleep(waitMs, lifetime.signal());
    if (!rules.renews) continue;
    wire = await rules.prepare(attempt);
    hops = 0;
  }
}

function tellRetry(
  { told }: ExchangeContext,
  { seen }: Observation,
  retry: { attempt: number; waitMs: number; error: Error },
): void {
  const { error, ...numbers } = retry;
  told?.log('warn', 'retrying', { ...seen, ...numbers, reason: error.name });
  told?.call('onRetry', { ...seen, ...retry });
}

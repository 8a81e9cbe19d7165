import type { JsonObject } from '../../src/records/fields.ts';
import { isOutcomeUnknown } from '../call/idempotency.ts';
import { getFailureCode } from '../result/describe-failure.ts';
import type { ToolContext, ToolResult } from '../tool/tool.ts';

/** The rows that a question shows whole. */
export const MAX_STEPS = 40;
/** More than the 4 s between calls to a service that has rejected several. */
const MAX_WAIT_MS = 5000;
const MAX_RUN_MS = 30_000;

/** With a plan that continues, reads wait as its steps do. Otherwise each call would spend its only start on a read. */
export const withPlanReads = (context: ToolContext): ToolContext =>
  context.plan ? { ...context, options: { ...context.options, maxWaitMs: 12_000, deadlineMs: 15_000 } } : context;

export interface PlanStep {
  /** Identifies the step within its plan. */
  readonly key: string;
  /** Fields that name it in the result. */
  readonly about: JsonObject;
  readonly affected: JsonObject;
  readonly run: () => Promise<JsonObject>;
}

/**
 * Carries out the steps of an approved plan within the rate limit and the time of a call. A later call with the same
 * arguments continues: no step runs twice.
 */
export async function runPlan(
  { client, options, plan, progress, shutdownStarted }: ToolContext,
  steps: readonly PlanStep[],
): Promise<{
  items: readonly JsonObject[];
  /** Keys of the steps of this call that took effect, or may have. */
  touched: readonly string[];
  data: JsonObject;
  trustedFields: NonNullable<ToolResult['trustedFields']>;
}> {
  const deadline = Date.now() + MAX_RUN_MS;
  const [items, failed, touched]: [JsonObject[], JsonObject[], string[]] = [[], [], []];
  const outcomes = (await plan?.getOutcomes()) ?? new Map<string, string>();
  for (const { key, about } of steps) {
    const outcome = outcomes.get(key) ?? 'done';
    if (outcome !== 'done') failed.push({ ...about, error: outcome });
  }
  const earlier = failed.length;
  const pending = steps.filter(({ key }) => !outcomes.has(key));
  let left = pending.length;
  let isClosed = false;
  let firstFailure: unknown;
  for (const { key, about, affected, run } of pending) {
    if (client.expectedWaitMs() > MAX_WAIT_MS || Date.now() > deadline) break;
    const turn = shutdownStarted?.aborted ? 'closed' : ((await plan?.begin(key, affected)) ?? 'run');
    isClosed = turn === 'closed';
    if (isClosed) break;
    left -= 1;
    if (turn === 'changed') failed.push({ ...about, error: turn });
    if (turn !== 'run') continue;
    try {
      items.push({ ...about, ...(await run()) });
      touched.push(key);
      await plan?.end(key, 'done');
    } catch (error) {
      options.signal?.throwIfAborted();
      firstFailure ??= error;
      const isUnknown = isOutcomeUnknown(error);
      if (isUnknown) touched.push(key);
      const code = isUnknown ? 'unknown_outcome' : getFailureCode(error);
      if (code === 'rate_limited') {
        await plan?.end(key, undefined);
        left += 1;
        break;
      }
      failed.push({ ...about, error: code });
      await plan?.end(key, code);
    }
    progress.step(items.length, pending.length, `done ${items.length} of ${pending.length}`);
  }
  if (left === 0) await plan?.close();
  if (firstFailure !== undefined && earlier === 0 && failed.length === steps.length) throw firstFailure;
  const waitS = Math.ceil(client.expectedWaitMs() / 1000);
  const hasChanged = failed.some(({ error }) => error === 'changed');
  return {
    items,
    touched,
    data: {
      done: left === 0 && failed.length === 0,
      ...(failed.length > 0 ? { failed } : {}),
      ...(left > 0
        ? { left, ...(isClosed ? { next: CLOSED } : { retry_after_s: waitS, next: NEXT }) }
        : hasChanged
          ? { next: CHANGED }
          : {}),
    },
    trustedFields: ['next'],
  };
}

const NEXT =
  'The rate limit or the time of a call was reached. Call again with the same arguments after `retry_after_s`: the approval covers the rest, and nothing is done twice.';

const CLOSED = 'The plan was stopped. Call again to ask the user about the rest.';

const CHANGED =
  'What the steps with the error changed affect has changed or could not be read since the user was asked, so their approval does not count. Call again to ask about the current state.';

import type { ServerContext } from '@modelcontextprotocol/server';
import type { StateProvider } from '../state/shared-state.ts';
import type { Approval } from '../tool/approval.ts';
import type { PlanProgress } from '../tool/tool.ts';
import { createActionBudget, DEFAULT_ACTIONS_PER_HOUR } from './action-budget.ts';
import { createApprovals } from './approvals.ts';
import { type ApproveCallback, createCallbackChannel } from './callback-channel.ts';
import type { Unreached } from './channel.ts';
import { createChannelHealth } from './channel-health.ts';
import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import { createFormChannel } from './form-channel.ts';
import { createNotDoneResult, MIN_ANSWER_MS, UNREACHED_ADVICE } from './outcome.ts';
import { createPageChannel } from './page-channel.ts';
import { createPendingElicitations } from './pending-elicitations.ts';
import { createPlans } from './plans.ts';
import { createTokenChannel } from './token-channel.ts';

export interface Confirmation {
  /** Asks a person through the first channel that reaches one. An approved plan with steps left is not asked about. */
  request(call: ConfirmableCall): Promise<ConfirmationResult>;
  getProgress(planKey: string): PlanProgress;
}

export interface ConfirmationOptions {
  readonly state: StateProvider;
  readonly formWaitMs?: number;
  readonly pageWaitMs?: number;
  /** Shorter for tests, whose hosts answer at once. */
  readonly minAnswerMs?: number;
  /** Confirms by token only: the caller can approve. */
  readonly unattended?: boolean;
  /** Asks by a function of the program only; without one, nobody can be asked. */
  readonly program?: { readonly approve?: ApproveCallback | undefined };
  readonly actionsPerHour?: number;
  readonly now?: () => number;
}

/**
 * Requires a person's approval: by a form if the host shows forms, otherwise on a page. In unattended mode a one-time token
 * takes their place; in a program, a function asks them. Each approved action uses one of the budget; beyond it, only the page approves.
 */
export function createConfirmation(options: ConfirmationOptions): Confirmation {
  const { state, unattended = false, minAnswerMs = MIN_ANSWER_MS, now = Date.now } = options;
  const approvals = createApprovals({ state, now });
  const budget = createActionBudget({ state, limit: options.actionsPerHour ?? DEFAULT_ACTIONS_PER_HOUR, now });
  const plans = createPlans({ state, now });
  const askOnlyChannel = unattended
    ? createTokenChannel(approvals)
    : options.program && createCallbackChannel(approvals, options.program.approve);
  const askOnPage = createPageChannel({ approvals, waitMs: options.pageWaitMs ?? 20_000, minAnswerMs });
  const askByForm = createFormChannel({
    approvals,
    health: createChannelHealth({ state, now }),
    pendingElicitations: createPendingElicitations({ state, now }),
    waitMs: options.formWaitMs ?? 40_000,
    minAnswerMs,
    now,
  });

  async function ask(call: ConfirmableCall): Promise<ConfirmationResult> {
    const remaining = await budget.getRemaining(call.owner);
    // An answer to a form counts, even if another action has used up the limit meanwhile.
    const answersForm = typeof call.mcp.mcpReq.requestState() === 'string';
    if (remaining === 0 && !answersForm) return askBeyondLimit(call);
    if (askOnlyChannel) return askOnlyChannel(call);
    const counted = withNotice(call, `Action ${budget.limit - remaining + 1} of at most ${budget.limit} in an hour.`);
    const byForm = await askByForm(counted);
    if (!('unreached' in byForm)) return byForm;
    if (remaining === 0) return askBeyondLimit(call);
    const onPage = await askOnPage(counted);
    if (!('unreached' in onPage)) return onPage;
    const last = byForm.isSkipped ? await askByForm(counted, true) : byForm;
    return 'unreached' in last ? createUnreachedResult(last) : last;
  }

  async function askBeyondLimit(call: ConfirmableCall): Promise<ConfirmationResult> {
    const happened = `At least ${budget.limit} actions were done or approved in the last hour`;
    const onPage = askOnlyChannel
      ? undefined
      : await askOnPage(withNotice(call, `${happened}. This one exceeds the limit.`));
    if (onPage && !('unreached' in onPage)) return onPage;
    return createNotDoneResult(
      'over_budget',
      `${happened}, and that is the limit. Tell the user; the operator can raise it (--actions-per-hour, or actionsPerHour in a program).`,
    );
  }

  async function findUnaskedApproval(call: ConfirmableCall): Promise<Approval | undefined> {
    if (call.isHarmless || (call.isRoutine && (await budget.trySpend(call.owner)))) return 'not_needed';
    return call.planKey === undefined ? undefined : plans.findApproval(call.planKey);
  }

  return {
    getProgress: plans.getProgress,
    async request(call) {
      const declined = await approvals.findDecline(call);
      if (declined) return declined;
      const unasked = carriesAnswer(call.mcp) ? undefined : await findUnaskedApproval(call);
      if (unasked) return { approved: true, approvedBy: unasked };
      let result = await ask(call);
      // Questions that are open at the same time can exceed the limit together.
      if (result.approved && result.approvedBy !== 'page' && !(await budget.trySpend(call.owner)))
        result = await askBeyondLimit(call);
      if (!result.approved) return result;
      if (result.approvedBy === 'page') await budget.spend(call.owner);
      if (call.planKey !== undefined) await plans.open(call.planKey, result);
      return result;
    },
  };
}

/** Returns whether a call brings the answer to a question, which counts even if the action needs no question any more. */
export function carriesAnswer({ mcpReq }: ServerContext): boolean {
  return typeof mcpReq.requestState() === 'string' || Object.hasOwn(mcpReq.inputResponses ?? {}, 'confirm');
}

/** Says why there is no decision: no channel reached a person, or the host returned a form without its box. */
function createUnreachedResult({ unreached }: Unreached): ConfirmationResult {
  const reason =
    unreached === 'too_fast'
      ? 'The host answered the question by itself, before the user could read it'
      : 'This host does not show forms, or does not return what the user decides there';
  return createNotDoneResult(
    unreached,
    `${reason}, and no browser could be opened for a confirmation page. ${UNREACHED_ADVICE}`,
  );
}

function withNotice(call: ConfirmableCall, addition: string): ConfirmableCall {
  return {
    ...call,
    async describe(options) {
      const { notice, ...description } = await call.describe(options);
      return { ...description, notice: notice === undefined ? addition : `${notice} ${addition}` };
    },
  };
}

import { inputRequired, inputResponse, SdkError, SdkErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import type { Approvals } from './approvals.ts';
import type { ConfirmationChannel, HostConnection, Unreached } from './channel.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import { type AnswerOutcome, parseFormAnswer, toNotDoneResult, UNREACHED_ADVICE } from './outcome.ts';
import type { PendingElicitation, PendingElicitations } from './pending-elicitations.ts';
import { formatPreview } from './preview.ts';

/** Maximum time to read the affected object before a form opens. */
const PREVIEW_TIMEOUT_MS = 60_000;

const CONFIRM_FORM = {
  type: 'object' as const,
  properties: {
    confirm: {
      type: 'boolean' as const,
      title: 'Approve this action',
      // Off by default: a host that submits defaults approves nothing.
      default: false,
    },
  },
  required: ['confirm'],
};

/** Asks with a form that the host shows (elicitation). */
export function createFormChannel(options: {
  approvals: Approvals;
  health: ChannelHealth;
  pendingElicitations: PendingElicitations;
  waitMs: number;
  minAnswerMs: number;
  now: () => number;
}): ConfirmationChannel {
  const { approvals, health, pendingElicitations, waitMs, minAnswerMs, now } = options;

  async function settle(
    call: ConfirmableCall,
    {
      outcome,
      confirmationNonce,
      context: { mcp, connection: host, isLastResort },
    }: { outcome: AnswerOutcome; confirmationNonce: string; context: AskContext },
  ): Promise<ConfirmationResult | Unreached> {
    const connection = host.getId(mcp);
    switch (outcome) {
      case 'accepted':
        await health.recordAnswered(connection);
        return approvals.approve(call, 'form', { label: 'The form’s answer', confirmationNonce });
      case 'declined':
        await health.recordAnswered(connection);
        return approvals.decline(call);
      case 'dismissed':
        await health.recordAnswered(connection);
        return createNotDoneResult(
          'dismissed',
          'The user closed the form, or sent it without ticking the box. Ask them whether to continue, and call again to ask again.',
        );
      case 'timed_out':
        await health.recordFailed(connection);
        return createNotDoneResult(
          'timed_out',
          `Nobody answered the form within ${Math.round(waitMs / 1000)} s. ${isLastResort ? NO_FORM : CALL_AGAIN}`,
        );
      case 'abandoned':
        return createNotDoneResult(
          'abandoned',
          'Another identical call was already asking and has ended, so its form is closed. Call again to ask again.',
        );
      default:
        await health.recordFailed(connection);
        return { unreached: outcome };
    }
  }

  async function join(pending: PendingElicitation, call: ConfirmableCall, context: AskContext) {
    const outcome = await pending.waitForOutcome(context.mcp.mcpReq.signal);
    if (outcome === 'accepted')
      return createNotDoneResult(
        'duplicate',
        'This action was already approved in an earlier identical call; see that call’s result.',
      );
    if (outcome === 'declined') return approvals.decline(call);
    return settle(call, { outcome, confirmationNonce: '', context });
  }

  async function askLegacy(call: ConfirmableCall, context: AskContext) {
    const { mcp } = context;
    let outcome: AnswerOutcome = 'abandoned';
    try {
      const description = await call.describe();
      const confirmationNonce = await approvals.getNonce(call, description);
      const message = formatPreview(description, call.binding.args);
      const sentAt = now();
      outcome = await elicit(mcp, { message, waitMs, getElapsedMs: () => now() - sentAt, minAnswerMs });
      // Other calls waiting for this form must not see an approval that has no effect.
      if (outcome === 'accepted' && mcp.mcpReq.signal.aborted) outcome = 'abandoned';
      mcp.mcpReq.signal.throwIfAborted();
      return await settle(call, { outcome, confirmationNonce, context });
    } finally {
      await pendingElicitations.resolve(getFormKey(call), outcome);
    }
  }

  async function askModern(call: ConfirmableCall, { mcp, connection }: AskContext): Promise<ConfirmationResult> {
    try {
      const description = await call.describe();
      const message = formatPreview(description, call.binding.args);
      const requestState = await approvals.mintToken('form', call, description);
      await health.recordFormSent(connection.getId(mcp));
      return {
        approved: false,
        inputRequired: inputRequired({
          inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema: CONFIRM_FORM }) },
          requestState,
        }),
      };
    } catch (error) {
      await pendingElicitations.resolve(getFormKey(call), 'abandoned');
      throw error;
    }
  }

  /** In the modern era the answer arrives with a repeated call. */
  async function handleAnswer(call: ConfirmableCall, context: AskContext, state: string) {
    const { mcp } = context;
    const { confirmationNonce, ageMs } = await approvals.redeemToken('form', call, state);
    const responses = mcp.mcpReq.inputResponses ?? {};
    const response = inputResponse(responses, 'confirm');
    // Ignores a response inherited through a `__proto__` name.
    const outcome =
      response.kind === 'elicit' && Object.hasOwn(responses, 'confirm')
        ? parseFormAnswer({ action: response.action, content: response.content, elapsedMs: ageMs }, minAnswerMs)
        : 'not_shown';
    try {
      return await settle(call, { outcome, confirmationNonce, context });
    } finally {
      await pendingElicitations.resolve(getFormKey(call), outcome);
    }
  }

  return {
    async ask(call, mcp, connection, isLastResort = false) {
      if (!connection.supportsForms(mcp)) return { unreached: 'not_shown' };
      const context = { mcp, connection, isLastResort };
      const isModern = connection.era === 'modern';
      const state = mcp.mcpReq.requestState();
      if (isModern && typeof state === 'string') return handleAnswer(call, context, state);
      const { confirmationPage: page } = connection;
      if (await page?.isDecided(call.binding)) return { unreached: 'not_shown' };
      const skipsOnce = page?.needsKey === true;
      if (!isLastResort && !(await health.mayUseForms(connection.getId(mcp), skipsOnce))) {
        if (skipsOnce) await pendingElicitations.resolve(getFormKey(call), 'abandoned');
        return { unreached: 'not_shown', isSkipped: true };
      }
      // A host of the 2025 protocol revisions is waited for, and its form closes when it has answered.
      const pending = await pendingElicitations.openOrJoin(
        getFormKey(call),
        isModern ? waitMs : waitMs + PREVIEW_TIMEOUT_MS,
        !isModern,
      );
      if (!pending.isOwner) return join(pending, call, context);
      return isModern ? askModern(call, context) : askLegacy(call, context);
    },
  };
}

const CALL_AGAIN = 'Call again: the question is then asked on a page in the user’s browser, if possible.';
const NO_FORM = `No browser could be opened for a confirmation page either. If the user saw no form, this host does not show any. ${UNREACHED_ADVICE}`;

/** People who share a key answer for themselves. */
const getFormKey = ({ idempotencyKey, binding }: ConfirmableCall) => `${idempotencyKey} ${binding.account}`;

interface AskContext {
  readonly mcp: ServerContext;
  readonly connection: HostConnection;
  /** Forms were not shown before on this connection, and no page can be. */
  readonly isLastResort: boolean;
}

function createNotDoneResult(...args: Parameters<typeof toNotDoneResult>): ConfirmationResult {
  return { approved: false, result: toNotDoneResult(...args) };
}

async function elicit(
  mcp: ServerContext,
  form: { message: string; waitMs: number; minAnswerMs: number; getElapsedMs: () => number },
): Promise<AnswerOutcome> {
  try {
    const { action, content } = await mcp.mcpReq.elicitInput(
      { mode: 'form', message: form.message, requestedSchema: CONFIRM_FORM },
      // Cancelling the call closes its form. Over HTTP the form is sent on the call's stream (`relatedRequestId`),
      // because not every host keeps another one open.
      { timeout: form.waitMs, signal: mcp.mcpReq.signal, relatedRequestId: mcp.mcpReq.id },
    );
    return parseFormAnswer({ action, content, elapsedMs: form.getElapsedMs() }, form.minAnswerMs);
  } catch (error) {
    if (mcp.mcpReq.signal.aborted) return 'abandoned';
    return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout ? 'timed_out' : 'not_shown';
  }
}

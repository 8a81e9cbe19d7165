import { inputRequired, inputResponse, SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import type { Approvals } from './approvals.ts';
import type { Unreached } from './channel.ts';
import type { ChannelHealth } from './channel-health.ts';
import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import { type AnswerOutcome, createNotDoneResult, parseFormAnswer, UNREACHED_ADVICE } from './outcome.ts';
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
}) {
  const { approvals, health, pendingElicitations, waitMs, minAnswerMs, now } = options;

  async function settle(
    call: ConfirmableCall,
    { outcome, nonce = '', isLastResort }: { outcome: AnswerOutcome; nonce?: string; isLastResort: boolean },
  ): Promise<ConfirmationResult | Unreached> {
    const { id } = call.connection;
    switch (outcome) {
      case 'accepted':
        await health.recordAnswered(id);
        return approvals.approve(call, 'form', nonce);
      case 'declined':
        await health.recordAnswered(id);
        return approvals.decline(call);
      case 'dismissed':
        await health.recordAnswered(id);
        return createNotDoneResult(
          outcome,
          'The user closed the form, or sent it without ticking the box. Ask them whether to continue, and call again to ask again.',
        );
      case 'timed_out':
        await health.recordFailed(id);
        return createNotDoneResult(
          outcome,
          `Nobody answered the form within ${Math.round(waitMs / 1000)} s. ${isLastResort ? NO_FORM : CALL_AGAIN}`,
        );
      case 'abandoned':
        return createNotDoneResult(
          outcome,
          'Another identical call was already asking and has ended, so its form is closed. Call again to ask again.',
        );
      default:
        await health.recordFailed(id);
        return { unreached: outcome };
    }
  }

  async function join(pending: PendingElicitation, call: ConfirmableCall, isLastResort: boolean) {
    const outcome = await pending.waitForOutcome(call.mcp.mcpReq.signal);
    if (outcome === 'accepted')
      return createNotDoneResult(
        'duplicate',
        'This action was already approved in an earlier identical call; see that call’s result.',
      );
    if (outcome === 'declined') return approvals.decline(call);
    return settle(call, { outcome, isLastResort });
  }

  async function askLegacy(call: ConfirmableCall, isLastResort: boolean) {
    const { signal } = call.mcp.mcpReq;
    let outcome: AnswerOutcome = 'abandoned';
    try {
      const description = await call.describe();
      const nonce = await approvals.getNonce(call, description);
      outcome = await elicit(call, formatPreview(description, call.binding.args));
      // Other calls waiting for this form must not see an approval that has no effect.
      if (outcome === 'accepted' && signal.aborted) outcome = 'abandoned';
      signal.throwIfAborted();
      return await settle(call, { outcome, nonce, isLastResort });
    } finally {
      await pendingElicitations.resolve(getFormKey(call), outcome);
    }
  }

  async function elicit({ mcp: { mcpReq } }: ConfirmableCall, message: string): Promise<AnswerOutcome> {
    const sentAt = now();
    try {
      const { action, content } = await mcpReq.elicitInput(
        { mode: 'form', message, requestedSchema: CONFIRM_FORM },
        // Cancelling the call closes its form. Over HTTP the form is sent on the call's stream (`relatedRequestId`),
        // because not every host keeps another one open.
        { timeout: waitMs, signal: mcpReq.signal, relatedRequestId: mcpReq.id },
      );
      return parseFormAnswer({ action, content, elapsedMs: now() - sentAt }, minAnswerMs);
    } catch (error) {
      if (mcpReq.signal.aborted) return 'abandoned';
      return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout ? 'timed_out' : 'not_shown';
    }
  }

  async function askModern(call: ConfirmableCall): Promise<ConfirmationResult> {
    try {
      const description = await call.describe();
      const message = formatPreview(description, call.binding.args);
      const requestState = await approvals.mintToken('form', call, description);
      await health.recordFormSent(call.connection.id);
      const inputRequests = { confirm: inputRequired.elicit({ message, requestedSchema: CONFIRM_FORM }) };
      return { approved: false, inputRequired: inputRequired({ inputRequests, requestState }) };
    } catch (error) {
      await pendingElicitations.resolve(getFormKey(call), 'abandoned');
      throw error;
    }
  }

  /** In the modern era the answer arrives with a repeated call. */
  async function handleAnswer(call: ConfirmableCall, state: string, isLastResort: boolean) {
    const { confirmationNonce: nonce, ageMs: elapsedMs } = await approvals.redeemToken('form', call, state);
    const responses = call.mcp.mcpReq.inputResponses ?? {};
    const response = inputResponse(responses, 'confirm');
    // Ignores a response inherited through a `__proto__` name.
    const outcome =
      response.kind === 'elicit' && Object.hasOwn(responses, 'confirm')
        ? parseFormAnswer({ action: response.action, content: response.content, elapsedMs }, minAnswerMs)
        : 'not_shown';
    try {
      return await settle(call, { outcome, nonce, isLastResort });
    } finally {
      await pendingElicitations.resolve(getFormKey(call), outcome);
    }
  }

  /** @param isLastResort whether forms were not shown before on this connection, and no page can be */
  return async (call: ConfirmableCall, isLastResort = false): Promise<ConfirmationResult | Unreached> => {
    const { id, era, supportsForms, confirmationPage: page } = call.connection;
    if (!supportsForms) return { unreached: 'not_shown' };
    const isModern = era === 'modern';
    const state = call.mcp.mcpReq.requestState();
    if (isModern && typeof state === 'string') return handleAnswer(call, state, isLastResort);
    if (await page?.isDecided(call.binding)) return { unreached: 'not_shown' };
    const skipsOnce = page?.needsKey === true;
    const isDropped = async (isRepeated: boolean) =>
      !isLastResort && !(await health.mayUseForms(id, { skipsOnce, isRepeated }));
    async function skip(): Promise<Unreached> {
      if (skipsOnce) await pendingElicitations.resolve(getFormKey(call), 'abandoned');
      return { unreached: 'not_shown', isSkipped: true };
    }
    if (await isDropped(false)) return skip();
    // A host of the 2025 protocol revisions is waited for, and its form closes when it has answered.
    const openMs = isModern ? waitMs : waitMs + PREVIEW_TIMEOUT_MS;
    const pending = await pendingElicitations.openOrJoin(getFormKey(call), openMs, !isModern);
    if (!pending.isOwner) return (await isDropped(true)) ? skip() : join(pending, call, isLastResort);
    return isModern ? askModern(call) : askLegacy(call, isLastResort);
  };
}

const CALL_AGAIN = 'Call again: the question is then asked on a page in the user’s browser, if possible.';
const NO_FORM = `No browser could be opened for a confirmation page either. If the user saw no form, this host does not show any. ${UNREACHED_ADVICE}`;

/** People who share a key answer for themselves. */
const getFormKey = ({ idempotencyKey, binding }: ConfirmableCall) => `${idempotencyKey} ${binding.account}`;

import { onAbort } from '../../src/timer.ts';
import { ToolError } from '../tool-error.ts';
import type { Approvals } from './approvals.ts';
import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import { createNotDoneResult } from './outcome.ts';
import { formatPreview } from './preview.ts';

/** Shows the question to a person and returns true or false. */
export type ApproveCallback = (question: string, options: { readonly signal: AbortSignal }) => unknown;

/** A program shows more than the form of a host, and there is no page for the rest. */
const MAX_QUESTION_LENGTH = 60_000;

/** Asks through a function of the program that uses the tools: one question at a time, as a terminal shows them. */
export function createCallbackChannel(approvals: Approvals, approve: ApproveCallback | undefined) {
  const waiting = new Set<string>();
  let turn: Promise<unknown> = Promise.resolve();

  async function askNow(call: ConfirmableCall, ask: ApproveCallback): Promise<ConfirmationResult> {
    const { signal } = call.mcp.mcpReq;
    signal.throwIfAborted();
    // The last answer may have declined the same effect.
    const declined = await approvals.findDecline(call);
    if (declined) return declined;
    const description = await call.describe();
    const confirmationNonce = await approvals.getNonce(call, description);
    const question = formatPreview(description, call.binding.args, MAX_QUESTION_LENGTH);
    const approved = await askProgram(() => ask(question, { signal }));
    signal.throwIfAborted();
    if (approved === true) return approvals.approve(call, 'callback', confirmationNonce);
    if (approved === false) return approvals.decline(call);
    throw new ToolError('not_confirmed', 'approve returned neither true nor false. Nothing was done.');
  }

  return async (call: ConfirmableCall): Promise<ConfirmationResult> => {
    if (!approve)
      return createNotDoneResult(
        'not_shown',
        'It needs the approval of a person, and this program can’t ask one. Tell the user.',
      );
    const { idempotencyKey: key, mcp } = call;
    if (waiting.has(key))
      return createNotDoneResult('duplicate', 'An identical call already asks the user; see that call’s result.');
    waiting.add(key);
    const { signal } = mcp.mcpReq;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const removeAbortListener = onAbort(signal, () => reject(signal.reason));
    const earlier = turn;
    // An aborted call ends at once, whatever question is open.
    const ended = Promise.race([earlier.then(() => askNow(call, approve)), aborted]).finally(() => {
      removeAbortListener();
      waiting.delete(key);
    });
    turn = ended.catch(() => undefined).then(() => earlier);
    return ended;
  };
}

/** @throws ToolError if the program's function fails. */
async function askProgram(ask: () => unknown): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolError('not_confirmed', `approve failed: ${reason}. Nothing was done.`);
  }
}

import { ToolError } from '../tool-error.ts';
import type { Approvals } from './approvals.ts';
import type { ConfirmationChannel } from './channel.ts';
import { toNotDoneResult } from './outcome.ts';
import { formatPreview } from './preview.ts';

/** Shows the question to a person and returns true or false. */
export type ApproveCallback = (question: string, options: { readonly signal: AbortSignal }) => unknown;

/** Asks through a function of the program that uses the tools. */
export function createCallbackChannel(approvals: Approvals, approve: ApproveCallback | undefined): ConfirmationChannel {
  return {
    async ask(call, { mcpReq: { signal } }) {
      if (!approve) {
        const next = 'It needs the approval of a person, and this program can’t ask one. Tell the user.';
        return { approved: false, result: toNotDoneResult('not_shown', next) };
      }
      const description = await call.describe();
      const confirmationNonce = await approvals.getNonce(call, description);
      const question = formatPreview(description, call.binding.args);
      const approved = await askProgram(() => approve(question, { signal }));
      signal.throwIfAborted();
      if (approved === true)
        return approvals.approve(call, 'callback', { label: 'The answer of approve', confirmationNonce });
      if (approved === false) return approvals.decline(call);
      throw new ToolError('not_confirmed', 'approve returned neither true nor false. Nothing was done.');
    },
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

import { inputRequired, inputResponse, type ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import type { ConfirmationPage, PageQuestion } from './confirmation-page.ts';
import type { ElicitationOutcome } from './outcome.ts';
import { formatPreview } from './preview.ts';

/** Text with which the host offers to open the page. */
const OPEN_PAGE_MESSAGE =
  'The assistant needs your approval. Open this page to see what it is about to do, and approve or deny it there.';

/**
 * Asks on a page of this server: the host opens it, or the result contains its URL. A model can't approve: only the page
 * accepts the decision, and one repeated call then runs the action.
 */
export async function askByPage(
  call: ConfirmableCall,
  mcp: ServerContext,
  options: {
    page: ConfirmationPage;
    waitMs: number;
    getConfirmationNonce: () => Promise<string>;
    recordOutcome: (outcome: ElicitationOutcome) => Promise<ConfirmationResult>;
    /** @throws ToolError if another approval came first. */
    claimApproval: (confirmationNonce: string) => Promise<void>;
  },
): Promise<ConfirmationResult> {
  const { page, waitMs, getConfirmationNonce, recordOutcome, claimApproval } = options;
  const { signal } = mcp.mcpReq;
  const question = await page.openQuestion({
    binding: call.binding,
    idempotencyKey: call.idempotencyKey,
    getConfirmationNonce,
    getDetails: async () => {
      const { summary } = call;
      const { args } = call.binding;
      requireReadableLength(summary, args);
      return { summary, args, about: await call.preview() };
    },
  });
  const response = inputResponse(mcp.mcpReq.inputResponses, 'confirm');
  const action = response.kind === 'elicit' ? response.action : undefined;
  // Opening the page is not an approval, but refusing to open it is a decline. An approval on the page is not revoked.
  const outcome =
    action === 'decline' || action === 'cancel'
      ? await question.recordOutcome('no')
      : await question.waitForOutcome({ waitMs: question.newDetails ? 0 : waitMs, signal });
  if (action === 'decline') return recordOutcome('no');
  if (outcome === 'no') return recordOutcome('no');
  if (outcome === 'yes') {
    const result = await recordOutcome('yes');
    if (!result.approved) return result;
    signal.throwIfAborted();
    if (!(await question.consume())) return { approved: false, result: APPROVAL_ALREADY_USED };
    await claimApproval(question.confirmationNonce);
    return { approved: true, channel: 'page' };
  }
  if (action === undefined && page.supportsUrlElicitation(mcp))
    return {
      approved: false,
      inputRequired: inputRequired({
        inputRequests: { confirm: inputRequired.elicitUrl({ message: OPEN_PAGE_MESSAGE, url: question.url }) },
      }),
    };
  return { approved: false, result: createPendingResult(call, question) };
}

const MAX_CHARACTERS = 60_000;

/** @throws ToolError for more than a user can review: the page is never shortened. */
function requireReadableLength(summary: string, args: JsonObject): void {
  formatPreview(summary, args);
  if (JSON.stringify(args).length > MAX_CHARACTERS)
    throw new ToolError(
      'invalid_arguments',
      `The arguments have more than ${MAX_CHARACTERS} characters, too many for the user to review. Send less in one call.`,
    );
}

function createPendingResult(
  { summary, binding }: ConfirmableCall,
  { url, newDetails, secondsLeft }: PageQuestion,
): ToolResult {
  const preview = formatPreview(summary, binding.args);
  const minutes = Math.max(1, Math.round(secondsLeft / 60));
  const expiry = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const next = `Nothing has been done yet. Give the user confirm_url, a page to approve or deny this; it expires in ${expiry}. When they have decided there, call again with the same arguments: an approved action then runs once.`;
  return {
    data: {
      done: false,
      ...(newDetails ? {} : { no_response: true }),
      preview,
      ...(newDetails?.about ? { about: newDetails.about } : {}),
      confirm_url: url,
      next,
    },
    unredactedFields: ['confirm_url'],
    trustedFields: ['preview', 'confirm_url', 'next'],
  };
}

const APPROVAL_ALREADY_USED: ToolResult = {
  data: {
    done: false,
    duplicate_request: true,
    next: 'The user’s approval was already used by another identical call; see its result. This call did nothing.',
  },
  trustedFields: ['next'],
};

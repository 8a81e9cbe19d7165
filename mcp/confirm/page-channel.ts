import { inputRequired, inputResponse, type ServerContext } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/records/fields.ts';
import type { ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import type { ConfirmationPage, PageQuestion } from './confirmation-page.ts';
import type { ElicitationOutcome } from './outcome.ts';
import { formatPreview } from './preview.ts';

/** What the host puts above the address that it offers to open; the page itself shows everything. */
const OPEN_PAGE_MESSAGE =
  'A page of this server shows what the assistant is about to do, and asks whether it may. Open it, and say yes or no there.';

/**
 * Asks on a page of this server: through the host where it opens addresses, else by an address that the answer carries.
 * Nothing in any answer can be spent by a model: the page alone takes the yes, and one call, made again, carries it out.
 */
export async function askByPage(
  call: ConfirmableCall,
  mcp: ServerContext,
  options: {
    page: ConfirmationPage;
    waitMs: number;
    getConfirmationNonce: () => Promise<string>;
    recordOutcome: (outcome: ElicitationOutcome) => Promise<ConfirmationResult>;
    /** A yes counts once, in whatever ways the same was asked. @throws ToolError where one came first. */
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
  // To open the page is no yes, but not to open it is a no. A window that is closed after a yes on the page takes nothing back.
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
        inputRequests: {
          confirm: inputRequired.elicitUrl({ message: OPEN_PAGE_MESSAGE, url: question.url }),
        },
      }),
    };
  return { approved: false, result: createPendingResult(call, question) };
}

/** More than anybody reads. */
const MAX_CHARACTERS = 60_000;

/** @throws ToolError for more than a person can check: a page hides nothing, so it can't be cut to fit. */
function requireReadableLength(summary: string, args: JsonObject): void {
  formatPreview(summary, args);
  if (JSON.stringify(args).length > MAX_CHARACTERS)
    throw new ToolError(
      'invalid_arguments',
      `More than ${MAX_CHARACTERS} characters, which nobody can check before they agree. Send less in one call.`,
    );
}

function createPendingResult(
  { summary, binding }: ConfirmableCall,
  { url, newDetails, secondsLeft }: PageQuestion,
): ToolResult {
  const preview = formatPreview(summary, binding.args);
  const minutes = Math.max(1, Math.round(secondsLeft / 60));
  const timeLeft = `${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}`;
  const next = `Nothing has happened yet. Give the person confirm_url: the page shows all of this and asks them, for ${timeLeft}. When they have answered there, call again with the same arguments: a yes is carried out then, once.`;
  return {
    data: {
      done: false,
      ...(newDetails ? {} : { unanswered: true }),
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
    joined: true,
    next: 'The person agreed to this once, and another of your calls took that yes: its answer tells. This one did nothing. Look before you ask for it again.',
  },
  trustedFields: ['next'],
};

import { createHash, randomUUID } from 'node:crypto';
import { inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../src/records/fields.ts';
import { setBounded } from '../bounded-map.ts';
import type { ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import type { Approvals } from './approvals.ts';
import { CARD_REQUEST_KEY } from './card-request.ts';
import type { ConfirmationChannel } from './channel.ts';
import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import type { ConfirmationDetails, ConfirmationPage, PageQuestion } from './confirmation-page.ts';
import { createNotDoneResult } from './outcome.ts';
import { formatPreview, getPreviewFields } from './preview.ts';

/** Text with which the host offers to open the page. */
const OPEN_PAGE_MESSAGE =
  'The assistant needs your approval. Open this page to see what it is about to do, and approve or deny it there.';

/** Undefined if the host did not show the URL. */
type UrlAnswer = 'opened' | 'declined' | 'dismissed' | undefined;

const URL_ANSWERS: Readonly<Record<string, UrlAnswer>> = { accept: 'opened', decline: 'declined', cancel: 'dismissed' };

const MAX_CHARACTERS = 60_000;
const MAX_ANSWERED_URLS = 1000;

/**
 * Asks on a page in the user's browser. The host opens it by URL elicitation, or a local server opens the browser, or the
 * result of a hosted server names it. A model can't approve: only the page takes the decision, and one repeated call then
 * runs the action.
 */
export function createPageChannel(options: {
  approvals: Approvals;
  /** How long a call waits for the decision. */
  waitMs: number;
  minAnswerMs: number;
}): ConfirmationChannel {
  const { approvals, waitMs, minAnswerMs } = options;
  /** Last answer of a person to the host's offer of a page. */
  const urlAnswers = new Map<string, UrlAnswer>();

  /** A host that answers before a person can read the offer has not shown it. */
  function parseUrlAnswer(action: string, elapsedMs: number): UrlAnswer {
    return elapsedMs < minAnswerMs ? undefined : URL_ANSWERS[action];
  }

  /** Lets a host of the 2025 protocol revisions open the page; a decision on the page ends the wait. */
  async function elicitUrl({ mcp: { mcpReq } }: ConfirmableCall, question: PageQuestion): Promise<UrlAnswer> {
    const startedAt = performance.now();
    const done = new AbortController();
    const signal = AbortSignal.any([mcpReq.signal, done.signal]);
    const answered = mcpReq
      .elicitInput(
        { mode: 'url', message: OPEN_PAGE_MESSAGE, url: question.url, elicitationId: randomUUID() },
        { timeout: waitMs, signal, relatedRequestId: mcpReq.id },
      )
      .then(({ action }) => parseUrlAnswer(action, performance.now() - startedAt))
      .catch(() => undefined);
    const decided = question.waitForOutcome({ waitMs, signal }).then((): UrlAnswer => 'opened');
    try {
      return await Promise.race([answered, decided]);
    } finally {
      done.abort();
      decided.catch(() => undefined);
    }
  }

  async function useApproval(call: ConfirmableCall, question: PageQuestion): Promise<ConfirmationResult> {
    const declined = await approvals.findDecline(call);
    if (declined) return declined;
    call.mcp.mcpReq.signal.throwIfAborted();
    if (!(await question.consume())) return APPROVAL_ALREADY_USED;
    return approvals.approve(call, 'page', question.confirmationNonce);
  }

  return async (call) => {
    const { confirmationPage: page, supportsUrls, era, appName } = call.connection;
    if (!page) return { unreached: 'not_shown' };
    const { binding, idempotencyKey, effectKeys } = call;
    const question = await page.openQuestion({
      ...{ binding, idempotencyKey, effectKeys, appName },
      getConfirmationNonce: (details) => approvals.getNonce(call, details),
      getDetails: () => getDetails(call),
    });
    const { mcpReq } = call.mcp;
    const { signal } = mcpReq;
    // An answer with a state is one to a form.
    const isUrlAnswer = supportsUrls && typeof mcpReq.requestState() !== 'string';
    const response = inputResponse(mcpReq.inputResponses, 'confirm');
    const action = isUrlAnswer && response.kind === 'elicit' ? response.action : undefined;
    const isModern = era === 'modern';
    // A page with a decision asks nothing, so nobody has to open it.
    const isDecided = await page.isDecided(binding);
    const canElicitUrl = supportsUrls && action === undefined && !isDecided;
    if (canElicitUrl && isModern && question.newDetails) return openByHost(question);
    const answer =
      action !== undefined
        ? parseUrlAnswer(action, question.ageMs)
        : canElicitUrl && !isModern
          ? await elicitUrl(call, question)
          : undefined;
    signal.throwIfAborted();
    if (answer) setBounded(urlAnswers, MAX_ANSWERED_URLS, [question.url, answer]);
    // Opening the page is not an approval, but refusing to open it is a decline.
    if (answer === 'declined') {
      await question.recordDecline();
      return approvals.decline(call);
    }
    if (answer === 'dismissed')
      return createNotDoneResult(
        'dismissed',
        'The user did not open the confirmation page. Ask them whether to continue, and call again to ask again.',
      );
    const isOpened =
      answer === 'opened' || isDecided || (page.openInBrowser ? await page.openInBrowser(question.url) : true);
    const mayWait = page.openInBrowser !== undefined || question.newDetails === undefined;
    const outcome = await question.waitForOutcome({ waitMs: isOpened && mayWait ? waitMs : 0, signal });
    if (outcome === 'declined') return approvals.decline(call);
    if (outcome === 'accepted') return useApproval(call, question);
    const earlierAnswer = isOpened ? undefined : urlAnswers.get(question.url);
    // A host that has shown the offer can show it again.
    if (earlierAnswer && canElicitUrl && isModern) return openByHost(question);
    if (!isOpened && earlierAnswer !== 'opened') {
      // A host that was given the URL may have shown the page all the same.
      if (!supportsUrls) await question.withdraw?.();
      return { unreached: 'not_shown' };
    }
    return { approved: false, result: createPendingResult(call, question, page) };
  };
}

async function getDetails(call: ConfirmableCall): Promise<ConfirmationDetails> {
  const { args } = call.binding;
  const description = await call.describe();
  formatPreview(description, args);
  if (JSON.stringify(args).length > MAX_CHARACTERS)
    throw new ToolError(
      'invalid_arguments',
      `The arguments have more than ${MAX_CHARACTERS} characters, too many for the user to review. Send less in one call. A long file needs another way than content: a path, a url or an upload_url.`,
    );
  return { ...description, args };
}

function openByHost({ url }: PageQuestion): ConfirmationResult {
  return {
    approved: false,
    inputRequired: inputRequired({
      inputRequests: { confirm: inputRequired.elicitUrl({ message: OPEN_PAGE_MESSAGE, url }) },
    }),
  };
}

function createPendingResult(
  { binding, args }: ConfirmableCall,
  { url, newDetails, secondsLeft }: PageQuestion,
  page: ConfirmationPage,
): ToolResult {
  const minutes = Math.max(1, Math.round(secondsLeft / 60));
  const expiry = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const isUrlSecret = page.openInBrowser !== undefined;
  const where = isUrlSecret
    ? 'The user approves or denies this on a page that was opened in their browser'
    : 'Give the user confirm_url, a page to approve or deny this';
  const cardRequest: JsonObject = {
    // Tells two questions apart, without revealing the URL.
    id: createHash('sha256').update(url).digest('base64url').slice(0, 12),
    tool: binding.tool,
    arguments: args,
  };
  return {
    data: {
      done: false,
      outcome: 'pending',
      ...(newDetails ? getPreviewFields(newDetails, newDetails.args) : {}),
      ...(isUrlSecret ? {} : { confirm_url: url }),
      next: `Nothing has been done yet. ${where}; it expires in ${expiry}. When they have decided there, call again with the same arguments: an approved action then runs once.`,
    },
    unredactedFields: ['confirm_url'],
    trustedFields: ['outcome', 'confirm_url', 'next'],
    meta: { [CARD_REQUEST_KEY]: cardRequest },
  };
}

const APPROVAL_ALREADY_USED = createNotDoneResult(
  'duplicate',
  'The user’s approval was already used by another identical call; see its result.',
);

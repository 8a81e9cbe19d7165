import {
  inputRequired,
  inputResponse,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { StateProvider } from '../state/shared-state.ts';
import type { ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { askByCard, type CardDecision } from './card-channel.ts';
import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import type { ConfirmationPage } from './confirmation-page.ts';
import { MALFORMED_RESPONSE_CODE } from './malformed-response.ts';
import { createConfirmationNonces } from './nonces.ts';
import { createDeclineStore, type ElicitationOutcome, parseElicitationOutcome } from './outcome.ts';
import { askByPage } from './page-channel.ts';
import { createPendingElicitations, type PendingElicitation } from './pending-elicitations.ts';
import { formatFormMessage, formatPreview } from './preview.ts';
import { createConfirmTokens, TOKEN_TTL_MS, type TokenFault, type TokenKind } from './token.ts';

/** Ways to ask the user, per connection (stdio) or request (HTTP). */
export interface ElicitationChannel {
  readonly era: 'legacy' | 'modern';
  /** Returns whether the host declares that it shows forms. */
  supportsForms(mcp: ServerContext): boolean;
  /** Used if the host shows no forms; without it, a preview with a token is used. */
  readonly confirmationPage?: ConfirmationPage | undefined;
  /** True if the host declares that it shows views, and so keeps their data from the model. */
  supportsCards?(mcp: ServerContext): boolean;
  /** The user's decision, if the call comes from a card. */
  readonly decision?: CardDecision;
}

export interface Confirmation {
  /** Result for a call whose equivalent was declined within the last ten minutes. */
  findDecline(idempotencyKey: string): Promise<ToolResult | undefined>;
  request(call: ConfirmableCall, mcp: ServerContext, channel: ElicitationChannel): Promise<ConfirmationResult>;
}

const FAULT_MESSAGES: Readonly<Record<TokenFault | 'overtaken', string>> = {
  forged: 'was not issued by this server',
  expired: 'has expired; it is valid for ten minutes',
  used: 'was already used; it is valid for one call',
  other_tool: 'belongs to another tool',
  other_arguments: 'belongs to other arguments',
  other_key: 'belongs to another API key',
  overtaken: 'is no longer needed: the action was confirmed by another call; see its result',
};

interface RedeemedToken {
  /** Name of the token in error messages. */
  readonly label: string;
  readonly confirmationNonce: string;
}

/** Maximum time to look up the details of a form. */
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

/**
 * Requires user confirmation: on a card if the host shows views, via elicitation if it shows forms, otherwise via a
 * confirmation page, otherwise via a preview with a one-time token. A decline holds for ten minutes.
 */
export function createConfirmation(options: {
  state: StateProvider;
  formWaitMs?: number;
  /** How long a repeated call waits for the decision on the page. */
  pageWaitMs?: number;
  /** Confirms by token even if the host declares forms: for hosts that declare them but don't show them. */
  tokensOnly?: boolean;
  now?: () => number;
}): Confirmation {
  const { formWaitMs = 40_000, pageWaitMs = 20_000, tokensOnly = false, now = Date.now } = options;
  const pendingElicitations = createPendingElicitations({ state: options.state, now });
  const openStores = async () => {
    const state = await options.state();
    return {
      tokens: createConfirmTokens(state, { now }),
      declines: createDeclineStore(state, { now }),
      confirmationNonces: createConfirmationNonces(state, { now }),
    };
  };

  async function mintToken(kind: TokenKind, { binding, idempotencyKey }: ConfirmableCall): Promise<string> {
    const { tokens, confirmationNonces } = await openStores();
    return tokens.create(kind, binding, await confirmationNonces.getCurrent(idempotencyKey));
  }

  /** @throws ToolError if the token is not valid for this call. */
  async function redeemToken(kind: TokenKind, call: ConfirmableCall, token: string): Promise<RedeemedToken> {
    const { tokens } = await openStores();
    const label = { preview: 'confirm_token', form: 'The form’s state', card: 'The card’s token' }[kind];
    const fault = await tokens.redeem(token, { kind, binding: call.binding });
    if (fault) throw createTokenError(label, fault);
    return { label, confirmationNonce: tokens.getConfirmationNonce(token) };
  }

  /** An approval counts once, in whatever ways it was requested. @throws ToolError if another came first. */
  async function claimApproval(call: ConfirmableCall, { label, confirmationNonce }: RedeemedToken): Promise<void> {
    const { confirmationNonces } = await openStores();
    if (!(await confirmationNonces.consume(call.idempotencyKey, confirmationNonce)))
      throw createTokenError(label, 'overtaken');
  }

  async function findDecline(idempotencyKey: string): Promise<ToolResult | undefined> {
    const { declines } = await openStores();
    const secondsAgo = await declines.find(idempotencyKey);
    return secondsAgo === undefined ? undefined : toDeclinedResult(secondsAgo);
  }

  /** Stores a decline before reporting it. An approval only counts if no other server stored a decline meanwhile. */
  async function recordOutcome(call: ConfirmableCall, outcome: ElicitationOutcome): Promise<ConfirmationResult> {
    if (outcome === 'no') await (await openStores()).declines.add(call.idempotencyKey);
    const resultByOutcome = {
      yes: undefined,
      no: undefined,
      silent: toNoResponseResult(formWaitMs),
      broken: MALFORMED,
      gone: ABANDONED,
    };
    const result = (await findDecline(call.idempotencyKey)) ?? resultByOutcome[outcome];
    return result ? { approved: false, result } : { approved: true, channel: 'form' };
  }

  async function joinPending(
    pendingElicitation: PendingElicitation,
    call: ConfirmableCall,
    mcp: ServerContext,
  ): Promise<ConfirmationResult> {
    const result = await recordOutcome(call, await pendingElicitation.waitForOutcome(mcp.mcpReq.signal));
    return result.approved ? { approved: false, result: JOINED } : result;
  }

  async function elicitLegacy(call: ConfirmableCall, mcp: ServerContext): Promise<ConfirmationResult> {
    let outcome: ElicitationOutcome = 'gone';
    try {
      const confirmationNonce = await (await openStores()).confirmationNonces.getCurrent(call.idempotencyKey);
      const message = formatFormMessage(formatPreview(call.summary, call.binding.args), await call.preview());
      outcome = await elicit(mcp, { message, timeoutMs: formWaitMs });
      // Other calls waiting for this form must not see an approval that has no effect.
      if (outcome === 'yes' && mcp.mcpReq.signal.aborted) outcome = 'gone';
      const result = await recordOutcome(call, outcome);
      mcp.mcpReq.signal.throwIfAborted();
      if (result.approved) await claimApproval(call, { label: 'The form’s answer', confirmationNonce });
      return result;
    } finally {
      await pendingElicitations.resolve(call.idempotencyKey, outcome);
    }
  }

  async function elicitModern(call: ConfirmableCall): Promise<ConfirmationResult> {
    try {
      const message = formatFormMessage(formatPreview(call.summary, call.binding.args), await call.preview());
      return {
        approved: false,
        inputRequired: inputRequired({
          inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema: CONFIRM_FORM }) },
          requestState: await mintToken('form', call),
        }),
      };
    } catch (error) {
      await pendingElicitations.resolve(call.idempotencyKey, 'gone');
      throw error;
    }
  }

  /** In the modern era the reply to a form arrives with a repeated call. */
  async function handleReply(call: ConfirmableCall, mcp: ServerContext, state: string): Promise<ConfirmationResult> {
    const redeemed = await redeemToken('form', call, state);
    const responses = mcp.mcpReq.inputResponses ?? {};
    const response = inputResponse(responses, 'confirm');
    // Ignores a response inherited through a `__proto__` name.
    const isElicitResponse = response.kind === 'elicit' && Object.hasOwn(responses, 'confirm');
    const outcome = isElicitResponse ? parseElicitationOutcome(response.action, response.content) : 'no';
    try {
      const result = await recordOutcome(call, outcome);
      if (result.approved) await claimApproval(call, redeemed);
      return result;
    } finally {
      await pendingElicitations.resolve(call.idempotencyKey, outcome);
    }
  }

  async function createPreviewResult(call: ConfirmableCall): Promise<ToolResult> {
    const text = formatPreview(call.summary, call.binding.args);
    const about = await call.preview();
    return {
      data: {
        done: false,
        preview: text,
        ...(about ? { about } : {}),
        confirm_token: await mintToken('preview', call),
        next: 'Nothing has been done yet. Show this preview to the user. If they approve, call again with the same arguments and this confirm_token (once, within 10 minutes).',
      },
      unredactedFields: ['confirm_token'],
      trustedFields: ['preview', 'next', 'confirm_token'],
    };
  }

  async function applyDecision(call: ConfirmableCall, { token, approved }: CardDecision): Promise<ConfirmationResult> {
    const redeemed = await redeemToken('card', call, token);
    const result = await recordOutcome(call, approved ? 'yes' : 'no');
    if (!result.approved) return result;
    await claimApproval(call, redeemed);
    return { approved: true, channel: 'card' };
  }

  /** A host may declare views and still not show the card: a repeated call then uses a form, if available. */
  async function shouldShowCard(
    call: ConfirmableCall,
    mcp: ServerContext,
    channel: ElicitationChannel,
  ): Promise<boolean> {
    if (tokensOnly || channel.supportsCards?.(mcp) !== true) return false;
    const state = await options.state();
    const existing = await state.putIfAbsent(`card ${call.idempotencyKey}`, {}, now() + TOKEN_TTL_MS);
    return !existing || !channel.supportsForms(mcp);
  }

  return {
    findDecline,
    async request(call, mcp, channel) {
      const earlierDecline = await findDecline(call.idempotencyKey);
      if (earlierDecline) return { approved: false, result: earlierDecline };
      if (channel.decision) return applyDecision(call, channel.decision);
      if (await shouldShowCard(call, mcp, channel))
        return { approved: false, result: await askByCard(call, await mintToken('card', call)) };
      const mustUseForms = !tokensOnly && channel.supportsForms(mcp);
      if (!mustUseForms && channel.confirmationPage) {
        return askByPage(call, mcp, {
          page: channel.confirmationPage,
          waitMs: pageWaitMs,
          getConfirmationNonce: async () => (await openStores()).confirmationNonces.getCurrent(call.idempotencyKey),
          recordOutcome: (outcome) => recordOutcome(call, outcome),
          claimApproval: (confirmationNonce) => claimApproval(call, { label: 'The page’s answer', confirmationNonce }),
        });
      }
      if (!mustUseForms) {
        if (call.token === undefined) return { approved: false, result: await createPreviewResult(call) };
        await claimApproval(call, await redeemToken('preview', call, call.token));
        return { approved: true, channel: 'token' };
      }
      if (call.token !== undefined)
        throw new ToolError(
          'not_confirmed',
          'This host shows confirmation forms, so confirm_token is not accepted. Nothing was done. Call again without it; the user is then asked.',
          { fault: 'forms' },
        );
      const state = mcp.mcpReq.requestState();
      if (channel.era === 'modern' && typeof state === 'string') return handleReply(call, mcp, state);
      const isModern = channel.era === 'modern';
      // A host of the 2025 protocol revisions is waited for, and its form closes when it has replied.
      const pendingElicitation = await pendingElicitations.openOrJoin(
        call.idempotencyKey,
        isModern ? formWaitMs : formWaitMs + PREVIEW_TIMEOUT_MS,
      );
      if (!pendingElicitation.isOwner) return joinPending(pendingElicitation, call, mcp);
      return isModern ? elicitModern(call) : elicitLegacy(call, mcp);
    },
  };
}

/** Asks through the host. Everything but an approval, a timeout, a malformed reply or a cancelled call is a decline. */
async function elicit(
  mcp: ServerContext,
  { message, timeoutMs }: { message: string; timeoutMs: number },
): Promise<ElicitationOutcome> {
  try {
    const response = await mcp.mcpReq.elicitInput(
      { mode: 'form', message, requestedSchema: CONFIRM_FORM },
      // Cancelling the call closes its form. Over HTTP the form is sent on the call's stream (`relatedRequestId`),
      // because not every host keeps another one open.
      { timeout: timeoutMs, signal: mcp.mcpReq.signal, relatedRequestId: mcp.mcpReq.id },
    );
    return parseElicitationOutcome(response.action, response.content);
  } catch (error) {
    if (mcp.mcpReq.signal.aborted) return 'gone';
    if (error instanceof ProtocolError && error.code === MALFORMED_RESPONSE_CODE) return 'broken';
    return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout ? 'silent' : 'no';
  }
}

function toNotDoneResult(reason: 'declined' | 'no_response' | 'duplicate_request', next: string): ToolResult {
  return { data: { done: false, [reason]: true, next }, trustedFields: ['next'] };
}

function toDeclinedResult(secondsAgo: number): ToolResult {
  return toNotDoneResult(
    'declined',
    `The user declined this or closed the form${secondsAgo > 1 ? ` ${secondsAgo} s ago` : ''}. Nothing was done. The decline holds for ten minutes: ask the user what they want instead, and do not try another way.`,
  );
}

function toNoResponseResult(waitedMs: number): ToolResult {
  return toNotDoneResult(
    'no_response',
    `The user did not answer the form within ${Math.round(waitedMs / 1000)} s. Nothing was done. Call again to ask again. If the host shows no forms, the server can be started with --confirm token.`,
  );
}

const MALFORMED = toNotDoneResult(
  'no_response',
  'The host’s reply to the form was malformed, so nothing was done. Call again to ask again. If this keeps happening, the server can be started with --confirm token.',
);

const ABANDONED = toNotDoneResult(
  'no_response',
  'Another identical call was already asking and has ended, so its form is closed. Nothing was done. Call again to ask again.',
);

const JOINED = toNotDoneResult(
  'duplicate_request',
  'This action was already confirmed by an earlier identical call; see that call’s result. This call did nothing.',
);

function createTokenError(label: string, fault: TokenFault | 'overtaken'): ToolError {
  return new ToolError(
    'not_confirmed',
    `${label} ${FAULT_MESSAGES[fault]}. Nothing was done. To ask the user again, call without confirm_token; pass a token only with exactly the same arguments.`,
    { fault },
  );
}

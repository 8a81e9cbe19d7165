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

/** Where a person can be asked; one for each connection (stdio) or request (HTTP). */
export interface ElicitationChannel {
  readonly era: 'legacy' | 'modern';
  /** Whether the host of this connection says that it shows forms. */
  supportsForms(mcp: ServerContext): boolean;
  /** Where the person is asked if not by a form; without it a preview's token is good for the act. */
  readonly confirmationPage?: ConfirmationPage | undefined;
  /** Whether the host of this connection says that it shows views, and keeps from the model what is for them. */
  supportsCards?(mcp: ServerContext): boolean;
  /** What a person answered on a card, where that is what the call is. */
  readonly decision?: CardDecision;
}

export interface Confirmation {
  /** What a call answers whose like was refused; undefined where none was. */
  findDecline(idempotencyKey: string): Promise<ToolResult | undefined>;
  request(
    call: ConfirmableCall,
    mcp: ServerContext,
    channel: ElicitationChannel,
  ): Promise<ConfirmationResult>;
}

const FAULT_MESSAGES: Readonly<Record<TokenFault | 'overtaken', string>> = {
  forged: 'is not one of this server',
  expired: 'is older than ten minutes',
  used: 'was used already; it is good for one call',
  other_tool: 'belongs to another tool',
  other_arguments: 'belongs to other arguments',
  other_key: 'belongs to another API key',
  overtaken:
    'comes too late: the same was agreed to meanwhile, and the answer of that call says what came of it',
};

/** What a yes answers: in what words it is called, and the round that it was asked in. */
interface RedeemedToken {
  readonly label: string;
  readonly confirmationNonce: string;
}

/** What is looked up for a form may take so long. */
const PREVIEW_TIMEOUT_MS = 60_000;

const CONFIRM_FORM = {
  type: 'object' as const,
  properties: {
    confirm: {
      type: 'boolean' as const,
      title: 'Yes, do this now',
      // Off unless a person switches it on: a host that fills in defaults by itself confirms nothing.
      default: false,
    },
  },
  required: ['confirm'],
};

/**
 * Lets an act pass only with a person's word: by the host's form where it shows one, else by a page of this server where it
 * has one, else by a preview and its token.
 * A no, or an answer that is no clear yes, stands for ten minutes; where nobody answers, nothing happens.
 */
export function createConfirmation(options: {
  state: StateProvider;
  formWaitMs?: number;
  /** How long a call that was made again waits for the person to answer on the page. */
  pageWaitMs?: number;
  /** Confirms by token even where the host says that it shows forms: for hosts that say so and don't. */
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

  /** @throws ToolError where the token is not good for this. */
  async function redeemToken(kind: TokenKind, call: ConfirmableCall, token: string): Promise<RedeemedToken> {
    const { tokens } = await openStores();
    const label = { preview: 'confirm_token', form: 'The form’s state', card: 'The card’s answer' }[kind];
    const fault = await tokens.redeem(token, { kind, binding: call.binding });
    if (fault) throw createTokenError(label, fault);
    return { label, confirmationNonce: tokens.getConfirmationNonce(token) };
  }

  /** A yes counts once, however often and in whatever ways the same was asked. @throws ToolError where one came first. */
  async function claimApproval(
    call: ConfirmableCall,
    { label, confirmationNonce }: RedeemedToken,
  ): Promise<void> {
    const { confirmationNonces } = await openStores();
    if (!(await confirmationNonces.consume(call.idempotencyKey, confirmationNonce)))
      throw createTokenError(label, 'overtaken');
  }

  async function findDecline(idempotencyKey: string): Promise<ToolResult | undefined> {
    const { declines } = await openStores();
    const secondsAgo = await declines.find(idempotencyKey);
    return secondsAgo === undefined ? undefined : declinedResult(secondsAgo);
  }

  /** Notes a no before anybody hears of it; a yes counts only where no other server has heard a no meanwhile. */
  async function recordOutcome(
    call: ConfirmableCall,
    outcome: ElicitationOutcome,
  ): Promise<ConfirmationResult> {
    if (outcome === 'no') await (await openStores()).declines.add(call.idempotencyKey);
    const resultByOutcome = {
      yes: undefined,
      no: undefined,
      silent: unansweredResult(formWaitMs),
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
      // Whoever waits for the same form must not hear a yes by which nothing is done.
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

  /** The answer to a form of the modern era comes with the call, made again. */
  async function handleReply(
    call: ConfirmableCall,
    mcp: ServerContext,
    state: string,
  ): Promise<ConfirmationResult> {
    const redeemed = await redeemToken('form', call, state);
    const responses = mcp.mcpReq.inputResponses ?? {};
    const response = inputResponse(responses, 'confirm');
    // A name `__proto__` becomes what is inherited, which nobody has answered.
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
        next: 'Nothing has happened yet. When the person agrees, call again with the same arguments and this confirm_token (once, within 10 minutes).',
      },
      unredactedFields: ['confirm_token'],
      trustedFields: ['preview', 'next', 'confirm_token'],
    };
  }

  async function applyDecision(
    call: ConfirmableCall,
    { token, approved }: CardDecision,
  ): Promise<ConfirmationResult> {
    const redeemed = await redeemToken('card', call, token);
    const result = await recordOutcome(call, approved ? 'yes' : 'no');
    if (!result.approved) return result;
    await claimApproval(call, redeemed);
    return { approved: true, channel: 'card' };
  }

  /** A host may say that it shows views and still not show this one: asked once more, its form decides if it has one. */
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
          getConfirmationNonce: async () =>
            (await openStores()).confirmationNonces.getCurrent(call.idempotencyKey),
          recordOutcome: (outcome) => recordOutcome(call, outcome),
          claimApproval: (confirmationNonce) =>
            claimApproval(call, { label: 'The page’s answer', confirmationNonce }),
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
          'This host shows forms, so that no confirm_token is taken. Nothing was done. Call without it: the person is asked.',
          { fault: 'forms' },
        );
      const state = mcp.mcpReq.requestState();
      if (channel.era === 'modern' && typeof state === 'string') return handleReply(call, mcp, state);
      const isModern = channel.era === 'modern';
      // A host of the 2025 revisions is waited for, and its form closed, when it has answered.
      const pendingElicitation = await pendingElicitations.openOrJoin(
        call.idempotencyKey,
        isModern ? formWaitMs : formWaitMs + PREVIEW_TIMEOUT_MS,
      );
      if (!pendingElicitation.isOwner) return joinPending(pendingElicitation, call, mcp);
      return isModern ? elicitModern(call) : elicitLegacy(call, mcp);
    },
  };
}

/** Asks through the host. Whatever comes back in place of a yes is a no; only a time-out is silence, and what was no message says nothing. */
async function elicit(
  mcp: ServerContext,
  { message, timeoutMs }: { message: string; timeoutMs: number },
): Promise<ElicitationOutcome> {
  try {
    const response = await mcp.mcpReq.elicitInput(
      { mode: 'form', message, requestedSchema: CONFIRM_FORM },
      // A form of a call that was cancelled is taken away: its yes would do nothing.
      // Over HTTP it goes out on the call's own stream: not every host keeps another one open.
      { timeout: timeoutMs, signal: mcp.mcpReq.signal, relatedRequestId: mcp.mcpReq.id },
    );
    return parseElicitationOutcome(response.action, response.content);
  } catch (error) {
    if (mcp.mcpReq.signal.aborted) return 'gone';
    if (error instanceof ProtocolError && error.code === MALFORMED_RESPONSE_CODE) return 'broken';
    return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout ? 'silent' : 'no';
  }
}

function declinedResult(secondsAgo: number): ToolResult {
  return {
    data: {
      done: false,
      declined: true,
      next: `The person said no, or closed the form${secondsAgo > 1 ? `, ${secondsAgo} s ago` : ''}; nothing was done. This stays a no for ten minutes: ask the person what they want instead, and do not try another way.`,
    },
    trustedFields: ['next'],
  };
}

function unansweredResult(waitedMs: number): ToolResult {
  return {
    data: {
      done: false,
      unanswered: true,
      next: `Nobody answered the form within ${Math.round(waitedMs / 1000)} s, and nothing was done. Calling again asks again. Where the host shows no forms, a person can start this server with --confirm token.`,
    },
    trustedFields: ['next'],
  };
}

const MALFORMED: ToolResult = {
  data: {
    done: false,
    unanswered: true,
    next: 'What the host sent as the answer to the form was no message of the protocol, so nobody’s word is known, and nothing was done. Calling again asks again. If it stays so, a person can start this server with --confirm token.',
  },
  trustedFields: ['next'],
};

const ABANDONED: ToolResult = {
  data: {
    done: false,
    unanswered: true,
    next: 'The person was being asked by another call of the same, which ended first, cancelled or failed: its form is gone, and nothing was done. Calling again asks again.',
  },
  trustedFields: ['next'],
};

const JOINED: ToolResult = {
  data: {
    done: false,
    joined: true,
    next: 'The person was asked once for this, and said yes: the first of your calls does it, and its answer tells. This second one did nothing.',
  },
  trustedFields: ['next'],
};

function createTokenError(label: string, fault: TokenFault | 'overtaken'): ToolError {
  return new ToolError(
    'not_confirmed',
    `${label} ${FAULT_MESSAGES[fault]}. Nothing was done. Call without confirm_token to be asked anew, and pass a token only with exactly the same arguments.`,
    { fault },
  );
}

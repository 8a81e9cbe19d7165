import type { StateProvider } from '../state/shared-state.ts';
import type { ToolResult } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import type { ApprovedBy, ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import { createConfirmationNonces } from './nonces.ts';
import { createDeclineStore, toDeclinedResult } from './outcome.ts';
import { createConfirmTokens, type TokenFault, type TokenKind } from './token.ts';

/** An answer that may approve one call. */
export interface Answer {
  /** Name of the answer in error messages. */
  readonly label: string;
  readonly confirmationNonce: string;
}

/** Shared parts of all channels: declines, single-use tokens, and the rule that one approval runs one action. */
export interface Approvals {
  /** Result for a call whose effect a person declined within the last ten minutes. */
  findDecline(effectKey: string): Promise<ToolResult | undefined>;
  decline(call: ConfirmableCall): Promise<ConfirmationResult>;
  getNonce(call: ConfirmableCall): Promise<string>;
  /** Approves the call unless a person declined it meanwhile. @throws ToolError if another approval came first. */
  approve(call: ConfirmableCall, approvedBy: ApprovedBy, answer: Answer): Promise<ConfirmationResult>;
  mintToken(kind: TokenKind, call: ConfirmableCall): Promise<string>;
  /** @throws ToolError if the token is not valid for this call. */
  redeemToken(kind: TokenKind, call: ConfirmableCall, token: string): Promise<Answer & { readonly ageMs: number }>;
}

const FAULT_MESSAGES: Readonly<Record<TokenFault | 'overtaken', string>> = {
  forged: 'was not issued by this server',
  expired: 'has expired; it is valid for ten minutes',
  used: 'was already used; it is valid for one call',
  other_tool: 'belongs to another tool',
  other_arguments: 'belongs to other arguments',
  other_key: 'belongs to another API key or sign-in',
  overtaken: 'is no longer needed: the action was confirmed by another call; see its result',
};

const TOKEN_LABELS: Readonly<Record<TokenKind, string>> = { preview: 'confirm_token', form: 'The form’s state' };

export function createApprovals(options: { state: StateProvider; now: () => number }): Approvals {
  const { now } = options;
  const openStores = async () => {
    const state = await options.state();
    return {
      tokens: createConfirmTokens(state, { now }),
      declines: createDeclineStore(state, { now }),
      nonces: createConfirmationNonces(state, { now }),
    };
  };

  async function findDecline(effectKey: string): Promise<ToolResult | undefined> {
    const secondsAgo = await (await openStores()).declines.find(effectKey);
    return secondsAgo === undefined ? undefined : toDeclinedResult(secondsAgo);
  }

  return {
    findDecline,
    async decline({ effectKey }) {
      await (await openStores()).declines.add(effectKey);
      return { approved: false, result: toDeclinedResult(0) };
    },
    getNonce: async ({ idempotencyKey }) => (await openStores()).nonces.getCurrent(idempotencyKey),
    async approve(call, approvedBy, { label, confirmationNonce }) {
      const declined = await findDecline(call.effectKey);
      if (declined) return { approved: false, result: declined };
      const { nonces } = await openStores();
      if (!(await nonces.consume(call.idempotencyKey, confirmationNonce))) throw createTokenError(label, 'overtaken');
      return { approved: true, approvedBy };
    },
    async mintToken(kind, { binding, idempotencyKey }) {
      const { tokens, nonces } = await openStores();
      return tokens.create(kind, binding, await nonces.getCurrent(idempotencyKey));
    },
    async redeemToken(kind, { binding }, token) {
      const { tokens } = await openStores();
      const label = TOKEN_LABELS[kind];
      const fault = await tokens.redeem(token, { kind, binding });
      if (fault) throw createTokenError(label, fault);
      return { label, ...tokens.read(token) };
    },
  };
}

function createTokenError(label: string, fault: TokenFault | 'overtaken'): ToolError {
  return new ToolError(
    'not_confirmed',
    `${label} ${FAULT_MESSAGES[fault]}. Nothing was done. To ask the user again, call without confirm_token; pass a token only with exactly the same arguments.`,
    { fault },
  );
}

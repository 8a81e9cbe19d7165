import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../canonical.ts';
import type { SharedState } from '../state/shared-state.ts';

/** What a confirmation stands for: one tool, its exact arguments, one key. */
export interface Binding {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Fingerprint of the key; see `account.ts`. */
  readonly account: string;
}

export type TokenFault = 'forged' | 'expired' | 'used' | 'other_tool' | 'other_arguments' | 'other_key';

/** `preview`: shown to the caller as confirm_token; `form` and `card`: travel with what a person answers. */
export type TokenKind = 'preview' | 'form' | 'card';

/** Mints and redeems confirmations: single-use and expiring, good at every server that shares the state. */
export interface ConfirmTokens {
  /** @param round what the question belongs to; see `rounds.ts`. */
  mint(kind: TokenKind, binding: Binding, round: string): string;
  /** The round of a token that was found good. */
  getConfirmationNonce(token: string): string;
  /** Spends a token; the fault where it is not good for this. */
  redeem(token: string, wanted: { kind: TokenKind; binding: Binding }): Promise<TokenFault | undefined>;
}

export const TOKEN_TTL_MS = 10 * 60_000;

export function createConfirmTokens(state: SharedState, options: { now?: () => number } = {}): ConfirmTokens {
  const { now = Date.now } = options;

  const sign = (body: string) =>
    createHmac('sha256', state.secret).update(`token\n${body}`).digest('base64url').slice(0, 24);
  const parts = (kind: TokenKind, { tool, args, account }: Binding) => [
    shortHash(`${kind}\n${tool}`, 6),
    shortHash(canonicalJson(args), 12),
    shortHash(account, 6),
  ];

  return {
    mint(kind, binding, round) {
      const expires = Math.floor((now() + TOKEN_TTL_MS) / 1000).toString(36);
      const body = [randomBytes(9).toString('base64url'), expires, ...parts(kind, binding), round].join('.');
      return `${body}.${sign(body)}`;
    },
    getConfirmationNonce: (token) => token.split('.')[5] ?? '',
    async redeem(token, { kind, binding }) {
      const cut = token.lastIndexOf('.');
      const body = token.slice(0, Math.max(0, cut));
      const given = Buffer.from(token.slice(cut + 1));
      const expected = Buffer.from(sign(body));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
      const [nonce = '', expires = '', tool, args, account] = body.split('.');
      const [ownTool, ownArgs, ownAccount] = parts(kind, binding);
      if (tool !== ownTool) return 'other_tool';
      if (account !== ownAccount) return 'other_key';
      if (args !== ownArgs) return 'other_arguments';
      const expiresMs = Number.parseInt(expires, 36) * 1000;
      if (expiresMs <= now()) return 'expired';
      return (await state.claim(`spent ${nonce}`, {}, expiresMs)) ? 'used' : undefined;
    },
  };
}

function shortHash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

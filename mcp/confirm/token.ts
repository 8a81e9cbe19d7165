import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { toCanonicalJson } from '../canonical-json.ts';
import type { SharedState } from '../state/shared-state.ts';

/** The call that a token confirms: one tool with exact arguments and one key. */
export interface TokenBinding {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Fingerprint of the key, and on a hosted server the sign-in. */
  readonly account: string;
}

export type TokenFault = 'forged' | 'expired' | 'used' | 'other_tool' | 'other_arguments' | 'other_key';

/** `preview`: shown to the caller as confirm_token; `form`: sent back with the user's answer. */
export type TokenKind = 'preview' | 'form';

export const TOKEN_TTL_MS = 10 * 60_000;

/** Single-use confirmation tokens, valid on every server that shares the state. */
export function createConfirmTokens(state: SharedState, { now }: { now: () => number }) {
  const sign = (body: string) =>
    createHmac('sha256', state.secret).update(`token\n${body}`).digest('base64url').slice(0, 24);
  const hashBinding = (kind: TokenKind, { tool, args, account }: TokenBinding) => [
    shortHash(`${kind}\n${tool}`, 6),
    shortHash(toCanonicalJson(args), 12),
    shortHash(account, 6),
  ];

  return {
    create(kind: TokenKind, binding: TokenBinding, confirmationNonce: string): string {
      const expires = (now() + TOKEN_TTL_MS).toString(36);
      const id = randomBytes(9).toString('base64url');
      const body = [id, expires, ...hashBinding(kind, binding), confirmationNonce].join('.');
      return `${body}.${sign(body)}`;
    },
    /** Nonce and age of a valid token. */
    read(token: string) {
      const [, expires = '', , , , confirmationNonce = ''] = token.split('.');
      return { confirmationNonce, ageMs: now() - (Number.parseInt(expires, 36) - TOKEN_TTL_MS) };
    },
    /** Uses a token; returns the fault if it is not valid for this. */
    async redeem(
      token: string,
      { kind, binding }: { kind: TokenKind; binding: TokenBinding },
    ): Promise<TokenFault | undefined> {
      const separator = token.lastIndexOf('.');
      const body = token.slice(0, Math.max(0, separator));
      const signature = Buffer.from(token.slice(separator + 1));
      const expectedSignature = Buffer.from(sign(body));
      if (signature.length !== expectedSignature.length || !timingSafeEqual(signature, expectedSignature))
        return 'forged';
      const [id = '', expires = '', tool, args, account] = body.split('.');
      const [expectedTool, expectedArgs, expectedAccount] = hashBinding(kind, binding);
      if (tool !== expectedTool) return 'other_tool';
      if (account !== expectedAccount) return 'other_key';
      if (args !== expectedArgs) return 'other_arguments';
      const expiresMs = Number.parseInt(expires, 36);
      if (expiresMs <= now()) return 'expired';
      return (await state.putIfAbsent(`spent ${id}`, {}, expiresMs)) ? 'used' : undefined;
    },
  };
}

function shortHash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, length);
}
